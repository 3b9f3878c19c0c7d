/** D12: the explanation why a rule does not fire is true. What blocks it blocks it, and the suggested changes work. */
import { idOfLabel, LABEL } from "../support/labels-of-facts.ts";
import { expect, test } from "vitest";
import type { WhyNot } from "../../src/index.ts";
import type { ExplainContext } from "../../src/explain/read/context.ts";
import { explainNot } from "../../src/explain/tell/why-not.ts";
import type * as ast from "../../src/language/ast.ts";
import { snapshotOf } from "../../src/session/snapshot.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { type Bindings, checkForm, claim, copyOf, rigOf } from "../support/explained.ts";
import { checkHeadline } from "../support/headlines.ts";
import { forAllCases } from "../support/minimise.ts";
import { programOf, type Rig } from "../support/rig.ts";

function checkWhyNot(answer: WhyNot): void {
  checkForm(answer);
  const allTrue = answer.children.every(({ outcome }) => outcome === "true");
  claim(allTrue === (answer.hindrance !== "no match"), answer.upward_rationale);
  if (allTrue) return;
  claim(answer.failing !== undefined, "the first failing test is named");
  const counts = answer.prefixes.map(({ matches }) => matches);
  claim(counts.indexOf(0) === counts.length - 1, "prefixes end with the first that nothing fulfils");
}

function tryRemedies(rig: Rig, answer: WhyNot, fits: (bindings: Bindings) => boolean): number {
  for (const { edits, words } of answer.remedies) {
    claim(edits.length <= 3, words);
    const fresh = copyOf(rig);
    for (const edit of edits) {
      if (edit.op === "update") fresh.update(edit.fact, { [edit.field]: edit.to });
      else if (edit.op === "retract") fresh.retract(edit.fact);
      else if (edit.op === "wait") fresh.advance(edit.until);
      else fresh.assert(edit.type, edit.fields);
    }
    const found = fresh.matches(answer.rule).some(({ bindings }) => fits(bindings));
    claim(found, `${answer.rule}: ${words}`);
  }
  return answer.remedies.length;
}

/** The first rule that has no match, if there is one. */
function unmatched({ checked, session }: Rig): ast.RuleDecl | undefined {
  for (const { decl } of checked.symbols.rules.values()) {
    if (session.matches(decl.name.name).length === 0) return decl;
  }
  return undefined;
}

/** A question about one fact: the first of a rule that begins with a named pattern. */
function askAboutOne(rig: Rig): void {
  for (const { decl } of rig.checked.symbols.rules.values()) {
    if (decl.body.kind !== "block") continue;
    const [first] = decl.body.elements;
    if (first?.kind !== "pattern" || first.variable === null) continue;
    const variable = first.variable.name;
    const [fact] = rig.session.facts(first.type.name);
    if (fact === undefined) continue;
    const answer = rig.session.whyNot(decl.name.name, { [variable]: fact });
    checkWhyNot(answer);
    tryRemedies(rig, answer, (bindings) => {
      const bound = bindings[variable] as { readonly id: string } | undefined;
      return bound?.id === fact.id;
    });
    return;
  }
}

/** The place of a `not` over one pattern behind named patterns only, if that is where the rule ends. */
function endsAtNot({ body }: ast.RuleDecl, { prefixes }: WhyNot): number | undefined {
  if (body.kind !== "block") return undefined;
  const at = prefixes.length - 1;
  const element = body.elements[at];
  const named = body.elements.slice(0, at).every((one) => one.kind === "pattern" && one.variable !== null);
  if (!named || element?.kind !== "absence" || element.quantifier !== "not") return undefined;
  return element.elements.length === 1 && element.elements[0]?.kind === "pattern" ? at : undefined;
}

/** Takes away what is said to stand in the way of a `not`, until it holds; gives how many facts that were. */
function removeBlockers(rig: Rig, decl: ast.RuleDecl, answer: WhyNot): number {
  const rule = decl.name.name;
  const at = endsAtNot(decl, answer);
  const given = answer.deepest as Readonly<Record<string, string>>;
  if (at === undefined) return 0;
  const session = copyOf(rig);
  for (let removed = 0; ; removed++) {
    const step = session.whyNot(rule, given).children[at];
    const label = BLOCKER.exec(step?.observation ?? "")?.[1];
    const blocker = label === undefined ? undefined : idOfLabel(session, label);
    if (step?.outcome === "true") return removed;
    if (blocker !== undefined && Object.values(given).includes(blocker)) return removed;
    // What was removed may be what an earlier test followed a reference to.
    if (step?.observation === "an earlier part does not match") return removed;
    claim(blocker !== undefined && session.retract(blocker), `a fact is named: ${step?.observation}`);
  }
}

const BLOCKER = new RegExp(`^(${LABEL}) exists$`, "u");

/** Why not asks about now. */
const NO_HISTORY: ExplainContext["history"] = {
  pastFacts: () => ({
    change: 0,
    clock: undefined,
    known: false,
    all: () => [],
    facts: () => [],
    fact: () => undefined,
  }),
  removed: () => [],
  isComplete: () => true,
  changeAt: () => undefined,
  firingBefore: () => undefined,
  beforeWrite: () => undefined,
  placed: () => undefined,
};

/** Suggestions that were tried with the facts that matter alone. */
function withFewFacts(rig: Rig, rule: string): WhyNot {
  const { session, checked } = rig;
  const program = programOf(checked);
  const site: ExplainContext = {
    program: checked,
    functions: new Map(),
    namedFacts: new Map(),
    session,
    history: NO_HISTORY,
    wholeUpTo: 0,
    fork: () => copyOf(rig),
    forkOf: (facts) => program.session({ from: snapshotOf(facts, rig.session.numbers) }),
    forkPast: () => session,
    answers: () => [],
    gate: () => undefined,
    flow: () => undefined,
    verdict: () => undefined,
    decision: () => undefined,
    place: () => undefined,
  };
  return explainNot(site, rule);
}

/** Those of them that were not suggested before. */
function withoutKnown(answer: WhyNot, known: WhyNot): WhyNot {
  const told = new Set(known.remedies.map(({ edits }) => JSON.stringify(edits)));
  return { ...answer, remedies: answer.remedies.filter(({ edits }) => !told.has(JSON.stringify(edits))) };
}

test(
  "why not says what the network does, what stands in the way of a not does, what is suggested works in a fresh session, and asking changes nothing",
  () => {
    let asked = 0;
    let helped = 0;
    let removed = 0;
    let withFew = 0;
    forAllCases(SMALL, runs(2_000), (one) => {
      const rig = rigOf(one);
      const before = JSON.stringify(rig.session.snapshot());
      const rule = unmatched(rig);
      if (rule !== undefined) {
        const answer = rig.session.whyNot(rule.name.name);
        claim(answer.hindrance === "no match", answer.hindrance);
        checkWhyNot(answer);
        checkHeadline(answer, " does not fire");
        asked += 1;
        if (tryRemedies(rig, answer, () => true) > 0) helped += 1;
        if (JSON.stringify(rule.body).includes('"not"')) removed += removeBlockers(rig, rule, answer);
        const few = withFewFacts(rig, rule.name.name);
        withFew += few.remedies.length;
        tryRemedies(rig, withoutKnown(few, answer), () => true);
      }
      askAboutOne(rig);
      for (const fact of rig.session.facts()) rig.session.why(fact);
      claim(JSON.stringify(rig.session.snapshot()) === before, "asking changes nothing");
    });
    expect(helped).toBeGreaterThan(asked / 2);
    expect(removed).toBeGreaterThan(0);
    expect(withFew).toBeGreaterThan(0);
  },
  PATIENT,
);
