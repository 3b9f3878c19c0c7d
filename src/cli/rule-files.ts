/** Finds folders, and the rule files below them. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the `.tsd` files below a folder, sorted; undefined when it is not a folder. Links to folders are not followed: they may lead out of it, or form a loop. */
export function filesBelow(path: string): string[] | undefined {
  if (path === "-" || !isFolder(path)) return undefined;
  const found: string[] = [];
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = join(folder, entry.name);
      if (!entry.isDirectory()) {
        if (entry.name.endsWith(".tsd")) found.push(name);
      } else if (entry.name !== "node_modules") waiting.push(name);
    }
  }
  return found.sort();
}
