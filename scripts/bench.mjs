// Compiles src/ and bench/ to dist-bench/ and runs one benchmark: npm run bench -- parse
import { existsSync } from "node:fs";
import { must } from "./run.mjs";

const [name = "parse"] = process.argv.slice(2);
if (!existsSync(`bench/${name}.ts`)) {
  console.error(`there is no bench/${name}.ts`);
  process.exit(2);
}
must("tsc -p tsconfig.bench.json");
must(`node --expose-gc dist-bench/bench/${name}.js`);
