// Finds a Chromium to test with; where there is none and Debian's packages can be installed, installs it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Installing gives up after so long: without a network apt would try for ever. */
const PATIENCE = 240_000;

/** The path of the program, or undefined with a word on why there is none. */
export function findChromium() {
  const found = onPath(NAMES);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || onPath(["apt-get"]) === undefined) {
    console.error("there is no Chromium on this machine, and it cannot be installed here without root and apt-get");
    return undefined;
  }
  console.error("installing Chromium from Debian's packages");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => {
    const waits = ["DPkg::Lock::Timeout=120", "Acquire::Retries=1", "Acquire::http::Timeout=20"];
    const all = [...waits.flatMap((one) => ["-o", one]), "-qq", ...args];
    return spawnSync("apt-get", all, { stdio: ["ignore", "ignore", "inherit"], env, timeout: PATIENCE }).status;
  };
  if (apt("install", "-y", "chromium") !== 0 && apt("update") === 0) apt("install", "-y", "chromium");
  const installed = onPath(NAMES);
  if (installed === undefined) console.error("Chromium could not be installed");
  return installed;
}

function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
