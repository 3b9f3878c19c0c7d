/** D12: explanations of firings are true. A firing needs what its explanation says that it needs. */
import { idOfLabel, LABEL } from "../support/labels-of-facts.ts";
import { expect, test } from "vitest";
import { type Explanation, explanationSteps, type Fired, type RuleSession } from "../../src/index.ts";
import type * as ast from "../../src/language/ast.ts";
import { forEachNode } from "../../src/language/walk.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { bindingsText, checkForm, claim, matchesOf, rigOf } from "../support/explained.ts";
import { forAllCases } from "../support/minimise.ts";
import { programOf } from "../support/rig.ts";

/** Only patterns and tests, none of which looks at other facts. */
function isPositive({ body }: ast.RuleDecl): boolean {
  let plain = body.kind === "slash" || body.elements.every(({ kind }) => kind === "pattern" || kind === "where");
  forEachNode(body, ({ kind }) => {
    if (["exists", "exists-in", "aggregate-in", "aggregate-source", "absence", "or"].includes(String(kind)))
      plain = false;
  });
  return plain;
}

/** The ids of the facts that the steps below a firing name: `r1_1 is B #1`, `the B is B #1`. */
function namedFacts({ children }: Explanation, session: Parameters<typeof idOfLabel>[0]): string[] {
  return children.flatMap(({ observation }) => {
    const [, label] = NAMED.exec(observation) ?? [];
    return label === undefined ? [] : (idOfLabel(session, label) ?? []);
  });
}

const NAMED = new RegExp(`^(?:the )?\\w+ is (${LABEL})`, "u");

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
        const [id] = namedFacts(explanation, rig.session);
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
