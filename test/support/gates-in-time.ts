/** Random gates, guardians and pipelines with windows, and histories in a world of few milliseconds. */
import { expect } from "vitest";
import { compile, type Session } from "../../src/index.ts";
import {
  type Evidence,
  KINDS,
  LAST_KINDS,
  type Leaf,
  leafValue,
  type Moment,
  type Tree,
  treeValue,
  type Tri,
} from "../oracle/gates-in-time.ts";
import { instantText, type Random } from "./clock-model.ts";
import { below, pick } from "./gate-model.ts";

const SIDES = ["after", "before"] as const;
const LENGTHS = [0, 1, 2.5, 5, -2, 12];
const STEPS = 12;

function randomLeaf(random: Random): Leaf {
  const side = pick(random, SIDES);
  const roll = below(random, KINDS.length + 9);
  if (roll === 0) return { kind: "wait", plus: pick(random, [0, 3, -2]) };
  if (roll < 3) return { kind: "quorum", side, min: 1 + below(random, 3), closed: random() < 0.4 };
  if (roll < 6) return { kind: pick(random, LAST_KINDS) };
  if (roll < 9) return { kind: pick(random, LAST_KINDS), of: "facts" };
  return { kind: pick(random, KINDS), side };
}

function randomTree(random: Random, depth: number): Tree {
  if (depth === 0 || random() < 0.4) return { op: "leaf", leaf: randomLeaf(random) };
  const op = pick(random, ["all", "any", "not"] as const);
  const items = Array.from({ length: op === "not" ? 1 : 2 }, () => randomTree(random, depth - 1));
  return { op, items };
}

function treeText(tree: Tree): string {
  if (tree.op === "leaf") return leafText(tree.leaf);
  const items = tree.items.map(treeText);
  return tree.op === "not" ? `not (${items.join("")})` : `(${items.join(tree.op === "all" ? " and " : " or ")})`;
}

function leafText(leaf: Leaf): string {
  if (leaf.kind === "wait")
    return leaf.plus < 0 ? `wait until x.t - ${-leaf.plus} ms` : `wait until x.t + ${leaf.plus} ms`;
  if (!("side" in leaf)) {
    const text = LAST_TEXTS[leaf.kind];
    return "of" in leaf ? text.replace("x.d", "x.n").replace("any_last", "any_last_facts") : text;
  }
  const window = `within x.d ${leaf.side} x.t`;
  if (leaf.kind === "quorum")
    return `at least ${leaf.min} of ${leaf.closed ? "all " : ""}e: E(e.s == x.id) ${window} : e.ok`;
  if (leaf.kind === "count") return `COUNT(e: E / e.s == x.id ${window}) == 1`;
  if (leaf.kind === "exists") return `exists E(s == x.id) ${window}`;
  if (leaf.kind === "none") return `not exists e: E(s == x.id) ${window} by e.at`;
  return `${leaf.kind}_${leaf.side}(x)`;
}

const LAST_TEXTS: Readonly<Record<(typeof LAST_KINDS)[number], string>> = {
  recent: "exists E(s == x.id) over last x.d",
  silent: "not exists e: E(s == x.id) over last x.d by e.at",
  "count last": "COUNT(e: E / e.s == x.id over last x.d) < 2",
  "any last": "any_last(x)",
};

function conditions(side: string): string {
  const window = `within x.d ${side} x.t`;
  return ["agree", "any", "every", "latest"]
    .map((mode) => {
      const by = mode === "latest" ? " by e.at" : "";
      const from = mode === "agree" ? "" : `${mode} `;
      return `condition ${mode}_${side}(x: S) : e.ok from ${from}e: E(e.s == x.id) ${window}${by}`;
    })
    .concat(`condition later_${side}(x: S) : any_${side}(x) and x.d == x.d`)
    .join("\n");
}

interface Program {
  readonly source: string;
  readonly gates: readonly { readonly name: string; readonly tree: Tree; readonly bochvar: boolean }[];
  readonly line: Leaf;
  readonly side: "after" | "before";
}

/** Returns a program with gates, a guardian and a pipeline about the same subjects. */
function randomProgram(random: Random): Program {
  const gates = ["a", "b", "c"].map((name) => ({ name, tree: randomTree(random, 2), bochvar: random() < 0.3 }));
  const side = pick(random, SIDES);
  let line = randomLeaf(random);
  while (line.kind === "wait" || line.kind === "quorum") line = randomLeaf(random);
  const texts = gates.map(
    ({ name, tree, bochvar }) =>
      `gate "${name}" for x: S { ${bochvar ? "logic bochvar" : ""} require ${treeText(tree)} } // sluice: allow W244`,
  );
  const source = `type S(#id: number, t: instant?, d: duration?, n: number?)
type E(#id: number, s: number, ok: bool?, @at: instant?)
${SIDES.map(conditions).join("\n")}
condition any_last(x: S) : e.ok from any e: E(e.s == x.id) over last x.d
condition any_last_facts(x: S) : e.ok from any e: E(e.s == x.id) over last x.n
${texts.join("\n")}
guardian "one" for x: S { check c { need ${leafText(line)} as "no" do RETRIEVE_DB } }
guardian "each" for x: S { check c using e: E(e.s == x.id) within x.d ${side} x.t { need e.ok as "no" do RETRIEVE_DB } }
pipeline "p" for x: S {
    step there BLOCK "there" when e: E(e.s == x.id) within x.d ${side} x.t
    otherwise ANSWER "fine"
}
`;
  return { source, gates, line, side };
}

const OUTCOME: Readonly<Record<Tri, string>> = { T: "pass", F: "fail", U: "hold" };

function millisecondsIn(text: unknown): number | undefined {
  return typeof text === "string" ? Date.parse(text) : undefined;
}

/** Returns what all judges say by definition at an instant. */
function expected(program: Program, session: Session, now: number | undefined): Record<string, unknown> {
  const facts = session.facts("E").map(({ fields }) => fields);
  const all: Record<string, unknown> = {};
  for (const { id, fields } of session.facts("S")) {
    const d = DURATIONS.get(fields["d"] as string);
    const moment: Moment = { t: millisecondsIn(fields["t"]), d, n: fields["n"] as number | undefined, now };
    const evidence: Evidence[] = facts
      .filter((fact) => fact["s"] === fields["id"])
      .map((fact) => ({ ok: fact["ok"] as boolean | undefined, at: millisecondsIn(fact["at"]) }));
    const value = (leaf: Leaf, bochvar = false): Tri => leafValue(leaf, moment, evidence, bochvar);
    for (const { name, tree, bochvar } of program.gates) {
      all[`gate ${name} ${id}`] = OUTCOME[treeValue(tree, bochvar, (leaf) => value(leaf, bochvar))];
    }
    all[`one ${id}`] = value(program.line) === "T";
    all[`each ${id}`] = value({ kind: "every", side: program.side }) === "T";
    all[`there ${id}`] = value({ kind: "exists", side: program.side }) === "F" ? "ANSWER" : "BLOCK";
  }
  return all;
}

function found(program: Program, session: Session): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const { id } of session.facts("S")) {
    for (const { name } of program.gates) all[`gate ${name} ${id}`] = session.gate(name, id).outcome;
    all[`one ${id}`] = session.verdict("one", id).verdict === "PASS";
    all[`each ${id}`] = session.verdict("each", id).verdict === "PASS";
    all[`there ${id}`] = session.decide("p", id).decision;
  }
  return all;
}

const DURATIONS = new Map(LENGTHS.map((ms) => [durationText(ms), ms]));

function durationText(ms: number): string {
  return ms === 0 ? "PT0S" : `${ms < 0 ? "-" : ""}PT${Math.abs(ms) / 1000}S`;
}

/** Returns the length of the windows of a subject: above zero, zero, below zero, or unknown. */
function length(random: Random): string | null {
  return random() < 0.15 ? null : durationText(pick(random, LENGTHS));
}

/** Returns how many facts count for a subject: a number of them, none, or unknown. */
function number(random: Random): number | null {
  return random() < 0.15 ? null : pick(random, [1, 1, 2, 2, 3, 0, 1.5]);
}

function change(random: Random, session: Session, id: number): string {
  const known = session.facts();
  const fact = known.length === 0 ? undefined : pick(random, known);
  const at = (most: number): string | null => (random() < 0.15 ? null : instantText(below(random, most)));
  const ok = (): boolean | null => pick(random, [true, true, false, null]);
  const roll = below(random, 6);
  if (fact !== undefined && roll === 0) session.retract(fact);
  else if (fact?.type === "S" && roll === 1) session.update(fact, { t: at(30), d: length(random), n: number(random) });
  else if (fact?.type === "E" && roll === 1) session.update(fact, { at: at(40), ok: ok() });
  else if (known.length === 0 || roll === 2) {
    const t = at(30);
    const d = length(random);
    const n = number(random);
    session.assert("S", { id, ...(t !== null && { t }), ...(d !== null && { d }), ...(n !== null && { n }) });
  } else {
    const [time, value] = [at(40), ok()];
    const subjects = session.facts("S").map(({ fields }) => fields["id"]);
    const s = pick(random, [...subjects, 99]) as number;
    session.assert("E", { id, s, ...(time !== null && { at: time }), ...(value !== null && { ok: value }) });
  }
  return JSON.stringify(session.facts());
}

/** Returns the text of a random program. */
export function gatesInTimeText(random: Random): string {
  return randomProgram(random).source;
}

/** Tries random programs; throws at the first difference. */
export function tryGates(random: Random, cases: number): void {
  let program = randomProgram(random);
  let compiled = compile(program.source);
  for (let at = 0; at < cases; at++) {
    if (at % 5 === 0) compiled = compile((program = randomProgram(random)).source);
    tryOne(random, program, compiled);
  }
}

function tryOne(random: Random, program: Program, compiled: ReturnType<typeof compile>): void {
  const open = { sharing: random() < 0.8, indexing: random() < 0.8, shortcuts: random() < 0.8 };
  const session = compiled.session(open);
  const told = [program.source];
  for (let step = 0; step < STEPS; step++) {
    if (random() < 0.5) told.push(change(random, session, step));
    else {
      const now = session.clock === undefined ? 0 : Date.parse(session.clock);
      const next = session.nextTime === undefined ? now + 3 : Date.parse(session.nextTime);
      const to = Math.max(now, pick(random, [next, next - 1, next, now + 1, now + 4]));
      session.advance(instantText(to));
      told.push(`advance ${to}`);
    }
    const where = told.join("\n");
    const now = session.clock === undefined ? undefined : Date.parse(session.clock);
    const says = found(program, session);
    expect(says, where).toEqual(expected(program, session, now));
    if (now === undefined) continue;
    const quiet = session.nextTime === undefined ? now + 100 : Date.parse(session.nextTime) - 1;
    expect(expected(program, session, quiet), `${where}\nat ${quiet}`).toEqual(says);
  }
  expectWaits(program, session, told.join("\n"));
  for (const { id } of session.facts()) session.retract(id);
  expect(session.nextTime, told.join("\n")).toBeUndefined();
  expect(session.counters(), told.join("\n")).toMatchObject({ timers: 0, matches: 0 });
}

/** Expects that a gate opens at the instant until which it is told to wait, and not before it. */
function expectWaits(program: Program, session: Session, where: string): void {
  if (session.clock === undefined) return;
  for (const { id } of session.facts("S").slice(0, 1)) {
    for (const { name } of program.gates) {
      if (session.gate(name, id).outcome === "pass") continue;
      const told = session.wouldOpen(name, id).flatMap(({ edits }) => edits);
      const wait = told.find((edit) => edit.op === "wait");
      const opens = opening(program, session, `gate ${name} ${id}`);
      expect(wait?.op === "wait" ? Date.parse(wait.until) : undefined, `${where}\n${name} ${id}`).toBe(opens);
    }
  }
}

/** Returns the first instant at which a gate opens by definition, if no fact changes. */
function opening(program: Program, session: Session, key: string): number | undefined {
  const now = Date.parse(session.clock ?? "");
  for (let at = now + 1; at < now + 100; at++) if (expected(program, session, at)[key] === "pass") return at;
  return undefined;
}
