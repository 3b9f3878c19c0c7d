// The same decisions without an engine, for comparison: docs/cookbook/README.md.
interface Facts {
  Person: { id: string; active?: boolean }[];
  Member: { group: string; of: string }[];
  Folder: { path: string; parent?: string }[];
  Role: { name: string; may: string[] }[];
  Grant: { who: string; role: string; path: string }[];
  Deny: { who: string; path: string }[];
  Request: { id: string; person: string; action: string; path: string }[];
}

/** Everything that can be reached from a start, the start included. */
function reach(start: string, next: (from: string) => string[]): Set<string> {
  const found = new Set([start]);
  for (const from of found) for (const to of next(from)) found.add(to);
  return found;
}

export function decide(facts: Facts): [string, string, string][] {
  return facts.Request.map(({ id, person, action, path }) => {
    const known = facts.Person.some((candidate) => candidate.id === person && candidate.active !== false);
    const groups = reach(person, (member) => facts.Member.filter((m) => m.of === member).map((m) => m.group));
    const folders = facts.Folder.some((folder) => folder.path === path)
      ? reach(path, (inner) => facts.Folder.filter((f) => f.path === inner).flatMap((f) => f.parent ?? []))
      : new Set<string>();
    const covers = (rule: { who: string; path: string }) => groups.has(rule.who) && folders.has(rule.path);
    const allowed = facts.Grant.some(
      (grant) => covers(grant) && facts.Role.find((role) => role.name === grant.role)?.may.includes(action),
    );
    const denied = facts.Deny.some(covers);
    const passes = known && allowed && !denied;
    return ["audit", id, `${person} ${passes ? "may" : "may not"} ${action} ${path}`];
  });
}
