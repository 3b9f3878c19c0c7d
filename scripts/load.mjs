// A million mixed calls by a hundred concurrent clients of one session: compares what was acknowledged with what is there, and shows
// the heap after each tenth.
//   node scripts/load.mjs [calls] [clients]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [calls = "1000000", clients = "100"] = process.argv.slice(2);

if (globalThis.gc === undefined) {
  const { status } = spawnSync(process.execPath, ["--expose-gc", ...process.argv.slice(1)], { stdio: "inherit" });
  process.exit(status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), "sluice-load-"));
try {
  const outfile = join(folder, "load.mjs");
  await build({ entryPoints: ["test/support/shared-load.ts"], bundle: true, format: "esm", platform: "node", outfile });
  const { sharedLoad } = await import(pathToFileURL(outfile).href);
  const { heap, ...report } = await sharedLoad(Number(calls), Number(clients));
  const mebibytes = heap.map((bytes) => (bytes / 2 ** 20).toFixed(1));
  console.log({ ...report, heap: mebibytes.join(" ") + " MiB" });
  const grew = heap.length > 0 && heap.at(-1) > 1.5 * heap[1];
  if (grew) console.error("the heap grows");
  if (grew || report.wrong.length > 0 || report.paidTwice > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
