// Installs the dependencies of the lock file (not with "npm ci", which refuses a lock file that lacks the optional binaries
// of platforms that a registry does not carry) when they are missing or older than the lock file; with --build also compiles to dist/.
// No package may run a script of its own: none needs to.
import { existsSync, statSync } from "node:fs";
import { must } from "./run.mjs";

const installed = "node_modules/.package-lock.json";
const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync("package-lock.json").mtimeMs;
if (!current) must("npm install --no-save --no-audit --no-fund --ignore-scripts");
if (process.argv.includes("--build")) must("node scripts/build.mjs");
