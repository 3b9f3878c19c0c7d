// Compiles src/ to dist/. The generated grammar must be current.
import { chmodSync, rmSync } from "node:fs";
import { must } from "./run.mjs";

must("node scripts/grammar.mjs --check");
must("node scripts/guardians.mjs --check");
rmSync("dist", { recursive: true, force: true });
must("tsc -p tsconfig.json");
chmodSync("dist/cli/main.js", 0o755);
