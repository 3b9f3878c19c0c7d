// The packages below packages/ as they would be published: what is in them, what publint and "are the types wrong" say, and that they
// work beside the packed core. Without them, the core says what to install.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpack } from "./platforms.mjs";
import { must } from "./run.mjs";

const ALLOWED = /^(?:package\.json|README\.md|LICENSE|dist\/[\w-]+\.(?:js|d\.ts))$/u;
const NEEDED = ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"];
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

for (const name of readdirSync("packages")) {
  const folder = `packages/${name}`;
  const about = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  if (about.version !== version) fail(`${about.name} has version ${about.version}; the core has ${version}`);
  const names = filesOf(folder);
  const wrong = names.filter((one) => !ALLOWED.test(one));
  const missing = NEEDED.filter((one) => !names.includes(one));
  if (wrong.length > 0) fail(`${wrong.join(", ")} should not be in ${about.name}`);
  if (missing.length > 0) fail(`${missing.join(", ")} is missing in ${about.name}`);
  must(`publint --strict ${folder}`);
  must(`attw --pack ${folder} --profile esm-only --quiet`);
}

const root = mkdtempSync(join(tmpdir(), "sluice-packages-"));
try {
  unpack(root);
  tables(root);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Exports a table from the installed core, and imports it again. */
function tables(root) {
  const table = `table rate(tier: string) first {
    | tier    || rate: number |
    | "=gold" || 0.5          |
    | -       || 0            |
}\n`;
  writeFileSync(join(root, "rules.tsd"), table);
  const exporting = ["table", "export", "rules.tsd", "rate", "-o", "rate.xlsx"];
  const without = ran(root, exporting);
  if (without.status !== 2 || !without.stderr.includes("npm install @sluice/tables"))
    fail(`without @sluice/tables: exit ${without.status}, ${without.stderr}`);
  unpack(root, "packages/tables");
  const written = ran(root, exporting);
  if (written.status !== 0) fail(`export: ${written.stderr}`);
  const { stdout, stderr } = ran(root, ["table", "import", "rate.xlsx", "rules.tsd"]);
  if (stdout !== table) fail(`import: ${JSON.stringify(stdout)} ${stderr}`);
  console.log("ok @sluice/tables beside the packed core");
}

function ran(root, args) {
  const cli = join(root, "node_modules/sluice/dist/cli/main.js");
  return spawnSync(process.execPath, [cli, ...args], { cwd: root, encoding: "utf8", timeout: 60_000 });
}

function filesOf(folder) {
  const quiet = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const list = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], quiet));
  const [{ files }] = Array.isArray(list) ? list : Object.values(list);
  return files.map(({ path }) => path);
}

function fail(words) {
  console.error(`FAIL ${words}`);
  process.exit(1);
}
