/** Paths of files in a program, without the file system. */

/** Returns the normal form of a path: without `.`, and without `..` where the parent is known. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}

/** Resolves an import: `rules/a.tsd` and `../b.tsd` give `b.tsd`. */
export function resolvePath(from: string, path: string): string {
  return path.startsWith("/") ? path : plainPath([...from.split("/").slice(0, -1), path].join("/"));
}
