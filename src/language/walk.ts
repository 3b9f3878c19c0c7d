/** Visits every node of a tree, parents before children. */
export function forEachNode(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) forEachNode(item, visit);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  visit(node as Record<string, unknown>);
  // Nodes are plain objects, and "for … in" over them allocates nothing.
  for (const key in node) {
    const child = (node as Record<string, unknown>)[key];
    if (typeof child === "object" && key !== "span") forEachNode(child, visit);
  }
}

/** Returns every node of a tree, parents before children: for several looks at the same tree. */
export function nodesOf(node: unknown): readonly Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  forEachNode(node, (one) => nodes.push(one));
  return nodes;
}

/** Returns the number of parts of a tree, lists of parts included. */
export function partsIn(tree: unknown): number {
  if (typeof tree !== "object" || tree === null) return 0;
  let parts = 1;
  for (const key in tree) if (key !== "span") parts += partsIn((tree as Record<string, unknown>)[key]);
  return parts;
}
