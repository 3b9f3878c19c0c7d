// Builds dist/: the bundled entries, the command line, and the declarations; and dist/ of each package below packages/. The
// generated grammar must be current.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleEntries, placeDeclarations, writeCommonJs } from "./bundle.mjs";
import { must } from "./run.mjs";

must("node scripts/grammar.mjs --check");
must("node scripts/guardians.mjs --check");
rmSync("dist", { recursive: true, force: true });
const folder = mkdtempSync(join(tmpdir(), "sluice-declarations-"));
try {
  must(`tsc -p tsconfig.json --emitDeclarationOnly --outDir ${JSON.stringify(folder)}`);
  await bundleEntries();
  writeCommonJs();
  placeDeclarations(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
chmodSync("dist/cli/main.js", 0o755);
for (const name of readdirSync("packages")) {
  rmSync(`packages/${name}/dist`, { recursive: true, force: true });
  must(`tsc -p packages/${name}/tsconfig.json`);
}
