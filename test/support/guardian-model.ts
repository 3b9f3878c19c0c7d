/** Random guardians as text, and random facts for them: small domains, missing values, lines of every kind. */
import type { RuleSession } from "../../src/index.ts";
import { NUMBER_AGGREGATES, RANKED_NUMBERS, takenWords } from "./built-ins.ts";
import { below, MODEL_FUNCTIONS, pick, type Random, risky } from "./gate-model.ts";

/** What guardians and pipelines of this model are compiled and opened with. */
export const GUARDED = {
  compile: { functions: MODEL_FUNCTIONS },
  types: ["D", "E", "Ban", "Table"],
  session: { now: () => 0, functions: { even: (() => true) as never, risky: risky as never } },
} as const;

const GUARDIAN_TYPES = `
type D(#id: string, track: string?, a: number?, t: string?, on: bool?, k: any?, attempt: number = 0)
type E(#id: number, d: string, s: string, c: number?, lv: any?, q: any?)
type Ban(#s: string)
type Table(#name: string, least: number)
`;

/** What may be unknown of a piece of evidence: a field is missing or of a wrong type, a function throws, nobody knows the key. */
const FITS = [
  () => "VAR.lv > 1",
  () => "risky(VAR.lv)",
  () => 'VAR.q == "x"',
  (random: Random) => `(VAR.s == "${pick(random, ["db", "doc"])}" or risky(VAR.lv))`,
  () => "not risky(VAR.lv)",
  () => "VAR.q == d.k",
  () => "not exists i: E(i.s == VAR.s, risky(i.lv))",
  () => "exists i: E(i.q == VAR.q, i.lv > 1)",
] as const;

/** Half of the patterns have such a test. */
function fit(random: Random, name: string): string {
  return random() < 0.5 ? "" : `, ${pick(random, FITS)(random).replaceAll("VAR", name)}`;
}

/** Questions about facts. */
const QUESTIONS = [
  (random: Random) => `exists Ban(s == "${pick(random, ["x", "xy"])}")`,
  (random: Random) => `exists g: E(g.d == d.id, g.s == "${pick(random, ["db", "doc"])}"${fit(random, "g")})`,
  (random: Random) => `exists g: E(g.d == d.id${fit(random, "g")})`,
  (random: Random) => `COUNT(g: E / g.d == d.id${fit(random, "g").replace(",", " AND")}) >= ${1 + below(random, 2)}`,
  (random: Random) => `SUM(g: E / g.d == d.id${fit(random, "g").replace(",", " AND")} ; g.c) > 1`,
  // names of its own: it also stands in steps that bind g and h
  () => "EXISTS(g1: E, h1: E / g1.d == d.id AND h1.q == g1.q AND h1.lv > 1)",
  () => "exists g: E(g.q == d.k)",
] as const;

/** Returns an aggregate over the evidence that is a number. */
function numberOf(random: Random): string {
  if (random() < 0.7) return `${pick(random, NUMBER_AGGREGATES)}(e.c)`;
  const fn = pick(random, RANKED_NUMBERS);
  return `${fn}(${takenWords(fn, "e.c", pick(random, ["e.c", "e.s"]), pick(random, [0, 25, 50, 90]))})`;
}

/** What a line can ask of the subject, of all evidence, and of other facts. */
const TESTS = [
  (random: Random) => `d.a ${pick(random, ["==", ">=", "<", "!="])} ${below(random, 3)}`,
  (random: Random) => `d.t ${pick(random, ["contains", "like", "=="])} "${pick(random, ["x", "y", "xy"])}"`,
  () => "d.t is present",
  () => "d.on",
  (random: Random) => `count(e) >= ${1 + below(random, 2)}`,
  (random: Random) => `count(distinct(e.s)) ${pick(random, [">=", "<"])} ${1 + below(random, 2)}`,
  (random: Random) => `${numberOf(random)} >= ${below(random, 3)}`,
  (random: Random) => {
    const list = random() < 0.7 ? "distinct(e.s)" : `top(${1 + below(random, 3)}, e.s by e.c)`;
    return `${list} contains "${pick(random, ["db", "doc"])}"`;
  },
  () => "risky(d.a)",
  (random: Random) => pick(random, QUESTIONS)(random),
  (random: Random) => pick(random, QUESTIONS)(random),
] as const;

/** What a line asks of each piece of evidence, or of the rows of a table. */
const EACH = [
  (random: Random) => `e.c >= ${below(random, 3)}`,
  () => "e.c is present",
  (random: Random) => `e.s != "${pick(random, ["db", "doc"])}"`,
  () => "count(distinct(e.s)) >= t.least",
  () => "d.a >= t.least",
] as const;

function test(random: Random, depth: number): string {
  if (depth === 0 || random() < 0.6) return plainTest(random);
  const [one, other] = [test(random, depth - 1), test(random, depth - 1)];
  return pick(random, [`(${one} and ${other})`, `(${one} or ${other})`, `not (${one})`]);
}

function plainTest(random: Random): string {
  return pick(random, TESTS)(random);
}

/** What a sentence may fill in: also values that are unknown, functions that throw, and facts that are in doubt. */
const SAID = [
  () => "{d.a}",
  () => "{d.k}",
  () => "{risky(d.a)}",
  () => "{fixed(d.a, 2)}",
  (random: Random) => `{fixed(${pick(random, NUMBER_AGGREGATES)}(e.c), ${below(random, 30)})}`,
  () => "{count(e)} of {distinct(e.s)}",
  () => "{exists g: E(g.q == d.k, risky(g.lv))}",
  () => "{SUM(g: E / g.d == d.id ; g.c)}",
  () => "{collect(e.lv)}",
] as const;

const ACTIONS_ASKED = ["RETRIEVE_MORE", "ADD_EVIDENCE", "REFINE_QUERY", "ADD_EVIDENCE, RETRIEVE_MORE"] as const;

function line(random: Random, index: number): string {
  const asked = random() < 0.3 ? pick(random, EACH)(random) : test(random, 1);
  const limit = random() < 0.3 ? ` ${pick(random, ["when", "unless"])} ${test(random, 0)}` : "";
  const track = random() < 0.2 ? `on ${pick(random, ["FAST", "QUALITY"])} ` : "";
  const kind = random() < 0.12 ? pick(random, ["warn", "flag"]) : pick(random, ["need", "need", "forbid"]);
  const actions = kind === "need" || kind === "forbid" ? ` do ${pick(random, ACTIONS_ASKED)}` : "";
  const says = random() < 0.5 ? ` says "It is ${pick(random, SAID)(random)}."` : "";
  return `${track}${kind} ${asked}${limit} as "r${index}({d.a})"${says}${actions}`;
}

function check(random: Random, index: number): string {
  const settings = [
    ...(random() < 0.2 ? [`on ${pick(random, ["FAST", "QUALITY"])}`] : []),
    `risk ${pick(random, ["low", "med", "high"])}`,
    ...(random() < 0.2 ? ["never retry"] : []),
    ...(random() < 0.4 ? ["exit SAFE_REFUSAL"] : []),
    `using e: E(e.d == d.id${random() < 0.6 ? "" : fit(random, "e")})`,
    'using t: Table(t.name == "min")',
  ];
  const lines = Array.from({ length: 1 + below(random, 3) }, (_, at) => line(random, index * 10 + at));
  return `check c${index} ${settings.join(" ")} {\n${lines.join("\n")}\n}`;
}

export function guardianText(random: Random): string {
  const checks = Array.from({ length: 1 + below(random, 3) }, (_, index) => check(random, index));
  const report = random() < 0.3 ? "\nreport all" : "";
  return `${GUARDIAN_TYPES}
guardian "g" for d: D {
track d.track
retry at most ${below(random, 3)}${report}
${checks.join("\n")}
}`;
}

/** The same guardian, with the reasons of every line that does not pass, or without. */
export function reporting(text: string, all: boolean): string {
  const plain = text.replace("\nreport all", "");
  return all ? plain.replace(/retry at most \d+/u, "$&\nreport all") : plain;
}

/** The same guardian without its sentences. */
export function withoutSentences(text: string): string {
  return text.replaceAll(/ says "[^"]*"/gu, "");
}

/** For each line that can decide, in written order: the same guardian with this line and no other. */
export function singleLines(text: string): string[] {
  const [head = "", ...checks] = text.replace(/\}$/u, "").split(/^(?=check )/mu);
  return checks.flatMap((one) => {
    const [open = "", ...lines] = one.trimEnd().split("\n");
    const deciding = lines.filter((row) => /^(?:on \w+ )?(?:need|forbid) /u.test(row));
    return deciding.map((row) => `${head}${open}\n${row}\n}\n}`);
  });
}

export function fillDrafts(session: RuleSession, random: Random): void {
  session.assert("D", {
    id: "a",
    track: pick(random, ["FAST", "QUALITY", undefined]),
    a: pick(random, [0, 1, 2, undefined]),
    t: pick(random, ["x", "xy", "", undefined]),
    on: pick(random, [true, false, undefined]),
    k: pick(random, ["x", "y", ["x"], undefined]),
    attempt: below(random, 3),
  });
  for (let id = below(random, 4); id > 0; id--) {
    const c = pick(random, [0, 1, 2, undefined]);
    const lv = pick(random, [0, 1, 2, 3, 4, 4, 5, "4", undefined]);
    const q = pick(random, ["x", "x", "y", ["x"], undefined]);
    session.assert("E", { id, d: pick(random, ["a", "a", "b"]), s: pick(random, ["db", "doc"]), c, lv, q });
  }
  if (random() < 0.4) session.assert("Ban", { s: pick(random, ["x", "xy"]) });
  if (random() < 0.8) session.assert("Table", { name: "min", least: below(random, 3) });
}

// ---------------------------------------------------------------- pipelines

const ACTIONS = ["BLOCK", "BLOCK", "ANSWER", "FORWARD", "NOTE", "ALLOW"] as const;

/** Tests that need no `using`. */
function ownTest(random: Random, depth: number): string {
  const plain = [...TESTS.slice(0, 4), ...TESTS.slice(8)];
  if (depth === 0 || random() < 0.6) return pick(random, plain)(random);
  const [one, other] = [ownTest(random, depth - 1), ownTest(random, depth - 1)];
  return pick(random, [`(${one} and ${other})`, `(${one} or ${other})`, `not (${one})`]);
}

/** Facts that a step looks for. */
const LOOKED_FOR = [
  (random: Random) => `f: E(f.d == d.id, f.s ${pick(random, ["!=", "=="])} "${pick(random, ["db", "doc"])}")`,
  (random: Random) => `f: E(f.d == d.id${fit(random, "f")})`,
  (random: Random) => `f: E(f.d == d.id${fit(random, "f")}), h: E(h.q == f.q, h.lv > 1)`,
  (random: Random) => `f: E(f.d == d.id), not h: E(h.s == f.s, h.id != f.id${fit(random, "h")})`,
  (random: Random) => `f: E(f.d == d.id), exists h: E(h.q == f.q${fit(random, "h")})`,
  (random: Random) => `f: E(f.d == d.id), forall (h: E(h.d == d.id${fit(random, "h")}) : h.lv > 1)`,
  (random: Random) => `f: E(f.d == d.id), n: count() from h: E(h.d == d.id${fit(random, "h")}), where n >= 2`,
  (random: Random) => `f: E(f.d == d.id), n: sum(h.c) from h: E(h.d == d.id${fit(random, "h")}), where n >= 2`,
  (random: Random) => `f: E(f.d == d.id), where ${ownTest(random, 0)}`,
  (random: Random) => `f: E(f.d == d.id${fit(random, "f")}), w in f.q, where w ${pick(random, ["==", "!="])} "x"`,
  (random: Random) => `f: E(f.d == d.id), w in f.q, h: E(h.q == w${fit(random, "h")})`,
  (random: Random) => `f: E(f.d == d.id), w in [d.a, f.c, 1], where w ${pick(random, [">", "<"])} 1`,
  (random: Random) =>
    `f: E(f.d == d.id), ${pick(random, ["not", "exists"])} (w in f.q, h: E(h.q == w${fit(random, "h")}))`,
  (random: Random) => `f: E(f.d == d.id), ${pick(random, ["not", "exists"])} (w in [f.c, f.lv], where w > 1)`,
  (random: Random) => `f: E(f.d == d.id), w in f.q, where w is ${pick(random, ["missing", "present"])}`,
] as const;

function step(random: Random, index: number): string {
  const action = pick(random, ACTIONS);
  const found = random() < 0.5;
  const said = ` ${found && random() < 0.5 ? pick(random, ["f.s", "f.q"]) : `"said ${index}"`}`;
  const when = found
    ? ` when ${pick(random, LOOKED_FOR)(random)}`
    : random() < 0.7
      ? ` when ${ownTest(random, 1)}`
      : "";
  const unless = when === "" || random() < 0.3 ? ` unless ${ownTest(random, 0)}` : "";
  return `step s${index} ${action}${said}${when}${unless}`;
}

/** What an `after` can ask of the decision. */
const OF_DECISION = [
  'decision == "ANSWER"',
  'decision != "FORWARD"',
  "length(answer) > 2",
  'answer in ["db", "doc"]',
  "receiver is present",
  'reason == "said 1"',
] as const;

function afterTest(random: Random): string {
  if (random() < 0.5) return ownTest(random, 1);
  const asked = pick(random, OF_DECISION);
  return random() < 0.5 ? asked : `not (${asked} and ${ownTest(random, 0)})`;
}

export function pipelineText(random: Random): string {
  const steps = Array.from({ length: 1 + below(random, 4) }, (_, index) => step(random, index));
  const before = random() < 0.4 ? [`before ${ownTest(random, 1)} else BLOCK "not let in"`] : [];
  const after = random() < 0.4 ? [`after ${afterTest(random)} else BLOCK "not let out"`] : [];
  const otherwise = pick(random, ['FORWARD "on"', 'BLOCK "no"', 'ERROR "odd"']);
  return `${GUARDIAN_TYPES}
pipeline "p" for d: D {
${[...before, ...steps, ...after].join("\n")}
otherwise ${otherwise}
}`;
}
