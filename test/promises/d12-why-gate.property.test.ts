/** D12 for gates: the explanation of an outcome is true, and what it says would open the gate opens it. */
import { idOfLabel, LABEL } from "../support/labels-of-facts.ts";
import { expect, test } from "vitest";
import {
  compile,
  type Explanation,
  explanationSteps,
  fromLinks,
  type GateAnswer,
  type GateTree,
  type Program,
  type RuleSession,
  SeededRandom,
  toLinks,
} from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { applied, emptied } from "../support/edits.ts";
import { checkForm } from "../support/explained.ts";
import {
  below,
  conditionsText,
  gateText,
  MODEL_FUNCTIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomGate,
  randomPerson,
  randomSubject,
  risky,
} from "../support/gate-model.ts";

const even = (n: unknown): boolean => Number(n) % 2 === 0;
const OPTIONS = { facts: "none", functions: { even: even as never, risky: risky as never } } as const;

/** A program with two gates is used for so many sets of facts. */
const SETS = 10;

function programOf(random: Random): Program {
  const gates = [randomGate(random, "one"), randomGate(random, "two")];
  const text = `${MODEL_TYPES}\n${conditionsText(gates)}\n${gates.map(gateText).join("\n")}`;
  return compile(text, { functions: MODEL_FUNCTIONS });
}

function fill(session: RuleSession, random: Random): void {
  for (let id = 0; id < 1 + below(random, 2); id++) {
    session.assert("S", {
      id,
      ...randomSubject(random),
      kind: pick(random, ["p", "q"]),
      born: id,
    });
  }
  for (let id = below(random, 6); id > 0; id--) {
    session.assert("E", { id, s: below(random, 2), who: randomPerson(random), ...randomEvidence(random) });
  }
}

/** Checks that throw at once: thousands of steps are looked at. */
function claim(holds: boolean, what: string, about: unknown): void {
  if (!holds) expect.unreachable(`${what}: ${JSON.stringify(about)}`);
}

function sameShape(step: Explanation, tree: GateTree, above = ""): void {
  const items = tree.kind === "leaf" ? [] : tree.items;
  claim(step.outcome === tree.value, "each step has the value of its part", [above, step, tree]);
  claim(step.children.length === items.length, "there is a step for each part", [step, tree]);
  for (const [index, child] of step.children.entries()) {
    const item = items[index];
    if (item !== undefined) sameShape(child, item, tree.text);
  }
}

function wellFormed(explained: Explanation): void {
  checkForm(explained);
  for (const step of explanationSteps(explained)) {
    claim(step.decision !== "single_need" || step.outcome === "unknown", "a leaf without evidence is unknown", step);
  }
}

function plain(step: Explanation): unknown {
  const { unit_id, depth, observation, decision, outcome, children } = step;
  return { unit_id, depth, observation, decision, outcome, children: children.map(plain) };
}

function eachAnswer(cases: number, seed: number, look: (session: RuleSession, answer: GateAnswer) => void): void {
  const random = new SeededRandom(seed);
  const next: Random = () => random.next();
  let session = programOf(next).session(OPTIONS);
  for (let done = 0; done < cases; done++) {
    if (done % SETS === SETS - 1) session = programOf(next).session(OPTIONS);
    fill(emptied(session, ["S", "E"]), next);
    for (const answer of session.gates()) look(session, answer);
  }
}

test(
  "every part of a requirement is a step, with its value, in the author's order",
  () => {
    const seen = new Set<string>();
    eachAnswer(runs(8_000), 71, (session, answer) => {
      const explained = session.why(answer);
      sameShape(explained, answer.tree);
      wellFormed(explained);
      seen.add(`${answer.outcome} ${explained.decision}`);
    });
    expect([...seen].sort()).toEqual([
      "fail decompose",
      "fail direct_method",
      "hold decompose",
      "hold direct_method",
      "hold single_need",
      "pass decompose",
      "pass direct_method",
    ]);
  },
  PATIENT,
);

test(
  "Links Notation keeps an explanation of a gate",
  () => {
    eachAnswer(runs(1_000), 72, (session, answer) => {
      const explained = session.why(answer);
      expect(plain(fromLinks(toLinks(explained)))).toEqual(plain(explained));
    });
  },
  PATIENT,
);

test(
  "what would open a gate opens it, in a session of its own; asking changes nothing",
  () => {
    let opened = 0;
    let closed = 0;
    eachAnswer(runs(500), 77, (session, { gate, subject, outcome, missing }) => {
      const before = JSON.stringify(session.snapshot());
      const remedies = session.wouldOpen(gate, subject ?? undefined);
      claim(JSON.stringify(session.snapshot()) === before, "asking changes nothing", gate);
      claim(outcome !== "pass" || remedies.length === 0, "an open gate needs nothing", remedies);
      // A gate that holds and misses nothing cannot open: an open quorum below "not" is never false.
      const canOpen = outcome === "fail" || missing.length > 0;
      if (outcome !== "pass" && remedies.length === 0 && canOpen) closed += 1;
      for (const { edits } of remedies) {
        claim(edits.length > 0 && edits.length <= 3, "one to three edits", edits);
        const other = applied(session, edits, OPTIONS);
        claim(other.gate(gate, subject ?? undefined).outcome === "pass", "the gate passes", edits);
        opened += 1;
      }
    });
    expect(opened).toBeGreaterThan(closed);
  },
  PATIENT,
);

// ---------------------------------------------------------------- what is missing

/** The fields that one of the tests in `no E with s == 0 and who == "ann" and lv > 1` asks for. */
function askedBy(test: string): Record<string, unknown> | undefined {
  const [, field = "", value = ""] = /^(\w+) == (\d+|"\w*")$/u.exec(test) ?? [];
  if (field !== "") return { [field]: JSON.parse(value) as unknown };
  if (test === "n > 2") return { n: 3 };
  if (test.startsWith("(")) return { tag: "x" };
  if (/^(?:lv > 1|risky\((?:e\.)?lv\))$/u.test(test)) return { lv: 4 };
  return /^not risky\((?:e\.)?lv\)$/u.test(test) ? { lv: 1 } : undefined;
}

/** The fact that a leaf lacks, as its fields; undefined when it asks for something else, or for what depends on other facts. */
function suppliedBy(needs: string): Record<string, unknown> | undefined {
  const [, words] = /^(?:no|needs \d+ more) E with ([^;]*)(?:;|$)/u.exec(needs) ?? [];
  if (words === undefined || words.includes("not exists") || words.includes("e.who)")) return undefined;
  const asked = words.split(" and ").map((one) => ({ one, fields: askedBy(one) }));
  for (const { one, fields } of asked)
    if (fields === undefined) expect.unreachable(`nobody knows what ${one} asks for`);
  return Object.assign({}, ...asked.map(({ fields }) => fields)) as Record<string, unknown>;
}

/** The fields that `E 3 has no n` asks for. */
function filledIn(
  needs: string,
  session: Parameters<typeof idOfLabel>[0],
): { readonly fact: string; readonly field: string }[] {
  return [...needs.matchAll(LACKING)].map(([, label = "", field = ""]) => ({
    fact: idOfLabel(session, label) ?? "",
    field,
  }));
}

const LACKING = new RegExp(`(${LABEL}) has no (\\w+)`, "gu");

test(
  "what a gate says is missing, when it is supplied as said, opens the gate or moves it",
  () => {
    const supplied = new Map<string, number>();
    eachAnswer(runs(3_000), 74, (session, { gate, subject, missing }) => {
      if (missing.length === 0) return;
      const other = applied(session, [], OPTIONS);
      for (const { text, needs } of missing) {
        const fields = suppliedBy(needs);
        const gaps = fields === undefined ? filledIn(needs, session) : [];
        if (fields === undefined && gaps.length === 0) continue;
        for (const n of [3, 0]) {
          if (fields !== undefined)
            other.assert("E", { s: 0, who: "ann", n, ...fields, id: 90, at: 9, trust: "verified" });
          for (const { fact, field } of gaps) other.update(fact, { [field]: field === "trust" ? "verified" : n });
          const then = other.gate(gate, subject ?? undefined);
          const left = then.missing.some((leaf) => leaf.text === text && leaf.needs === needs);
          if (fields !== undefined) other.retract("E~90");
          for (const { fact, field } of gaps) other.update(fact, { [field]: null });
          claim(then.outcome !== "hold" || !left, "it is no longer missing", [gate, text, needs, n, session.facts()]);
          const kind = fields === undefined ? "field" : "fact";
          supplied.set(kind, (supplied.get(kind) ?? 0) + 1);
          if (then.outcome === "pass") supplied.set("opened", (supplied.get("opened") ?? 0) + 1);
        }
      }
    });
    for (const kind of ["fact", "field", "opened"]) expect(supplied.get(kind) ?? 0, kind).toBeGreaterThan(0);
  },
  PATIENT,
);
