// Compiles src/ and bench/ to dist-bench/ and runs a program of bench/lib there with the remaining words:
//   node scripts/bench.mjs main workloads --json
import { spawnSync } from "node:child_process";
import { must } from "./run.mjs";

const [program, ...words] = process.argv.slice(2);
must("tsc -p tsconfig.bench.json");
const { status } = spawnSync(process.execPath, [`dist-bench/bench/lib/${program}.js`, ...words], { stdio: "inherit" });
process.exit(status ?? 1);
