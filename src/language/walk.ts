/** Visits every node of a tree, parents before children. */
export function forEachNode(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) forEachNode(item, visit);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  visit(node as Record<string, unknown>);
  for (const key of Object.keys(node)) {
    const child = (node as Record<string, unknown>)[key];
    if (typeof child === "object" && key !== "span") forEachNode(child, visit);
  }
}
