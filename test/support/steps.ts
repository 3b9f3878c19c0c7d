/**
 * Counts the steps that a piece of work takes: how often each block of our own code runs, as V8 counts it. The product
 * knows nothing of it, the number is the same on every machine, and a loop counts as often as it turns.
 */
import { Session } from "node:inspector";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

const OWN = /\/src\/[a-z]+\//u;

const session = new Session();
let connected = false;

/** The inspector of this process answers before `post` returns. */
function ask(method: string, params: object = {}): unknown {
  let answer: unknown;
  session.post(method, params, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

/** Starts counting for this file, and gives how to stop. */
export function startCounting(): () => void {
  if (!connected) session.connect();
  connected = true;
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return () => {
    ask("Profiler.stopPreciseCoverage");
    ask("Profiler.disable");
  };
}

function taken(): { result: { url: string; functions: { ranges: Range[] }[] }[] } {
  return ask("Profiler.takePreciseCoverage") as ReturnType<typeof taken>;
}

/** How many blocks ran since this was last asked. It takes some milliseconds, so it is asked once for each piece of work. */
export function stepsTaken(): number {
  let steps = 0;
  for (const { url, functions } of taken().result) {
    if (!OWN.test(url)) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}
