/** `sluice hash`: the canonical text, names and hashes of the nodes that a test has in the network. */
import {
  CompileError,
  compile,
  nearestName,
  parse,
  type NetworkNode,
  type Program,
  testNodes,
  type TestNodes,
} from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { inColumns } from "./columns.ts";
import { painter } from "./paint.ts";
import { loadProgram } from "./program.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { quotedList, readArguments, single, UsageError } from "./arguments.ts";
import { oneLine } from "./visible.ts";

export const HASH_HELP = `Usage: sluice hash TEST --type TYPE [FILES] [options]

Prints the nodes that a test on facts of one type has in the network: the name
of each node, its canonical text, and the string whose xxHash64 the name ends
in. Two tests share nodes exactly when they have the same canonical text, so
this shows whether two spellings of a condition are one node.

An AND becomes a chain with one node for each term; an OR, or a mix of both, is
one node. The order of terms, the side of a constant and the name of the
variable do not matter: age > 18, p.age > 18 and 18 < q.age are the same.

Without FILES, every type and field is accepted. With FILES, the test is checked
against their types, and each node lists the rules that have it already.

Options:
  --type TYPE   the type of the facts that are tested
  --json        print one JSON object per node
  --root DIR    also allow imports from DIR (repeatable)

Exit codes:
  0  success
  1  errors in the test or the rules
  2  wrong usage, or a file cannot be read

Examples:
  sluice hash "p.age > 18 or p.status == 'VIP'" --type Person
  sluice hash "18 < q.age" --type Person examples/hello/rules.tsd
`;

export function hashCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["type"]);
  const [test, ...files] = parsed.files;
  const type = single(parsed, "type");
  if (test === undefined) throw new UsageError('no test; for example: sluice hash "p.age > 18" --type Person');
  if (type === undefined) throw new UsageError("no type; name the type of the facts with --type TYPE");
  const json = parsed.flags.has("json");
  const texts = new Texts().add([{ file: "<test>", source: test }]);
  const { program, exit } = files.length === 0 ? { program: compile("") } : loadProgram(io, files, texts, json);
  if (program === undefined) return exit;
  requireType(program, type);
  try {
    const found = testNodes(program, test, { type });
    showDiagnostics(io, found.diagnostics, texts, json);
    if (json) writeJson(io, found, type, files.length > 0);
    else writeText(io, found, files);
    return EXIT.fine;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    showDiagnostics(io, error.diagnostics, texts, json);
    return EXIT.fault;
  }
}

function requireType(program: Program, type: string): void {
  const { open, types } = program.data().schema;
  if (types.has(type)) return;
  if (open) return requireName(type);
  const names = [...types.values()].filter(({ engineKept }) => !engineKept).map(({ name }) => name);
  const meant = nearestName(type, names);
  const hint = meant === undefined ? `this program declares ${quotedList(names)}` : `did you mean "${meant}"?`;
  throw new UsageError(`--type: no type "${type}"; ${hint}`);
}

function requireName(type: string): void {
  const { diagnostics, declarations } = parse(`type ${type}(x: any)`);
  const [only, ...more] = declarations;
  if (diagnostics.length === 0 && more.length === 0 && only?.kind === "type" && only.name.name === type) return;
  throw new UsageError(`--type: "${type}" cannot be the name of a type`);
}

function writeJson(io: Io, { nodes }: TestNodes, type: string, compared: boolean): void {
  for (const { name, hash, kind, text, hashed, rules } of nodes) {
    const node = { event: "node", name, hash, kind, type, text, hashed, ...(compared ? { rules } : {}) };
    io.out(`${JSON.stringify(node)}\n`);
  }
}

function writeText(io: Io, { nodes }: TestNodes, files: readonly string[]): void {
  const paint = painter(io.outColor);
  const blocks = nodes.map((node) => {
    const rows = [
      [paint("faint", "  xxHash64 of"), oneLine(node.hashed)],
      ...(files.length === 0 ? [] : [[paint("faint", "  shared with"), sharedWith(node)]]),
    ];
    return `${paint("bold", node.name)}  ${paint("cyan", oneLine(node.text))}\n${inColumns(rows).join("\n")}\n`;
  });
  io.out(blocks.join("\n"));
}

function sharedWith({ rules }: NetworkNode): string {
  return rules.length === 0 ? "nothing: no rule has this node yet" : oneLine(quotedList(rules));
}
