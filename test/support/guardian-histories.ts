/** A guardian whose lines ask everything that lines can ask, and random histories of the facts that it judges. */
import fc from "fast-check";
import { expect } from "vitest";
import { compile, type RuleSession, type VerdictAnswer } from "../../src/index.ts";

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

/** Changes, each with whether rules run after it. */
export const verdictHistory = fc.array(fc.tuple(change, fc.boolean()), { minLength: 4, maxLength: 14 });

/** Returns the verdicts after a history; throws when they are not those of a new session, or not those that facts say. */
export function verdictsAfter(history: readonly (readonly [Change, boolean])[]): readonly VerdictAnswer[] {
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
  return verdicts;
}

function plain(answer: object): string {
  return JSON.stringify(answer);
}
