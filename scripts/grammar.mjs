// Generates src/language/grammar.ts from grammar/tsd.ne; with --check says whether the file is current and changes nothing.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const target = "src/language/grammar.ts";
const nearleyc = createRequire(import.meta.url).resolve("nearley/bin/nearleyc.js");
const generated = execFileSync(process.execPath, [nearleyc, "grammar/tsd.ne"], { encoding: "utf8" })
  .replace(/^\/\/ http.*\n/mu, "// from grammar/tsd.ne by `npm run grammar`; do not edit.\n")
  .replace(/[ \t]+$/gmu, "")
  .replace("Lexer: lexer,", "Lexer: undefined,")
  .replace(/^export default grammar;$/mu, "export default grammar as Grammar;");

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== generated) {
    console.error(`${target} is not what grammar/tsd.ne gives: run "npm run grammar"`);
    process.exit(1);
  }
} else {
  writeFileSync(target, generated);
}
