/** Counts the steps that the engine takes: how often its functions and their blocks are executed. No clock is involved. */
import { Session, type Profiler } from "node:inspector";

let counting: Session | undefined;

/** Blocks of `src/` executed while the work is done. */
export function executedBlocks(work: () => void): number {
  if (counting === undefined) {
    counting = new Session();
    counting.connect();
    counting.post("Profiler.enable");
    counting.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }
  taken(counting); // counting begins again at 0
  work();
  return taken(counting);
}

function taken(inspector: Session): number {
  let total = 0;
  inspector.post("Profiler.takePreciseCoverage", (_error, { result }) => (total = blocksOf(result)));
  return total;
}

function blocksOf(scripts: readonly Profiler.ScriptCoverage[]): number {
  let total = 0;
  for (const { url, functions } of scripts) {
    if (url.includes("/src/")) for (const { ranges } of functions) for (const { count } of ranges) total += count;
  }
  return total;
}
