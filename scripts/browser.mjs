// The library in a browser: bundles it, says how large it is, and runs it in headless Chromium under a strict content
// security policy. `--update` writes the sizes to docs/limits.md. Where no Chromium can be had it says so, and does not fail.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { COMMON } from "./bundle.mjs";
import { findChromium } from "./chromium.mjs";
import { DECIDE, RULES, WANTED as DECIDED } from "./platforms.mjs";

const DOCUMENT = "docs/limits.md";
/** So much may a size differ from what the document says, in either direction. */
const TOLERANCE = 0.1;

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'";
/** The milliseconds that the browser may take until the page has answered. */
const PATIENCE = 90_000;
const PAGE = '<!doctype html><meta charset="utf-8"><title>Sluice</title><script type="module" src="/app.js"></script>';
const APP = `
  import { compile } from "./src/index.ts";
  const say = (words) => fetch("/answer", { method: "POST", body: JSON.stringify(words) });
  try {
    const program = compile(${JSON.stringify(`
      type Person(#id: string, name: string, age: number)
      type Order(#num: string, buyer: Person, total: number)
      type Approval(#order: string, #by: string, ok: bool)
      rule "grown up" { when p: Person(age > 18, name matches "^A") o: Order(buyer == p) then log(p.name) }
      condition approved(o: Order, who: string) : a.ok from a: Approval(a.order == o.num, a.by == who)
      gate ship for o: Order { require o.total < 100 and approved(o, "bob") }
    `)});
    const session = program.session();
    const ann = session.assert("Person", { id: "a", name: "Ann", age: 30 });
    session.assert("Person", { id: "b", name: "Bob", age: 40 });
    session.assert("Order", { num: "1", buyer: ann, total: 3 });
    const matches = session.matches("grown up").map(({ bindings }) => bindings.p.id + " " + bindings.o.id);
    let codeFromText = "allowed";
    try { (0, eval)("1"); } catch { codeFromText = "refused"; }
    const effects = session.run().effects.map((effect) => effect.args[0]);
    const { outcome: before, missing } = session.gate("ship", "Order~1");
    session.assert("Approval", { order: "1", by: "bob", ok: true });
    const { outcome: after } = session.gate("ship");
    const why = session.why(session.gate("ship")).outcome;
    const worker = await answerOf((ready) => {
      const started = new Worker("/worker.js", { type: "module" });
      started.onmessage = ready;
    });
    const { active, installing, waiting } = await navigator.serviceWorker.register("/service-worker.js");
    const serviceWorker = await answerOf((ready) => {
      navigator.serviceWorker.onmessage = ready;
      (active ?? installing ?? waiting).postMessage("decide");
    });
    say({ matches, effects, gate: [before, missing[0].text.slice(0, 8), after, why], codeFromText, worker, serviceWorker });
  } catch (error) { say({ error: String(error) }); }
  function answerOf(start) {
    return new Promise((done) => start(({ data }) => done(data)));
  }
`;
const DECISION = `
  import { compile } from "./src/index.ts";
  ${DECIDE}
  const answer = () => decide(compile(${JSON.stringify(RULES)}).session());`;
/** A worker that is a module, and a service worker that is a classic script: the oldest kind, without modules. */
const WORKER = `${DECISION}\n postMessage(answer());`;
const SERVICE_WORKER = `${DECISION}\n addEventListener("message", ({ source }) => source.postMessage(answer()));`;
const WANTED = {
  matches: ["Person~a Order~1"],
  effects: ["Ann"],
  gate: ["hold", "approved", "pass", "true"],
  codeFromText: "refused",
  worker: DECIDED,
  serviceWorker: DECIDED,
};

await checkSizes();
await checkInBrowser();

async function checkSizes() {
  const whole = await sizeOf('export * from "./src/index.ts";');
  const core = await sizeOf('export { compile } from "./src/index.ts";');
  const runtime = await sizeOf('export { loadPlan } from "./src/runtime.ts";');
  const rows = [row("everything", whole), row("`compile` and sessions alone", core), row("`sluice/runtime`", runtime)];
  for (const line of rows) console.log(line);
  const text = readFileSync(DOCUMENT, "utf8");
  if (process.argv.includes("--update")) {
    const [first, second, third] = rows;
    const updated = text
      .replace(/^\| everything .*$/mu, first)
      .replace(/^\| `compile` and sessions alone .*$/mu, second)
      .replace(/^\| `sluice\/runtime` .*$/mu, third);
    writeFileSync(DOCUMENT, updated);
    return;
  }
  const sizes = { everything: whole, "`compile` and sessions alone": core, "`sluice/runtime`": runtime };
  for (const [name, { gzip }] of Object.entries(sizes)) {
    const line = text.split("\n").find((one) => one.startsWith(`| ${name} `));
    const told = Number(line?.split("|")[3]?.replace("KB", ""));
    if (!(Math.abs(gzip / 1000 - told) <= told * TOLERANCE)) {
      console.error(
        `${DOCUMENT} says ${told} KB for ${name}; it is ${kilobytes(gzip)}: run "node scripts/browser.mjs --update"`,
      );
      process.exit(1);
    }
  }
}

async function sizeOf(contents) {
  const bytes = await bundle(contents);
  return { bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

async function bundle(contents, format = "esm") {
  const { outputFiles } = await build({
    ...COMMON,
    stdin: { contents, resolveDir: process.cwd(), loader: "js" },
    minify: true,
    format,
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

function row(name, { bytes, gzip }) {
  return `| ${name.padEnd(28)} | ${kilobytes(bytes).padEnd(8)} | ${kilobytes(gzip).padEnd(6)} |`;
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} KB`;
}

async function checkInBrowser() {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log("NOT TRIED IN A BROWSER: there is no Chromium here; the sizes above were checked, the policy was not");
    return;
  }
  const scripts = new Map([
    ["/app.js", await bundle(APP)],
    ["/worker.js", await bundle(WORKER)],
    ["/service-worker.js", await bundle(SERVICE_WORKER, "iife")],
  ]);
  const { server, answer } = await serve(scripts);
  const folder = mkdtempSync(join(tmpdir(), "sluice-browser-"));
  const browser = spawn(chromium, [...flags(folder), `http://127.0.0.1:${server.address().port}/`], {
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((done) => browser.on("close", done));
  const said = await Promise.race([answer, ended.then(() => "nothing: the browser ended"), late()]);
  stopAll(browser);
  await ended;
  server.closeAllConnections();
  server.close();
  await removeProfile(folder);
  if (said !== JSON.stringify(WANTED)) {
    console.error(`in the browser it said ${said}\nbut should have said ${JSON.stringify(WANTED)}`);
    process.exit(1);
  }
  console.log(`in Chromium, under "${POLICY}": ${said}`);
}

/** Stops the browser and the processes that it started, which are a group of their own. */
function stopAll(browser) {
  try {
    process.kill(-browser.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Removes the profile. A process that is still ending may write into it once more, which is no fault of what was checked. */
async function removeProfile(folder) {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  console.error(`the browser's profile ${folder} could not be removed`);
}

/** Serves the page and its scripts. `answer` is what the page posts. */
async function serve(scripts) {
  let answered;
  const answer = new Promise((done) => (answered = done));
  const server = createServer((request, response) => {
    const script = scripts.get(request.url);
    const [type, body] = script === undefined ? ["text/html", PAGE] : ["text/javascript", script];
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body);
    if (request.method === "POST") void text(request).then(answered);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, answer };
}

function late() {
  return new Promise((done) => setTimeout(done, PATIENCE, `nothing within ${PATIENCE / 1000} s`).unref());
}

function flags(folder) {
  return [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    `--user-data-dir=${folder}`,
  ];
}
