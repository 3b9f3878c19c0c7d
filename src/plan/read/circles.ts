/** Which members of a directed graph lie on a common circle: Kosaraju's two passes, without recursion. */

/** A directed graph: the successors of each member. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns a number for every member: equal for two that can reach each other, and never higher at the beginning of an edge than
 * at its end. Every member must be a key of the graph. Takes time linear in members and edges.
 */
export function circlesOf(graph: Graph): Map<string, number> {
  const numbers = new Map<string, number>();
  const back = reversed(graph);
  let next = 0;
  // The last to be finished comes first: nothing outside its circle leads to it.
  for (const start of finished(graph).toReversed()) {
    if (numbers.has(start)) continue;
    const open = [start];
    numbers.set(start, next);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const before of back.get(at) ?? []) {
        if (numbers.has(before)) continue;
        numbers.set(before, next);
        open.push(before);
      }
    }
    next += 1;
  }
  return numbers;
}

/** Returns the members in the order in which a depth-first walk leaves them. */
function finished(graph: Graph): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  for (const start of graph.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const path = [{ member: start, rest: followers(graph, start) }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { value: follower, done } = step.rest.next();
      if (done === true) {
        order.push(step.member);
        path.pop();
      } else if (!seen.has(follower)) {
        seen.add(follower);
        path.push({ member: follower, rest: followers(graph, follower) });
      }
    }
  }
  return order;
}

function followers(graph: Graph, member: string): Iterator<string, undefined> {
  return (graph.get(member) ?? new Set<string>()).values();
}

function reversed(graph: Graph): Map<string, string[]> {
  const back = new Map<string, string[]>();
  for (const [from, followed] of graph) {
    for (const to of followed) {
      const before = back.get(to);
      if (before === undefined) back.set(to, [from]);
      else before.push(from);
    }
  }
  return back;
}
