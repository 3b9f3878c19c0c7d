/**
 * D12 for remedies: every remedy works when it is applied and changes only what a remedy may change, and where one edit
 * is enough (found by trying all edits over small domains), a remedy of one edit is shown.
 */
import { expect, test } from "vitest";
import { compile, type Edit, type Remedy, type RuleSession, SeededRandom } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { applied } from "../support/edits.ts";
import type { Random } from "../support/gate-model.ts";
import { arePermitted, oneEdit, withOtherFree } from "../support/remedy-brute-force.ts";
import {
  randomBochvarGate,
  randomGuardian,
  randomKleeneGate,
  randomRule,
  type RemedyProgram,
} from "../support/remedy-programs.ts";

/** A kind of question: programs for it, the remedies that are shown, and whether nothing is needed any more. */
interface Question {
  readonly make: (random: Random) => RemedyProgram;
  readonly remedies: (session: RuleSession) => readonly Remedy[];
  readonly reached: (session: RuleSession) => boolean;
  /** Returns the reasons of a verdict. */
  readonly reasons?: (session: RuleSession) => readonly string[];
}

const RULE: Question = {
  make: randomRule,
  remedies: (session) => session.whyNot("r").remedies,
  reached: (session) => session.matches("r").length > 0,
};

const GATE: Question = {
  make: randomKleeneGate,
  remedies: (session) => session.wouldOpen("g", "S~1"),
  reached: (session) => session.gate("g", "S~1").outcome === "pass",
};

const BOCHVAR: Question = { ...GATE, make: randomBochvarGate };

const GUARDIAN: Question = {
  make: randomGuardian,
  remedies: (session) => session.wouldPass("g", "D~a").filter(({ verdict }) => verdict === "PASS"),
  reached: (session) => session.verdict("g", "D~a").verdict === "PASS",
  reasons: (session) => session.verdict("g", "D~a").reasons,
};

/** How often other facts are tried for one program until there is something to ask. */
const SETS = 3;

/** A session about which there is something to ask, and how to open others with the same facts. */
interface Asked {
  readonly session: RuleSession;
  readonly open: () => RuleSession;
}

/** Returns a session about which there is something to ask; undefined when there is nothing. */
function askedOf(one: RemedyProgram, random: Random, { reached }: Question): Asked | undefined {
  const program = compile(one.text);
  for (let set = 0; set < SETS; set++) {
    const facts = one.facts(random);
    const open = (): RuleSession => {
      const session = program.session();
      for (const { type, fields } of facts) session.assert(type, fields);
      return session;
    };
    const session = open();
    if (!reached(session)) return { session, open };
  }
  return undefined;
}

interface Result {
  /** How many questions were asked, and how many have a remedy of one edit. */
  readonly asked: number;
  readonly single: number;
  /** The first thing that is wrong. */
  readonly wrong: string | undefined;
}

function askAll(question: Question, programs: number, seed: number): Result {
  const source = new SeededRandom(seed);
  const random: Random = () => source.next();
  let single = 0;
  for (let asked = 0; asked < programs;) {
    const one = question.make(random);
    const found = askedOf(one, random, question);
    if (found === undefined) continue;
    asked += 1;
    const { session } = found;
    const remedies = question.remedies(session);
    const wrong = firstWrong(question, one, found, remedies);
    if (wrong !== undefined) {
      const about = [one.text, JSON.stringify(session.facts()), JSON.stringify(remedies, undefined, 1)];
      return { asked, single, wrong: [wrong, ...about].join("\n") };
    }
    if (remedies.some(({ edits }) => edits.length === 1)) single += 1;
  }
  return { asked: programs, single, wrong: undefined };
}

function firstWrong(
  { reached, reasons }: Question,
  one: RemedyProgram,
  { session, open }: Asked,
  remedies: readonly Remedy[],
): string | undefined {
  const isFinal = (edits: readonly Edit[]): boolean =>
    one.isFinal?.(reasons?.(edits.length === 0 ? session : applied(session, edits)) ?? []) === true;
  if (isFinal([])) return remedies.length === 0 ? undefined : "a check that is never retried is final";
  for (const { words, edits } of remedies) {
    if (edits.some((_, index) => index > 0 && isFinal(edits.slice(0, index)))) return `this is final: ${words}`;
    if (!arePermitted(edits, one, session.facts())) return `a remedy may not do this: ${words}`;
    if (!reached(applied(session, edits))) return `a remedy does not work: ${words}`;
    const other = withOtherFree(edits, one);
    if (other !== edits && !reached(applied(session, other))) return `a value matters: ${words}`;
  }
  if (remedies.some(({ edits }) => edits.length === 1)) return undefined;
  const found: Edit | undefined = oneEdit(one, open, reached);
  return found === undefined ? undefined : `one edit is enough and is not shown: ${JSON.stringify(found)}`;
}

test.each([
  ["a rule", RULE, 2_000, 121],
  ["a gate", GATE, 1_000, 122],
  ["a gate with Bochvar's logic", BOCHVAR, 1_000, 123],
  ["a guardian", GUARDIAN, 2_000, 124],
] as const)(
  "every remedy for %s works, and where one edit is enough, one edit is shown",
  (_, question, programs, seed) => {
    const { asked, single, wrong } = askAll(question, runs(programs), seed);
    expect(wrong).toBeUndefined();
    expect(single).toBeGreaterThan(asked / 4);
  },
  PATIENT,
);

// ---------------------------------------------------------------- the check itself

/** The same question with other remedies: what is planted must be found. */
function planted(question: Question, spoil: (remedy: Remedy) => Remedy[]): Question {
  return { ...question, remedies: (session) => question.remedies(session).flatMap(spoil) };
}

const withEdits = (remedy: Remedy, edits: readonly Edit[]): Remedy[] => [{ ...remedy, edits }];

test.each([
  ["a remedy that is left out", () => [], "one edit is enough and is not shown"],
  [
    "one edit too many",
    (one: Remedy) => withEdits(one, [...one.edits, { op: "assert", type: "D", fields: { a: "A~1" } }]),
    "a remedy may not do this",
  ],
  ["one edit too few", (one: Remedy) => withEdits(one, one.edits.slice(1)), "a remedy does not work"],
  [
    "a negative number",
    (one: Remedy) =>
      withEdits(
        one,
        one.edits.map((edit) => (edit.op === "update" && typeof edit.to === "number" ? { ...edit, to: -1 } : edit)),
      ),
    "a remedy may not do this",
  ],
  [
    "a value that matters, said to be free",
    (one: Remedy) =>
      withEdits(
        one,
        one.edits.map((edit) => (edit.op === "assert" ? { ...edit, free: Object.keys(edit.fields) } : edit)),
      ),
    "a value matters",
  ],
] as const)("%s is found", (_, spoil, words) => {
  expect(askAll(planted(RULE, spoil), 500, 121).wrong).toContain(words);
});
