/** Files of the repository, wherever the compiled benchmark lies. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  return existsSync(join(folder, "package-lock.json")) ? folder : rootAbove(dirname(folder));
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function readJson(path: string): unknown {
  return JSON.parse(readText(path));
}
