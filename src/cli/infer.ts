/** `sluice infer`: declarations of types and records for a facts file. */
import { DEFAULT_LIMITS, type Diagnostic } from "../index.ts";
import { readArguments, single, UsageError } from "./arguments.ts";
import { formatByContent, formatByName } from "./facts/format.ts";
import { readJsonFacts, readNdjsonFacts } from "./facts/json-facts.ts";
import { linesOf } from "./facts/lines.ts";
import type { FileFact } from "./facts/file-fact.ts";
import { diagnosticOf, type Report } from "./facts/mistake.ts";
import { wholeText } from "./facts/whole-text.ts";
import { declared, isReservedField, isTypeName, normal } from "./infer/declare.ts";
import { Fields } from "./infer/shape.ts";
import { EXIT, type Io } from "./io.ts";
import { writeOutput } from "./output.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { cannotRead } from "./sources.ts";

export const INFER_HELP = `Usage: sluice infer FACTS [options]

Writes "type" and "record" declarations for facts in JSON or NDJSON files, such
as {"Person": [{"id": "p1"}]}. The facts load with these declarations.

The declarations say what the facts show: a field that some facts lack is
optional, a string that is always a date is a date, an object is a record. A
field called "id", or similar, without equal values is the key. Read them
before you use them: a file cannot say everything.

Options:
  -o, --output FILE   write to FILE; the default is standard output
  --json              print errors as one JSON object per line, and the
                      declarations as one object

Exit codes:
  0  success
  1  errors in the facts
  2  wrong usage, or a file cannot be read or written

Example:
  sluice infer examples/access/facts.json -o types.tsd
`;

export function inferCommand(io: Io, args: readonly string[]): number {
  const { files, flags, ...parsed } = readArguments(args, ["json"], ["output"], { o: "output" });
  const output = single({ files, flags, ...parsed }, "output");
  if (files.length === 0) throw new UsageError("name the facts files");
  const json = flags.has("json");
  const types = new Map<string, Fields>();
  const diagnostics = files.flatMap((file) => read(io, file, types));
  const { errors } = showDiagnostics(io, diagnostics, new Texts(), json);
  if (errors > 0) return diagnostics.some(({ code }) => code === "E701") ? EXIT.usage : EXIT.fault;
  const text = declared(types);
  if (json && output === undefined) io.out(`${JSON.stringify({ event: "infer", text })}\n`);
  else writeOutput(io, output, text);
  return EXIT.fine;
}

/** Adds the facts of a file to the shapes of their types, and returns what is wrong with the file. */
function read(io: Io, path: string, types: Map<string, Fields>): Diagnostic[] {
  const file = path === "-" ? "<stdin>" : path;
  const diagnostics: Diagnostic[] = [];
  const report: Report = (mistake, range) => void diagnostics.push(diagnosticOf(file, mistake, range));
  function* chunks(): Iterable<Uint8Array> {
    try {
      yield* io.chunks(path);
    } catch (error) {
      diagnostics.push(cannotRead(path, error));
    }
  }
  const sink = {
    report,
    nesting: DEFAULT_LIMITS.valueNesting,
    admits: (type: string, range: Parameters<Report>[1]): boolean => {
      if (types.has(type)) return true;
      const twin = [...types.keys()].find((name) => normal(name) === normal(type));
      if (twin !== undefined) {
        const message = `type "${type}" equals another type after Unicode normalisation`;
        report({ code: "E211", message, hint: "use the same characters in both" }, range);
        return false;
      }
      if (isTypeName(type)) {
        types.set(type, new Fields());
        return true;
      }
      report({ code: "E201", message: `${JSON.stringify(type)} cannot be the name of a type` }, range);
      return false;
    },
    fact: (fact: FileFact): void => {
      const { type, fields } = fact;
      types.get(type)?.add(fields);
      for (const [name, ...path] of reservedIn(fields)) {
        const reserved = String(path.at(-1) ?? name);
        const message = `"${reserved}" is a reserved field name`;
        report(
          { code: "E403", message, hint: "choose another name" },
          fact.range({ field: String(name), of: "name", path }),
        );
      }
    },
  };
  const lines = linesOf(chunks(), { report, see: () => undefined });
  const named = formatByName(path);
  const found = named === undefined ? formatByContent(lines) : { format: named, lines };
  if (found.format === "csv") throw new UsageError("infer reads JSON and NDJSON");
  if (found.format === "ndjson") readNdjsonFacts(found.lines, sink);
  else {
    const whole = wholeText(found.lines);
    if (whole === undefined) throw new UsageError(`${file} is too large for one JSON value: convert it to NDJSON`);
    if (diagnostics.length === 0) readJsonFacts(whole.text, whole.position, sink);
  }
  return diagnostics;
}

/** Yields the paths of the fields whose names are reserved: no facts with them are loaded. */
function* reservedIn(value: unknown, path: readonly (string | number)[] = []): Iterable<readonly (string | number)[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    if (!Array.isArray(value) && isReservedField(name)) yield here;
    yield* reservedIn(inner, here);
  }
}
