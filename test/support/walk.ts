/**
 * Follows a walk through the code: which of some functions are called, and in which order, while something runs. The debugger of
 * this process stops nowhere: a breakpoint at the beginning of each function only notes that it was reached. The product knows
 * nothing of it.
 */
import { type Debugger, Session } from "node:inspector";

/** A function of the product: `{ file: "rete/network.ts", name: "add" }`, or `Table.find` where several classes have one. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** A function does something in so many lines from its first. */
const LONGEST_BEGINNING = 20;

type Noting = { sluiceWalk?: number[] };

/** The index of each place when it was first reached, in order; places that were not reached are left out. */
export function followed(places: readonly Place[], work: () => void): number[] {
  const session = new Session();
  session.connect();
  const scripts: Debugger.ScriptParsedEventDataType[] = [];
  session.on("Debugger.scriptParsed", ({ params }) => scripts.push(params));
  const ask = (method: string, params: object = {}): unknown => answerOf(session, method, params);
  const notes: number[] = [];
  (globalThis as Noting).sluiceWalk = notes;
  try {
    ask("Debugger.enable");
    for (const [index, place] of places.entries()) {
      const script = scripts.findLast(({ url }) => url.endsWith(`/src/${place.file}`));
      if (script === undefined) throw new Error(`src/${place.file} is not loaded`);
      const { scriptId } = script;
      const { scriptSource } = ask("Debugger.getScriptSource", { scriptId }) as Debugger.GetScriptSourceReturnType;
      const start = beginningOf(place, scriptSource);
      // Without an end, V8 compiles every function of the file to answer.
      const end = { scriptId, lineNumber: start.lineNumber + LONGEST_BEGINNING, columnNumber: 0 };
      const asked = { start: { scriptId, ...start }, end };
      const { locations } = ask("Debugger.getPossibleBreakpoints", asked) as Debugger.GetPossibleBreakpointsReturnType;
      const [location] = locations;
      if (location === undefined) throw new Error(`nothing is done in ${place.name} of src/${place.file}`);
      ask("Debugger.setBreakpoint", { location, condition: `(globalThis.sluiceWalk.push(${index}), false)` });
    }
    work();
    return [...new Set(notes)];
  } finally {
    delete (globalThis as Noting).sluiceWalk;
    session.disconnect();
  }
}

/** The inspector of this process answers before `post` returns. */
function answerOf(session: Session, method: string, params: object): unknown {
  let answer: unknown;
  session.post(method, params, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

/** The end of the line in which a function or method of the name begins. */
function beginningOf({ file, name }: Place, source: string): { lineNumber: number; columnNumber: number } {
  const lines = source.split("\n");
  const [method = "", owner] = name.split(".").toReversed();
  const from = owner === undefined ? 0 : lines.findIndex((line) => new RegExp(`class ${owner}\\b`, "u").test(line));
  const head = new RegExp(`^\\s*(?:export |async |static |get |function\\*? ?)*\\*?${method}\\(.*\\{$`, "u");
  const lineNumber = from < 0 ? -1 : lines.findIndex((line, index) => index >= from && head.test(line));
  if (lineNumber < 0) throw new Error(`there is no function ${name} in src/${file}`);
  return { lineNumber, columnNumber: lines[lineNumber]?.length ?? 0 };
}
