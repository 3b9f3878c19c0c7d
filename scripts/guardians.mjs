// Writes src/guardian/standard.ts from the .tsd files beside it, so that they are there without a file system; with
// --check says whether the file is current and changes nothing.
import { readFileSync, writeFileSync } from "node:fs";

const target = "src/guardian/standard.ts";
const text = readFileSync("src/guardian/standard.tsd", "utf8");
const generated = `// Generated from standard.tsd by \`node scripts/guardians.mjs\`; do not edit.
/** The guardians that come with the package, by the names they are used by. */
export const GUARDIANS: ReadonlyMap<string, string> = new Map([
  [
    "standard",
${text
  .trimEnd()
  .split("\n")
  .map((line) => `    ${JSON.stringify(`${line}\n`)}`)
  .join(" +\n")},
  ],
]);
`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== generated) {
    console.error(`${target} is not what standard.tsd gives: run "node scripts/guardians.mjs"`);
    process.exit(1);
  }
} else {
  writeFileSync(target, generated);
}
