/** Finds the rule files below a folder. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sorted; undefined when it is no folder. Links to folders are not followed: they may lead out, or round in a circle. */
export function filesBelow(path: string): string[] | undefined {
  if (path === "-" || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
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
