// The package as it would be published: what is in it, and what publint and "are the types wrong" say about it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { ENTRIES } from "./bundle.mjs";
import { must } from "./run.mjs";

const list = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const parsed = JSON.parse(list);
const [{ files, size }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
const names = files.map(({ path }) => path).sort();

/** Bundles are broken into lines of 160 characters; only a string that is longer makes a longer line. */
const LONGEST_LINE = 1000;

const allowed =
  /^(?:package\.json|(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|docs\/.+\.md|dist\/.+\.(?:js|js\.map|d\.ts|json|txt))$/u;
const entries = Object.keys(ENTRIES).flatMap((name) => [
  `dist/${name}.js`,
  `dist/${name}.js.map`,
  `dist/cjs/${name}.js`,
]);
const declarations = Object.values(JSON.parse(readFileSync("package.json", "utf8")).exports)
  .flatMap((conditions) => Object.values(conditions))
  .flatMap(({ types }) => types?.replace("./", "") ?? []);
const needed = ["package.json", "README.md", "LICENSE", "dist/cli/main.js", ...entries, ...declarations];
complain(
  "should not be in the package",
  names.filter((name) => !allowed.test(name)),
);
complain(
  "is missing in the package",
  needed.filter((name) => !names.includes(name)),
);
complain(
  "awaits when it is loaded, which require() refuses",
  names.filter((name) => /^dist\/.+\.js$/u.test(name) && topLevelAwait(name)),
);
complain(
  "has a line that is too long: Node prints the line of an uncaught error",
  names.filter((name) => /^dist\/.+\.js$/u.test(name) && longestLine(name) > LONGEST_LINE),
);
complain(
  "imports the types of a package that is not installed with this one",
  names.filter((name) => name.endsWith(".d.ts") && importsPackage(name)),
);
console.log(`${names.length} files, ${Math.round(size / 1000)} KB packed`);

must("publint --strict");
must("attw --pack . --profile node16 --quiet"); // older resolution knows no "exports"

function longestLine(name) {
  return Math.max(
    ...readFileSync(name, "utf8")
      .split("\n")
      .map((line) => line.length),
  );
}

/** What awaits at the top level cannot be written in another format than ES modules. */
function topLevelAwait(name) {
  try {
    transformSync(readFileSync(name, "utf8"), { format: "cjs", logLevel: "silent" });
    return false;
  } catch {
    return true;
  }
}

/** A declaration may import its neighbours and Node; everything else is bundled, and its types are not there. */
function importsPackage(name) {
  return /^(?:import|export)\b[^;]*\bfrom "(?!\.|node:)/mu.test(readFileSync(name, "utf8"));
}

function complain(what, found) {
  if (found.length === 0) return;
  for (const name of found) console.error(`${name} ${what}`);
  process.exit(1);
}
