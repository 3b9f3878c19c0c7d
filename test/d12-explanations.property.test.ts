/** D12: explanations are true. What they call needed is needed, what they suggest works, and they say what the network does. */
import { expect, test } from "vitest";
import { type Explanation, explanationSteps, type Fired, type RuleSession, type WhyNot } from "../src/index.ts";
import type { ExplainSite } from "../src/explain/site.ts";
import { explainNot } from "../src/explain/why-not.ts";
import type * as ast from "../src/language/ast.ts";
import { forEachNode } from "../src/language/walk.ts";
import { snapshotOf } from "../src/session/snapshot.ts";
import { PATIENT, runs } from "./support/cases.ts";
import { type Case, SMALL } from "./support/engine-arbitrary.ts";
import { forAllCases } from "./support/minimise.ts";
import { isFact, programOf, Rig } from "./support/rig.ts";

/** Thousands of these in every case: `expect` would take most of the time. */
function claim(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** A session that has followed a history, with its program. */
function rigOf(one: Case): Rig {
  const rig = new Rig(SMALL, one.rules);
  for (const fact of one.facts) rig.follow({ is: "assert", fact });
  for (const operation of one.operations) if (operation.is !== "run") rig.follow(operation);
  return rig;
}

/** Another session with the same facts. */
function copyOf(rig: Rig): RuleSession {
  return programOf(rig.checked).session({ from: rig.session.snapshot() });
}

type Bindings = Readonly<Record<string, unknown>>;

/** The variables of the matches of a rule, facts as ids. */
function matchesOf(session: RuleSession, rule: string): string[] {
  return session.matches(rule).map(({ bindings }) => {
    const ids = Object.entries(bindings).map(([name, bound]) => [name, isFact(bound) ? bound.id : bound]);
    return bindingsText(Object.fromEntries(ids) as Bindings);
  });
}

function bindingsText(bindings: Bindings): string {
  return JSON.stringify(Object.entries(bindings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkForm(root: Explanation): void {
  const all = [...explanationSteps(root)];
  claim(new Set(all.map((step) => step.unit_id)).size === all.length, "ids are unique");
  for (const step of all) {
    for (const text of [step.observation, step.downward_rationale, step.upward_rationale]) {
      claim(text !== "", `no text is empty: ${step.unit_id}`);
    }
    claim((step.decision === "decompose") === step.children.length > 0, "decompose exactly where there are children");
    claim((step.method === undefined) === (step.decision !== "direct_method"), "a method exactly on tested leaves");
    for (const [index, child] of step.children.entries()) {
      claim(child.unit_id === `${step.unit_id}.${index + 1}`, "the number of the child is part of its id");
      claim(child.depth === step.depth + 1, "depth counts");
    }
  }
}

// ---------------------------------------------------------------- fired rules

/** Only patterns and tests, none of which looks at other facts. */
function isPositive({ body }: ast.RuleDecl): boolean {
  let plain = body.kind === "slash" || body.elements.every(({ kind }) => kind === "pattern" || kind === "where");
  forEachNode(body, ({ kind }) => {
    if (["exists", "exists-in", "aggregate-in", "aggregate-source", "absence", "or"].includes(String(kind)))
      plain = false;
  });
  return plain;
}

/** The facts that the steps below a firing name: `r1_1 is B~@1`, `the B is B~@1`. */
function namedFacts({ children }: Explanation): string[] {
  return children.flatMap(({ observation }) => /^(?:the )?\w+ is ([ABC]~[^\s,]*)/u.exec(observation)?.slice(1) ?? []);
}

/** How many steps a test has: one for every operator and every leaf. */
function nodes(test: ast.Expr): number {
  if (test.kind === "logic") return test.items.reduce((sum, item) => sum + nodes(item), 1);
  return test.kind === "not" ? 1 + nodes(test.operand) : 1;
}

function checkSteps(rule: ast.RuleDecl, { children }: Explanation): void {
  const { body } = rule;
  if (body.kind !== "block") return;
  claim(children.length === body.elements.length, "a step for every element");
  body.elements.forEach((element, index) => {
    const step = children[index];
    if (step === undefined) throw new Error("a step for every element");
    const count = [...explanationSteps(step)].length;
    if (element.kind === "where") claim(count === nodes(element.test), "where");
    if (element.kind === "aggregate") claim(count === 1, "an aggregate");
    if (element.kind === "pattern") {
      claim(count === element.tests.reduce((sum, test) => sum + nodes(test), 1), "a pattern");
    }
  });
}

test(
  "what a firing is said to need, it needs; it has one step for every pattern, operator and leaf of its condition",
  () => {
    let needed = 0;
    forAllCases(SMALL, runs(8_000), (one) => {
      const rig = rigOf(one);
      const before = rig.session.snapshot();
      const { fired } = rig.session.run();
      const told = new Set<string>();
      let tried = false;
      for (const firing of fired) {
        if (told.has(firing.rule)) continue;
        told.add(firing.rule);
        const explanation = rig.session.why(firing);
        checkForm(explanation);
        claim(
          explanation.children.every(({ outcome }) => outcome === "true"),
          explanation.upward_rationale,
        );
        const rule = rig.checked.symbols.rules.get(firing.rule)?.decl;
        if (rule === undefined) continue;
        checkSteps(rule, explanation);
        const [id] = namedFacts(explanation);
        if (tried || id === undefined || !isPositive(rule)) continue;
        checkNeeded(programOf(rig.checked).session({ from: before }), firing, id);
        tried = true;
        needed += 1;
      }
    });
    expect(needed).toBeGreaterThan(0);
  },
  PATIENT,
);

/** Without the fact the match is gone. */
function checkNeeded(before: RuleSession, { rule, bindings }: Fired, id: string): void {
  const wanted = bindingsText(bindings);
  const count = (): number => matchesOf(before, rule).filter((text) => text === wanted).length;
  const matches = count();
  before.retract(id);
  claim(count() < matches, `${rule} needs ${id}`);
}

// ---------------------------------------------------------------- rules that do not fire

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

test(
  "why not says what the network does, what it suggests works in a fresh session, and asking changes nothing",
  () => {
    let asked = 0;
    let helped = 0;
    forAllCases(SMALL, runs(4_000), (one) => {
      const rig = rigOf(one);
      const before = JSON.stringify(rig.session.snapshot());
      const rule = unmatched(rig);
      if (rule !== undefined) {
        const answer = rig.session.whyNot(rule.name.name);
        claim(answer.hindrance === "no match", answer.hindrance);
        checkWhyNot(answer);
        asked += 1;
        if (tryRemedies(rig, answer, () => true) > 0) helped += 1;
      }
      askAboutOne(rig);
      for (const fact of rig.session.facts()) rig.session.why(fact);
      claim(JSON.stringify(rig.session.snapshot()) === before, "asking changes nothing");
    });
    expect(helped).toBeGreaterThan(asked / 2);
  },
  PATIENT,
);

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
function removeBlockers(rig: Rig, decl: ast.RuleDecl): number {
  const rule = decl.name.name;
  const answer = rig.session.whyNot(rule);
  const at = endsAtNot(decl, answer);
  const given = answer.deepest as Readonly<Record<string, string>>;
  if (at === undefined) return 0;
  const session = copyOf(rig);
  for (let removed = 0; ; removed++) {
    const step = session.whyNot(rule, given).children[at];
    const blocker = /^([ABC]~\S*) is there$/u.exec(step?.observation ?? "")?.[1];
    if (step?.outcome === "true") return removed;
    if (blocker !== undefined && Object.values(given).includes(blocker)) return removed;
    // What was removed may be what an earlier test followed a reference to.
    if (step?.observation === "what stands before it is not fulfilled") return removed;
    claim(blocker !== undefined && session.retract(blocker), `a fact is named: ${step?.observation}`);
  }
}

/** Suggestions that were tried with the facts that matter alone. */
function withFewFacts(rig: Rig, rule: string): WhyNot {
  const { session, checked } = rig;
  const program = programOf(checked);
  const site: ExplainSite = {
    program: checked,
    functions: new Map(),
    namedFacts: new Map(),
    session,
    wholeUpTo: 0,
    fork: () => copyOf(rig),
    forkOf: (facts) => program.session({ from: snapshotOf(facts, rig.session.numbers) }),
    answers: () => [],
    gate: () => undefined,
    verdict: () => undefined,
    decision: () => undefined,
    place: () => undefined,
  };
  return explainNot(site, rule);
}

test(
  "what stands in the way of a not does, and what is tried with the facts that matter alone works with all of them",
  () => {
    let removed = 0;
    let helped = 0;
    forAllCases(SMALL, runs(3_000), (one) => {
      const rig = rigOf(one);
      const rule = unmatched(rig);
      if (rule === undefined) return;
      if (JSON.stringify(rule.body).includes('"not"')) removed += removeBlockers(rig, rule);
      helped += tryRemedies(rig, withFewFacts(rig, rule.name.name), () => true);
    });
    expect(removed).toBeGreaterThan(0);
    expect(helped).toBeGreaterThan(0);
  },
  PATIENT,
);
