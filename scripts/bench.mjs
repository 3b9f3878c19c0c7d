// Compiles src/ and bench/ to dist-bench/ and runs benchmarks: npm run bench -- workloads manners --json
import { must } from "./run.mjs";

must("tsc -p tsconfig.bench.json");
must(
  `node dist-bench/bench/lib/main.js ${process.argv
    .slice(2)
    .map((word) => JSON.stringify(word))
    .join(" ")}`,
);
