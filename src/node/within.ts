/** Keeps paths that a program names inside the folders that it may use. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * The real path of a file below one of the folders, links resolved; undefined when it lies outside. A file that does not
 * exist yet is judged by its folder. Nothing outside the folders is touched as long as no link leads there.
 *
 * Throws what the system reports, for example when a folder on the way does not exist.
 */
export function realPathWithin(path: string, folders: readonly string[]): string | undefined {
  const real = folders.flatMap(realFolder);
  const asWritten = resolve(path);
  if (![...folders.map((folder) => resolve(folder)), ...real].some((folder) => isBelow(asWritten, folder))) {
    return undefined;
  }
  const found = realPath(asWritten);
  return real.some((folder) => isBelow(found, folder)) ? found : undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
    const missing = join(realpathSync(dirname(path)), basename(path));
    const target = linkTarget(missing);
    return target === undefined ? missing : realPath(target);
  }
}

/** Where a link leads whose target does not exist: creating the file would create it there. Links in a circle are ELOOP before. */
function linkTarget(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** None when the folder does not exist: nothing can be below it. */
function realFolder(folder: string): string[] {
  try {
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
