/** Installs the peers into their own folder, when one of them is not there yet. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson, ROOT } from "../lib/files.ts";

const FOLDER = join(ROOT, "bench/peers");

export function installPeers(): void {
  const wanted = Object.keys(peerVersions());
  if (wanted.every((name) => existsSync(join(FOLDER, "node_modules", name)))) return;
  process.stderr.write("installing the peers into bench/peers …\n");
  const { status } = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.stderr.write("the peers could not be installed: their rows will say so\n");
}

/** What is installed; the folder asks for exact versions. */
export function peerVersions(): Readonly<Record<string, string>> {
  return (readJson("bench/peers/package.json") as { dependencies: Record<string, string> }).dependencies;
}
