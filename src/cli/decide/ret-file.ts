/** Reads the RET document of `--gate-json`. */
import {
  CompileError,
  DEFAULT_LIMITS,
  type Diagnostic,
  evaluateGate,
  flowFromJson,
  GateJsonError,
  gatesFromJson,
  placeInJson,
  type RetFlow,
  type RetGate,
} from "../../index.ts";
import { EXIT, type Io } from "../io.ts";
import { type Place, showDiagnostics, type Texts } from "../report.ts";
import { cannotRead, exitOf } from "../sources.ts";

export interface RetFileContext {
  readonly io: Io;
  readonly texts: Texts;
  readonly json: boolean;
}

/** The gates of a document; with the flow when it has `advance_to`. */
export interface RetDocument {
  readonly file: string;
  readonly text: string;
  readonly gates: readonly RetGate[];
  readonly flow: RetFlow | undefined;
}

/** Does something with the document of a file; returns an exit code when the document, or what is made of it, has mistakes. */
export function withDocument<Result>(
  { io, texts, json }: RetFileContext,
  file: string,
  /** The names of the conditions that exist; undefined: every name is accepted. */
  conditions: Iterable<string> | undefined,
  work: (document: RetDocument) => Result,
): { readonly result: Result; readonly exit?: undefined } | { readonly exit: number } {
  const said = (diagnostics: readonly Diagnostic[], exit: number): { readonly exit: number } => {
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
  texts.add([{ file, source: text }]);
  try {
    const document = { file, text, ...documentOf(text, conditions === undefined ? {} : { conditions }) };
    const warnings = document.flow?.warnings ?? [];
    said(
      warnings.map((message) => ({
        ...placeIn({ file, text }, "$", "advance_to"),
        severity: "warning",
        code: "W245",
        message,
        hint: DEFAULT_HINT,
      })),
      EXIT.fine,
    );
    return { result: work(document) };
  } catch (error) {
    if (error instanceof CompileError) return said(error.diagnostics, EXIT.fault);
    if (error instanceof GateJsonError) return said([wrongJson({ file, text }, error)], EXIT.fault);
    throw error;
  }
}

const DEFAULT_HINT = 'add a "default", or a branch for each outcome';

function documentOf(
  text: string,
  options: { readonly conditions?: Iterable<string> },
): Pick<RetDocument, "gates" | "flow"> {
  const flow = isStage(text) ? flowFromJson(text, options) : undefined;
  const gates = flow === undefined ? gatesFromJson(text, options) : flow.gates;
  for (const [index, { name, requirement }] of gates.entries()) {
    const about = name === undefined ? "the requirement" : `the requirement of "${name}"`;
    if (evaluateGate(requirement, {}) === true)
      throw new GateJsonError(requirementPath(text, index), `${about} ${REQUIRES_NOTHING}`);
  }
  return { gates, flow };
}

/** The message for an empty list, which is an error in rules too. */
const REQUIRES_NOTHING = "is empty, so it is always true; name a condition that must hold";

function isStage(text: string): boolean {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null && Object.hasOwn(document, "advance_to");
  } catch {
    return false; // reading it as gates says what is wrong
  }
}

function wrongJson(document: Pick<RetDocument, "file" | "text">, error: GateJsonError): Diagnostic {
  const place = error.place === undefined ? {} : error.place;
  const at = { ...placeIn(document, error.path, error.key), ...place };
  return { ...at, severity: "error", code: "E542", message: error.message, hint: HINT };
}

const HINT = "docs/gates.md describes RET JSON";

// ---------------------------------------------------------------- places

/** Returns the place of the value at a path of the document, or of one of its keys; the start when there is none. */
export function placeIn({ file, text }: Pick<RetDocument, "file" | "text">, path: string, key?: string): Place {
  const place = placeInJson(text, path, key);
  return { file, ...(place ?? { line: 1, column: 1, endLine: 1, endColumn: 1 }) };
}

/** Returns the path of the requirement of a gate, counted in the document. */
export function requirementPath(text: string, index: number): string {
  const has = (path: string): boolean => placeInJson(text, path) !== undefined;
  const list = has("$.gates") ? "$.gates" : "$";
  const gate = has(`${list}[${index}]`) ? `${list}[${index}]` : list;
  return has(`${gate}.requirement`) ? `${gate}.requirement` : gate;
}
