/** Progress while benchmarks run: one line on a terminal that is always the newest, nothing when nobody watches. */
import type { Row } from "./benchmark.ts";
import type { Watcher } from "./measure.ts";

export function watcherFor(cases: number, each: (row: Row) => void = () => undefined): Watcher {
  const terminal = process.stderr.isTTY;
  let done = 0;
  return {
    begun: ({ work, size, engine }, round, processes) => {
      const words = `${done} of ${cases} done · ${work} ${size.toLocaleString("en")} on ${engine}`;
      if (terminal) process.stderr.write(`\r${words}, process ${round} of ${processes} …\u001b[K`);
    },
    done: (row) => {
      done++;
      if (terminal) process.stderr.write("\r\u001b[K");
      each(row);
    },
  };
}
