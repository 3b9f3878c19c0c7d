// The declarations of the package, read by every TypeScript from 5.4 on, in every way in which modules are resolved, from
// CommonJS and from ES modules. The compilers are installed once below node_modules; where that is not possible, it says SKIPPED.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { unpack } from "./platforms.mjs";

const VERSIONS = ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "6.0", "7.0"];
const COMPILERS = resolve("node_modules/.typescript");
/** How many compilers run at the same time. */
const AT_ONCE = 2;

const RULES = `
  type Order(#num: string, total: number, note: string?)
  type Draft(#id: string, text: string, attempt: number = 0)
  action hold(num: string)
  rule "large" group "checks" { when o: Order(total > 1000) then hold(o.num) }
  query above(min: number) { o: Order(total > min) }
  gate "ship" for o: Order { require o.total < 100 }
  guardian "short" for d: Draft { check contract { need length(d.text) <= 20 as "too_long" do REGENERATE_DRAFT } }
  pipeline "request" for o: Order { otherwise FORWARD "clerk" }`;

/** Uses every entry. A line that must not compile says so: the compiler then demands that it does not. */
const USE = `
import { compile, guard, type Program, type RunResult, type SessionOf } from "sluice";
import { loadPlan, type SavedProgram } from "sluice/runtime";
import regex from "sluice/regex";
import { format, prove, textTree } from "sluice/tools";
import { fileAudit } from "sluice/node";
import type { Rules } from "./rules.js";

const program: Program = compile("type Order(#num: string)");
const session = program.session<Rules>({ audit: fileAudit("."), actions: { hold: (num: string) => num } });
const order = session.assert("Order", { num: "o1", total: 1 });
session.upsert("Order", { num: "o1", note: "later" });
session.gate("ship", order).outcome satisfies string;
session.verdict("short").verdict satisfies string;
session.decide("request", order).decision satisfies string;
session.whyNot("large", { o: "Order~o1" });
session.retract(order);
session.focus("checks");
session.on("fire", (fired) => fired.rule satisfies "large");
guard(session, "Draft~d1", () => ({ text: "short" }));
const result: RunResult = session.run();
const saved: SavedProgram = loadPlan(program.save(), { regex });
const loaded: SessionOf<Rules, SavedProgram> = saved.session<Rules>();
guard(loaded, "Draft~d1", () => ({ text: "short" }));
void [format, prove, textTree, result];

// @ts-expect-error there is no such gate
session.gate("shipp");
// @ts-expect-error its subjects are orders
session.gate("ship", "Draft~d1");
// @ts-expect-error there is no such guardian
session.verdict("shrt");
// @ts-expect-error there is no such pipeline
session.decide("requst", order);
// @ts-expect-error there is no such rule
session.whyNot("larg");
// @ts-expect-error the rule has no such variable
session.whyNot("large", { p: "Order~o1" });
// @ts-expect-error there is no such type
session.retract("Ordr~o1");
// @ts-expect-error there is no such group
session.focus("check");
// @ts-expect-error there is no such event
session.on("fired", () => {});
// @ts-expect-error the key must be given
session.upsert("Order", { note: "later" });
// @ts-expect-error there is no such field
session.upsert("Order", { num: "o1", notes: "later" });
// @ts-expect-error there is no such action
program.session<Rules>({ actions: { hodl: () => {} } });
`;

const CASES = [
  { module: "nodenext", moduleResolution: "nodenext", files: ["use.mts", "use.cts"] },
  { module: "node16", moduleResolution: "node16", files: ["use.mts", "use.cts"] },
  { module: "esnext", moduleResolution: "bundler", files: ["use.ts"] },
];

const root = mkdtempSync(join(tmpdir(), "sluice-types-"));
try {
  unpack(root);
  prepare();
  const missing = VERSIONS.filter((version) => !existsSync(compilerOf(version)));
  for (const version of missing) install(version);
  const runs = VERSIONS.flatMap((version) => CASES.map((one) => ({ version, ...one })));
  const open = [...runs];
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(open)));
} finally {
  rmSync(root, { recursive: true, force: true });
}

function prepare() {
  for (const file of ["use.mts", "use.cts", "use.ts"]) writeFileSync(join(root, file), USE);
  writeFileSync(join(root, "rules.tsd"), RULES);
  const cli = join(root, "node_modules/sluice/dist/cli/main.js");
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, "types", "rules.tsd"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) fail(`sluice types: ${stderr}`);
  writeFileSync(join(root, "rules.d.ts"), stdout);
}

async function work(open) {
  for (let next = open.pop(); next !== undefined; next = open.pop()) await check(next);
}

async function check({ version, module, moduleResolution, files }) {
  const compiler = compilerOf(version);
  if (!existsSync(compiler)) return;
  const name = `TypeScript ${version}, ${moduleResolution}, ${files.join(" and ")}`;
  const config = join(root, `tsconfig-${version}-${moduleResolution}.json`);
  const compilerOptions = {
    ...{ module, moduleResolution, target: "es2022", lib: ["es2023"], types: [], strict: true, noEmit: true },
    ...{ exactOptionalPropertyTypes: true, skipDefaultLibCheck: true },
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { status, out } = await finished(spawn(process.execPath, [compiler, "-p", config], { cwd: root }));
  if (status !== 0) fail(`${name}\n${out}`);
  console.log(`ok ${name}`);
}

function compilerOf(version) {
  return join(COMPILERS, version, "node_modules/typescript/bin/tsc");
}

function install(version) {
  const folder = join(COMPILERS, version);
  mkdirSync(folder, { recursive: true });
  const args = [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    `typescript@${version}`,
  ];
  const { status } = spawnSync("npm", args, { stdio: "ignore", timeout: 120_000 });
  if (status !== 0) console.log(`SKIPPED TypeScript ${version}: it could not be installed here`);
}

function finished(child) {
  let out = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (out += data));
  return new Promise((done) => child.on("close", (status) => done({ status, out })));
}

function fail(words) {
  console.error(`FAIL ${words}`);
  rmSync(root, { recursive: true, force: true });
  process.exit(1);
}
