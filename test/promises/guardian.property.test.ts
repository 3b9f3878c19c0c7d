/**
 * Guardians: the verdict after any history of changes is the verdict on the same facts in a new session; sentences never change
 * a verdict; and `report all` gives the reasons of each line, with the same verdict.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type RuleSession, SeededRandom, type VerdictAnswer } from "../../src/index.ts";
import { GUARDIAN_ACTIONS } from "../../src/language/check/builtin-types.ts";
import { PATIENT, runs } from "../support/cases.ts";
import {
  fillDrafts,
  GUARDED,
  guardianText,
  reporting,
  singleLines,
  withoutSentences,
} from "../support/guardian-model.ts";

const PROGRAM = compile(`
type Draft(#id: string, track: string?, text: string?, attempt: number = 0, owner: Person?)
type Person(#id: string, role: string?)
type Evidence(#n: number, draft: string, source: string, confidence: number?)
type Bad(#source: string)
type Limit(#name: string, value: number)
guardian "g" for d: Draft {
    track d.track
    retry at most 1
    check role risk high never retry { need d.owner.role == "admin" unless d.text == "free" as "role({d.owner.role})" do DENY_ACCESS }
    check evidence exit SAFE_REFUSAL
        using e: Evidence(e.draft == d.id, not exists Bad(source == e.source))
        using l: Limit(l.name == "min")
    {
        on QUALITY need count(e) >= l.value as "few({count(e)}<{l.value})" says "There are {count(e)}, from {distinct(e.source)}." do ADD_EVIDENCE
        need avg(e.confidence) >= 1 when exists Limit(name == "avg") as "low({avg(e.confidence)})" do RETRIEVE_MORE
        forbid e.confidence < 1 when count(e) > 0 as "weak({e.n})" says "Item {e.n} of {count(e)} is weak; {d.owner.role}." do REFINE_QUERY
        warn max(e.confidence) > 2 as "high({collect(e.n)})" says "The highest of {collect(e.n)} is {max(e.confidence)}."
        on FAST flag count(e) == 0 as "none"
    }
    check text on QUALITY using e: Evidence(e.draft == d.id) {
        need d.text is present and count(distinct(e.source)) != 3 as "text({distinct(e.source)})" do REGENERATE_DRAFT
    }
}`);

type Change =
  | { readonly op: "upsert"; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly op: "retract"; readonly id: string };

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
const source = some("db", "doc", "x");
const upsert = (type: string, fields: fc.Arbitrary<Readonly<Record<string, unknown>>>): fc.Arbitrary<Change> =>
  fields.map((one) => ({ op: "upsert", type, fields: one }));

const change: fc.Arbitrary<Change> = fc.oneof(
  upsert(
    "Draft",
    fc.record({
      id: some("a", "b"),
      track: some("FAST", null, "odd"),
      text: some("free", "t", null),
      attempt: fc.nat(2),
      owner: some("Person~p", "Person~q", null),
    }),
  ),
  upsert("Person", fc.record({ id: some("p", "q"), role: some("admin", "admin", null) })),
  {
    weight: 4,
    arbitrary: upsert(
      "Evidence",
      fc.record({ n: fc.nat(3), draft: some("a", "b"), source, confidence: some(0, 1, 1, 3, null) }),
    ),
  },
  upsert("Bad", fc.record({ source })),
  upsert("Limit", fc.record({ name: some("min", "avg"), value: fc.nat(2) })),
  some(
    "Draft~a",
    "Person~p",
    "Evidence~0",
    "Evidence~1",
    "Evidence~2",
    "Bad~db",
    "Bad~x",
    "Limit~min",
    "Limit~avg",
  ).map((id): Change => ({ op: "retract", id })),
);

function apply(session: RuleSession, one: Change): void {
  if (one.op === "retract") session.retract(one.id);
  else session.upsert(one.type, one.fields);
}

/** The same facts in the same order, in a session that has never known others. */
function fromScratch(session: RuleSession): RuleSession {
  const fresh = PROGRAM.session();
  fresh.batch(() => {
    for (const { type, fields } of session.facts()) if (type !== "Verdict") fresh.assert(type, fields);
  });
  return fresh;
}

test(
  "verdicts after a history are those from scratch, and the facts say what stands",
  () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(fc.tuple(change, fc.boolean()), { minLength: 4, maxLength: 14 }), (history) => {
        const session = PROGRAM.session();
        for (const [one, run] of history) {
          apply(session, one);
          if (run) session.run();
        }
        const { verdicts } = session.run();
        expect(verdicts).toEqual(session.verdicts());
        expect(new Set(verdicts.map(plain))).toEqual(new Set(fromScratch(session).run().verdicts.map(plain)));
        const written = session.facts("Verdict").map(({ fields }) => plain([fields["subject"], fields["verdict"]]));
        expect(written.sort()).toEqual(verdicts.map(({ subject, verdict }) => plain([subject, verdict])).sort());
        for (const { verdict, flags, warnings } of verdicts)
          for (const word of [verdict, ...(flags.length > 0 ? ["flag"] : []), ...(warnings.length > 0 ? ["warn"] : [])])
            seen.set(word, (seen.get(word) ?? 0) + 1);
      }),
      { numRuns: runs(3000), seed: 66 },
    );
    for (const word of ["PASS", "RETRY", "FAIL", "flag", "warn"]) expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
  },
  PATIENT,
);

function plain(answer: object): string {
  return JSON.stringify(answer);
}

// ---------------------------------------------------------------- sentences, and reporting all

/** A guardian is used for so many sets of facts. */
const SETS = 25;

/** Opens variants of random guardians on the same facts, and compares what they say. */
function compared(
  seed: number,
  cases: number,
  variants: (text: string) => readonly string[],
  look: (answers: readonly VerdictAnswer[], text: string) => void,
): void {
  const random = new SeededRandom(seed);
  const next = (): number => random.next();
  for (let done = 0; done < cases; done += SETS) {
    const text = guardianText(next);
    const programs = variants(text).map((one) => compile(one, GUARDED.compile));
    for (let set = 0; set < SETS; set++) {
      const facts = programs[0]?.session(GUARDED.session);
      if (facts === undefined) continue;
      fillDrafts(facts, next);
      const given = facts.facts();
      const answers = programs.map((program) => {
        const session = program.session(GUARDED.session);
        session.batch(() => {
          for (const { type, fields } of given) if (type !== "Verdict") session.assert(type, fields);
        });
        return session.verdict("g");
      });
      look(answers, `${text}\n${plain(given)}`);
    }
  }
}

test(
  "a sentence never changes a verdict, whatever fails in it",
  () => {
    let said = 0;
    compared(
      15,
      runs(5000),
      (text) => [text, withoutSentences(text)],
      ([told, bare], about) => {
        expect({ ...told, sentences: [] }, about).toEqual({ ...bare, sentences: [] });
        expect(bare?.sentences).toEqual([]);
        said += told?.sentences.length ?? 0;
      },
    );
    expect(said).toBeGreaterThan(0);
  },
  PATIENT,
);

test(
  "report all gives the reasons of every line that does not pass, in written order, with the same verdict",
  () => {
    let more = 0;
    const variants = (text: string): string[] => [reporting(text, true), reporting(text, false), ...singleLines(text)];
    compared(16, runs(5000), variants, ([all, first, ...lines], about) => {
      if (all === undefined || first === undefined) throw new Error("there is no verdict");
      expect(all.verdict, about).toBe(first.verdict);
      expect(all.reasons, about).toEqual(lines.flatMap(({ reasons }) => reasons));
      expect(all.sentences.length, about).toBe(
        all.verdict === "PASS"
          ? first.sentences.length
          : lines.reduce((sum, one) => sum + (one.verdict === "PASS" ? 0 : one.sentences.length), 0),
      );
      expect(all.reasons.slice(0, first.reasons.length), about).toEqual(first.reasons);
      expect(all.reasons.length === 0, about).toBe(all.verdict === "PASS");
      const actions = [...all.required_actions, ...all.would_fix];
      for (const action of actions) expect(GUARDIAN_ACTIONS).toContain(action);
      for (const action of [...first.required_actions, ...first.would_fix]) expect(actions, about).toContain(action);
      expect(new Set(all.required_actions).size, about).toBe(all.required_actions.length);
      if (all.verdict === "FAIL")
        expect(all.required_actions.slice(0, 1), about).toEqual(first.required_actions.slice(0, 1));
      if (all.reasons.length > first.reasons.length) more += 1;
    });
    expect(more).toBeGreaterThan(0);
  },
  PATIENT,
);
