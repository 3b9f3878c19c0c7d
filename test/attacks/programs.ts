/** Programs of extreme size and shape, for every command that reads a program. */
import { times } from "./case.ts";

/** A rule with `groups` alternatives between two patterns each: 2 to the power of `groups` alternatives. */
export function orGroups(groups: number): string {
  const group = (index: number): string => `(a${index}: A(id == ${index}) or a${index}: A(id == ${index + 100}))`;
  return `type A(#id: number)\nrule r { when ${times(groups, group, " ")} then print("x") }`;
}

export function manyRules(count: number): string {
  const rule = (index: number): string =>
    `rule r${index} { when a: A(v > ${index}, w == ${index % 7}) b: B(id == a.id, v < ${index}) then print("x") }`;
  return `type A(#id: number, v: number, w: number)\ntype B(#id: number, v: number)\n${times(count, rule)}`;
}

export function manyTypes(count: number): string {
  const pair = (index: number): string =>
    `type T${index}(#id: number)\nrule r${index} { when t: T${index}(id > 0) then print("x") }`;
  return times(count, pair);
}

const EVIDENCE = `type R(#id: string)
type E(#n: string, rel: string, ok: bool)
condition c(r: R, key: string) : e.ok == true from e: E(e.rel == r.id, e.n == key)`;

/** A gate that needs half of its leaves. */
export function wideGate(leaves: number): string {
  const items = times(leaves, (index) => `c(r, "k${index}")`, ", ");
  return `${EVIDENCE}\ngate g for r: R { require at least ${Math.ceil(leaves / 2)} of (${items}) }\nR("a")`;
}

/** A gate whose operators are inside each other, `all` and `any` in turn. */
export function deepGate(depth: number): string {
  let inner = 'c(r, "end")';
  for (let level = 0; level < depth; level++) {
    inner = `(c(r, "k${level}") ${level % 2 === 0 ? "or" : "and"} ${inner})`;
  }
  return `${EVIDENCE}\ngate g for r: R { require ${inner} }\nR("a")`;
}

export function longGuardian(lines: number): string {
  const line = (index: number): string =>
    `need exists E(e == d.id, n == ${index}) as "no evidence ${index}" do RETRIEVE_MORE`;
  return `type D(#id: string, attempt: number = 0)
type E(#n: number, e: string)
guardian g for d: D { check c { ${times(lines, line)} } }
D("a")`;
}

export function longPipeline(steps: number): string {
  const step = (index: number): string => `step s${index} BLOCK "no" when q.id == "x${index}"`;
  return `type Q(#id: string)
pipeline p for q: Q { ${times(steps, step)} otherwise FORWARD "on" }
Q("a")`;
}
