/** Tests why a fact is gone: who withdrew it, or what ended the match that supported it. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compile,
  type Explanation,
  explanationSteps,
  factLabel,
  type FactEvent,
  type RuleSession,
} from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { checkForm } from "../support/explained.ts";
import { runCli } from "../support/io.ts";

const RULES = `type P(#id: string, age: number)
type Clear(#p: string)
type Q(#id: string)
type R(#id: string)
type Free(#id: string)
rule "adult" { when p: P(age >= 18) then insert logical Q(id: p.id) }
rule "more" { when q: Q then insert logical R(id: q.id) }
rule "free" { when p: P not Clear(p == p.id) then insert logical Free(id: p.id) }
rule "forget" salience -5 { when c: Clear p: P(id == c.p, age < 0) then retract(p) }
rule "young" salience -6 { when c: Clear p: P(id == c.p, age > 60) then p.age = 12 }
`;

const PROGRAM = compile(RULES);

function open(...ages: readonly number[]): RuleSession {
  const session = PROGRAM.session();
  for (const [index, age] of ages.entries()) session.assert("P", { id: String(index + 1), age });
  session.run();
  return session;
}

const sentences = (told: Explanation): string[] => [...explanationSteps(told)].map((step) => step.upward_rationale);

test("a fact that the host retracted says so", () => {
  const session = open(20);
  session.retract("P~1");
  expect(sentences(session.why("P~1"))).toEqual([
    "P 1 was withdrawn after firing 3: the host retracted it.",
    "P 1 was asserted by the host, or before the history begins.",
  ]);
});

test("a fact that a rule retracted names the rule and the firing, with why it fired", () => {
  const session = open(-1);
  session.assert("Clear", { p: "1" });
  session.run();
  const told = session.why("P~1");
  expect(told.upward_rationale).toBe('P 1 was withdrawn at firing 2: "forget" retracted it.');
  expect(told.children.at(-1)?.upward_rationale).toMatch(/^"forget" fired for c = Clear 1, p = P 1 \(firing 2\)/u);
});

test("a logical fact names the match that ended and the change that ended it", () => {
  const session = open(70);
  expect(() => session.why("Q~2")).toThrow(expect.objectContaining({ code: "E532", hint: 'did you mean "Q~1"?' }));
  session.update("P~1", { age: 10 });
  const host = session.why("Q~1");
  expect(host.upward_rationale).toBe(
    'Q 1 was withdrawn after firing 3: "adult" no longer matches, because the host changed P 1.',
  );
  expect(sentences(host)).toContainEqual(expect.stringMatching(/^"adult" no longer matched for p = P 1: age is 10\b/u));
  const other = open(70);
  other.assert("Clear", { p: "1" });
  expect(other.why("Free~1").upward_rationale).toBe(
    'Free 1 was withdrawn after firing 3: "free" no longer matches, because the host added Clear 1.',
  );
  other.run();
  const rule = other.why("R~1");
  expect(rule.upward_rationale).toBe(
    'R 1 was withdrawn at firing 4: "more" no longer matches, because Q 1 was withdrawn.',
  );
  expect(sentences(rule)).toContain(
    'Q 1 was withdrawn at firing 4: "adult" no longer matches, because "young" changed P 1.',
  );
});

test("a match that begins again, and facts that support each other, are told apart", () => {
  const session = open(70);
  session.update("P~1", { age: 20 });
  const again = session.why("Q~1");
  expect(again.upward_rationale).toBe(
    'Q 1 was withdrawn after firing 3: the match of "adult" began again, because the host changed P 1.',
  );
  expect(sentences(again)).toContainEqual(expect.stringMatching(/^"adult" matched again for p = P 1: age is 20\b/u));
  const circle = compile(`type S(#id: string) type A(#id: string) type B(#id: string)
    rule "start" { when s: S then insert logical A(id: s.id) }
    rule "there" { when a: A then insert logical B(id: a.id) }
    rule "back" { when b: B then insert logical A(id: b.id) }
    S("1")`).session();
  circle.run();
  circle.retract("S~1");
  expect(circle.facts()).toEqual([]);
  const [headline = "", ...others] = sentences(circle.why("A~1"));
  expect(headline).toMatch(/^A 1 was withdrawn after firing 3: .*because the host retracted S 1\.$/u);
  expect(others).toContain('"start" no longer matched for s = S 1: there is no fact S 1.');
});

test("a fact that is there again is explained as it is now", () => {
  const session = open(20);
  session.retract("P~1");
  session.assert("P", { id: "1", age: 20 });
  expect(session.why("P~1").upward_rationale).toMatch(/was asserted by the host/u);
  expect(session.withdrawn("P")).toEqual([]);
});

test("an id that no fact had is refused, and a history that does not reach back says so", () => {
  const refused = (session: RuleSession, id: string): unknown => {
    try {
      return session.why(id);
    } catch (error) {
      return error;
    }
  };
  expect(refused(open(20), "Clear~zz")).toMatchObject({
    code: "E532",
    hint: "no fact of this session ever had this id",
  });
  const hint = "it may have been withdrawn before the history of this session begins";
  expect(refused(PROGRAM.session({ from: open(20).snapshot() }), "Clear~zz")).toMatchObject({ code: "E532", hint });
  const short = PROGRAM.session({ history: 1 });
  for (let n = 0; n < 5; n++) short.retract(short.assert("P", { id: `long-name-${n}`, age: 1 }));
  expect(refused(short, "Clear~zz")).toMatchObject({ hint });
  expect(refused(PROGRAM.session({ history: 0 }), "Clear~zz")).toMatchObject({ hint });
});

test("sluice why takes the id and the label of a withdrawn fact, and names the nearest", () => {
  const files = { "a.tsd": `${RULES} P("1", 70) Clear("1")` };
  const ask = (name: string): { out: string; err: string } => runCli(["why", "a.tsd", name], files);
  expect(ask("Q~1").out).toMatch(
    /^Q 1 was withdrawn at firing 3: "adult" no longer matches, because "young" changed P 1/u,
  );
  expect(ask("Q 1").out).toBe(ask("Q~1").out);
  expect(ask("Q 2").err).toContain('no fact "Q 2"\n      = did you mean "Q 1"?');
  expect(ask("Q~2").err).toContain('no fact with id "Q~2"\n      = did you mean "Q~1"?');
  expect(ask("Free 1").err).toContain('no fact "Free 1"\n      = no Free had this label');
});

// ---------------------------------------------------------------- against the events

type Step = readonly [what: "person" | "clear" | "unclear" | "drop" | "run", which: number, age: number];

const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>("person", "person", "clear", "unclear", "drop", "run", "run"),
    fc.nat(2),
    fc.constantFrom(-1, 10, 20, 70),
  ),
  { maxLength: 25 },
);

function take(session: RuleSession, [what, which, age]: Step): unknown {
  const id = String(which);
  if (what === "person") return session.upsert("P", { id, age });
  if (what === "clear") return session.upsert("Clear", { p: id });
  if (what === "run") return session.run();
  return session.retract(what === "drop" ? `P~${id}` : `Clear~${id}`);
}

/** Who withdrew a fact last, and the change before it that no loss of support was. */
interface Seen {
  readonly by: string;
  readonly cause: FactEvent | undefined;
}

test(
  "every withdrawn fact names who withdrew it, and a lost support leads back to the change that was made",
  () => {
    let explained = 0;
    fc.assert(
      fc.property(steps, (history) => {
        const session = PROGRAM.session();
        const seen = new Map<string, Seen>();
        let made: FactEvent | undefined;
        session.on("fact", (event) => {
          if (event.by !== "support") made = event;
          if (event.op === "retract") seen.set(event.id, { by: event.by, cause: made });
        });
        for (const step of history) take(session, step);
        const gone = session.withdrawn().map(({ id }) => id);
        expect(new Set(gone)).toEqual(new Set([...seen.keys()].filter((id) => session.fact(id) === undefined)));
        for (const id of gone) {
          checkWithdrawn(session, id, seen.get(id));
          explained += 1;
        }
      }),
      { numRuns: runs(1000) },
    );
    expect(explained).toBeGreaterThan(0);
  },
  PATIENT,
);

const VERBS = { assert: "added", update: "changed", retract: "retracted" } as const;

function checkWithdrawn(session: RuleSession, id: string, seen: Seen | undefined): void {
  const told = session.why(id);
  checkForm(told);
  const { by = "", cause } = seen ?? {};
  const head = `^${factLabel(id)} was withdrawn( (at|after) firing \\d+)?: `;
  const who = by === "host" ? "the host" : `"${by.replace("rule ", "")}"`;
  if (by !== "support") return expect(told.upward_rationale).toMatch(new RegExp(`${head}${who} retracted it\\.$`, "u"));
  if (cause === undefined) throw new Error("a support is lost by a change");
  const author = cause.by === "host" ? "the host" : `"${cause.by.replace("rule ", "")}"`;
  const root = `because ${author} ${VERBS[cause.op]} ${factLabel(cause.id)}.`;
  expect(
    sentences(told).some((sentence) => sentence.endsWith(root)),
    `${root} in ${sentences(told).join("\n")}`,
  ).toBe(true);
}

test("a match that ended gives only the part that fails as its reason", () => {
  const program = compile(`type P(#id: string, age: number)
type Ban(#p: string)
type Card(#id: string, owner: P)
type Q(#id: string)
type Holder(#id: string)
rule "adult" { when p: P(age >= 18) not Ban(p == p.id) then insert logical Q(id: p.id) }
rule "holder" { when p: P(age >= 18) not Ban(p == p.id) c: Card(owner == p) then insert logical Holder(id: p.id) }`);
  const session = program.session();
  session.assert("P", { id: "1", age: 20 });
  session.assert("Card", { id: "k", owner: "P~1" });
  session.run();
  session.assert("Ban", { p: "1" });
  expect(sentences(session.why("Q~1"))).toContain(
    '"adult" no longer matched for p = P 1: there is a Ban with p == "1" (Ban 1), and there must be none.',
  );
  expect(sentences(session.why("Holder~1"))).toContain(
    '"holder" no longer matched for p = P 1, c = Card k: there is a Ban with p == "1" (Ban 1), and there must be none.',
  );
});
