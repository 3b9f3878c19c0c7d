// The package as it is published, on every platform that it names: each makes a decision with the packed files. What a machine
// cannot provide is reported as SKIPPED.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";

/** The program of the decision; `matches` makes it need regular expressions. */
export const RULES = `
  type Release(#id: string, owner: string)
  type Approval(#release: string, #by: string, ok: bool)
  rule "ours" { when r: Release(owner matches "^team-") then log(r.id) }
  condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.by == who)
  gate ship for r: Release { require approved(r, "bob") }`;

/** Decides with what is given: `compile` of sluice, or `loadPlan` of sluice/runtime. Returns a line of text. */
export const DECIDE = `
  function decide(session) {
    session.assert("Release", { id: "r1", owner: "team-a" });
    const before = session.gate("ship").outcome;
    session.assert("Approval", { release: "r1", by: "bob", ok: true });
    return before + " " + session.gate("ship").outcome + " " + session.run().effects.map(({ args }) => args).join();
  }`;

export const WANTED = "hold pass r1";

const NODE_FLAGS = ["--disallow-code-generation-from-strings"];

const USES = {
  esm: `
    import { compile } from "sluice";
    import { loadPlan } from "sluice/runtime";
    import regex from "sluice/regex";
    import { format, textTree } from "sluice/tools";
    import { importReader } from "sluice/node";
    ${DECIDE}
    const program = compile(${JSON.stringify(RULES)}, { read: importReader(["."]) });
    const answers = [decide(program.session()), decide(loadPlan(program.save(), { regex }).session())];
    if (typeof format !== "function" || typeof textTree !== "function") throw new Error("sluice/tools");
    console.log(answers.join("|"));`,
  cjs: `
    const { compile, CompileError } = require("sluice");
    const { loadPlan } = require("sluice/runtime");
    const { default: regex } = require("sluice/regex");
    const { format, textTree } = require("sluice/tools");
    const { importReader } = require("sluice/node");
    ${DECIDE}
    const program = compile(${JSON.stringify(RULES)}, { read: importReader(["."]) });
    const answers = [decide(program.session()), decide(loadPlan(program.save(), { regex }).session())];
    if (typeof format !== "function" || typeof textTree !== "function") throw new Error("sluice/tools");
    import("sluice").then((module) => {
      if (module.CompileError !== CompileError) throw new Error("require and import give two copies");
      console.log(answers.join("|"));
    });`,
};
const BOTH = `${WANTED}|${WANTED}`;

if (process.argv[1] === resolve("scripts/platforms.mjs")) await main();

async function main() {
  const root = mkdtempSync(join(tmpdir(), "sluice-platforms-"));
  try {
    unpack(root);
    writeFileSync(join(root, "use.mjs"), USES.esm);
    writeFileSync(join(root, "use.cjs"), USES.cjs);
    ran("import in Node", root, process.execPath, [...NODE_FLAGS, "use.mjs"]);
    ran("require in Node", root, process.execPath, [...NODE_FLAGS, "--trace-warnings", "use.cjs"]);
    await bundles(root);
    other("Bun", root, binaryOf("bun", "@oven/bun", "bin/bun"), [["use.mjs"], ["use.cjs"]]);
    const permitted = ["run", "--no-remote", "--node-modules-dir=manual", "--allow-read", "--allow-env"];
    other("Deno", root, binaryOf("deno", "@deno", "deno"), [
      [...permitted, "use.mjs"],
      [...permitted, "use.cjs"],
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Unpacks the package, or one of the others by its folder, below node_modules of a folder, as npm would. */
export function unpack(root, from = ".") {
  const { name } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const home = join(root, "node_modules", name);
  mkdirSync(home, { recursive: true });
  const quiet = { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8", cwd: from };
  const listed = JSON.parse(
    execFileSync(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--workspaces=false", "--pack-destination", root],
      quiet,
    ),
  );
  const [{ filename }] = Array.isArray(listed) ? listed : Object.values(listed);
  execFileSync("tar", ["-xzf", join(root, filename), "-C", home, "--strip-components=1"]);
  writeFileSync(join(root, "package.json"), '{ "private": true }\n');
}

/** Bundles that know no modules: a script in a page or a classic service worker, and CommonJS. */
async function bundles(root) {
  const contents = `
    import { compile } from "sluice";
    ${DECIDE}
    globalThis.answer = decide(compile(${JSON.stringify(RULES)}).session());`;
  for (const format of ["iife", "cjs"]) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root, loader: "js" },
      bundle: true,
      format,
      platform: "browser",
      minify: true,
      write: false,
      logLevel: "error",
    });
    const web = { TextEncoder, performance, WebAssembly, AbortController, queueMicrotask, setTimeout, clearTimeout };
    const sandbox = { ...web, module: { exports: {} } };
    runInNewContext(outputFiles[0].text, sandbox, { contextCodeGeneration: { strings: false, wasm: false } });
    told(`${format} bundle`, sandbox.answer, WANTED);
  }
}

function ran(name, root, command, args) {
  const { stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", timeout: 60_000 });
  told(name, `${stdout}${stderr}`.trim(), BOTH);
}

function other(name, root, binary, uses) {
  if (binary === undefined) {
    console.log(`SKIPPED ${name}: this machine has no binary of it. Run "npm install" where its package is available`);
    return;
  }
  for (const args of uses) ran(`${args.at(-1) === "use.cjs" ? "require" : "import"} in ${name}`, root, binary, args);
}

/** The program in the package for this platform: packages run no script when they are installed, so nothing copied it. */
function binaryOf(name, scope, path) {
  const require = createRequire(resolve("package.json"));
  try {
    const { optionalDependencies = {} } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), "utf8"));
    return Object.keys(optionalDependencies)
      .filter((one) => one.startsWith(scope))
      .map((one) => resolve("node_modules", one, process.platform === "win32" ? `${path}.exe` : path))
      .find((file) => existsSync(file));
  } catch {
    return undefined;
  }
}

function told(name, said, wanted) {
  if (said === wanted) return console.log(`ok ${name}`);
  console.error(`FAIL ${name}: it said ${JSON.stringify(said)}, and should have said ${JSON.stringify(wanted)}`);
  process.exit(1);
}
