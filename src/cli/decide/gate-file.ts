/** Turns a requirement in RET JSON into a gate of the program. */
import {
  CompileError,
  DEFAULT_LIMITS,
  type Diagnostic,
  evaluateGate,
  gateFromJson,
  GateJsonError,
  gateSource,
  type Program,
  type RetRequirement,
} from "../../index.ts";
import { EXIT, type Io } from "../io.ts";
import { showDiagnostics, type Texts } from "../report.ts";
import { cannotRead, exitOf } from "../sources.ts";

interface GateFileContext {
  readonly io: Io;
  readonly program: Program;
  readonly texts: Texts;
  readonly json: boolean;
}

export type GateOfFile =
  | { readonly program: Program; readonly gate: string; readonly exit?: undefined }
  | { readonly program?: undefined; readonly exit: number };

/** Adds the gate of a file to the program. It is like the gate `instead` with another requirement; without `instead` it has no subject. */
export function gateFromFile(context: GateFileContext, file: string, instead: string | undefined): GateOfFile {
  const { io, program, texts, json } = context;
  const said = (diagnostics: readonly Diagnostic[], exit: number): GateOfFile => {
    showDiagnostics(io, diagnostics, texts, json);
    return { exit };
  };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(io.read(file, DEFAULT_LIMITS.sourceBytes));
  } catch (error) {
    const unread = [cannotRead(file, error)];
    return said(unread, exitOf(unread));
  }
  try {
    const requirement: RetRequirement = gateFromJson(text);
    if (evaluateGate(requirement, {}) === true) throw new GateJsonError("$", REQUIRES_NOTHING);
    const gate = free(program, instead ?? file);
    const source = gateSource(program, requirement, {
      name: gate,
      ...(instead === undefined ? {} : { like: instead }),
    });
    texts.add([{ file, source }]);
    return { program: program.extend(source, { file }), gate };
  } catch (error) {
    if (error instanceof CompileError) return said(error.diagnostics, EXIT.fault);
    if (error instanceof GateJsonError) return said([wrongJson(file, error)], EXIT.fault);
    throw error;
  }
}

/** The message for an empty list, which is an error in rules too. */
const REQUIRES_NOTHING = "the requirement is empty, so it is always true; name a condition that must hold";

function free(program: Program, name: string): string {
  let one = `${name} (RET JSON)`;
  while (program.checked.symbols.gates.get(one) !== undefined) one += "'";
  return one;
}

function wrongJson(file: string, error: GateJsonError): Diagnostic {
  const at = { file, line: 1, column: 1, endLine: 1, endColumn: 1, severity: "error", code: "E542" } as const;
  return { ...at, message: error.message, hint: "docs/gates.md describes RET JSON" };
}
