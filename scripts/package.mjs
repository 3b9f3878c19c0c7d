// The package as it would be published: what is in it, and what publint and "are the types wrong" say about it.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { must } from "./run.mjs";

const list = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const parsed = JSON.parse(list);
const [{ files, size }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
const names = files.map(({ path }) => path).sort();

const allowed = /^(?:package\.json|README\.md|LICENSE|dist\/.+\.(?:js|d\.ts))$/u;
const needed = ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/cli/main.js"];
complain(
  "should not be in the package",
  names.filter((name) => !allowed.test(name)),
);
complain(
  "is missing in the package",
  needed.filter((name) => !names.includes(name)),
);
complain(
  "has no source and should be built anew",
  names.filter((name) => name.startsWith("dist/") && !existsSync(sourceOf(name))),
);
console.log(`${names.length} files, ${Math.round(size / 1000)} KB packed`);

must("publint --strict");
must("attw --pack . --profile esm-only --quiet");

function sourceOf(name) {
  return name.replace(/^dist\//u, "src/").replace(/(?:\.d)?\.(?:js|ts)$/u, ".ts");
}

function complain(what, found) {
  if (found.length === 0) return;
  for (const name of found) console.error(`${name} ${what}`);
  process.exit(1);
}
