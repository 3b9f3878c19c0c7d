// Installs the dependencies of the lock file (not with "npm ci", which refuses a lock file that lacks the optional binaries
// of platforms that a registry does not carry) when they are missing or older than the lock file; with --build also compiles to dist/.
// No package may run a script of its own: none needs to.
import { existsSync, rmSync, statSync, symlinkSync } from "node:fs";
import { must } from "./run.mjs";

const installed = "node_modules/.package-lock.json";
const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync("package-lock.json").mtimeMs;
if (!current) must("npm install --no-save --no-audit --no-fund --ignore-scripts");
if (process.argv.includes("--build")) {
  must("node scripts/build.mjs");
  linkCommand();
}

/**
 * Lets "npx sluice" find the command of this clone. Without the link npx installs the clone into its cache, once: if that happens before the
 * first build, the command is missing there for good. Windows needs no link: npx writes a script there.
 */
function linkCommand() {
  if (process.platform === "win32") return;
  const link = "node_modules/.bin/sluice";
  rmSync(link, { force: true });
  symlinkSync("../../dist/cli/main.js", link);
}
