/** D12 for pipelines: the explanation of a decision has every step in order, `after` last, with the values that led to it. */
import { expect, test } from "vitest";
import { compile, type Explanation, fromLinks, type RuleSession, SeededRandom, toLinks } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { emptied } from "../support/edits.ts";
import { checkForm } from "../support/explained.ts";
import type { Random } from "../support/gate-model.ts";
import { fillDrafts, GUARDED, pipelineText } from "../support/guardian-model.ts";

/** A program is used for so many sets of facts; fewer where there are few cases, so that each kind of line occurs. */
const setsFor = (cases: number): number => Math.ceil(Math.min(cases, 20_000) / 400);

/** What a step says of itself when it is not told from its tests. */
const UNTOLD = /^step \w+ (?:ends|notes|allows|does not apply)/u;

function claim(holds: boolean, what: string, about: () => unknown): void {
  if (!holds) expect.unreachable(`${what}: ${JSON.stringify(about(), undefined, 1)}`);
}

function stepOf(explained: Explanation, name: string): Explanation | undefined {
  return explained.children.find(({ downward_rationale: asked }) => asked.startsWith(`step ${name} `));
}

/** Whether what is told of the facts that a step looks for, and of its exception, leads to what is told of the step. */
function follows({ outcome, children }: Explanation, parts: number): boolean {
  const found = children.slice(0, parts).map((child) => child.outcome);
  const except = children[parts]?.outcome ?? "false";
  if (outcome === "true") return except === "false" && found.every((one) => one === "true");
  if (outcome === "false") return except === "true" || found.includes("false");
  return except !== "true" && !found.includes("false") && [...found, except].includes("unknown");
}

/** From so many cases on, an answer that `after` blocks is among them. */
const MANY = 10_000;

test(
  "every line of a pipeline is a step in written order, and its values lead to what it did",
  () => {
    const random = new SeededRandom(91);
    const next: Random = () => random.next();
    const seen = new Map<string, number>();
    let text = pipelineText(next);
    const open = (): RuleSession => compile(text, GUARDED.compile).session(GUARDED.session);
    let session = open();
    const cases = runs();
    const sets = setsFor(cases);
    for (let done = 0; done < cases; done++) {
      if (done % sets === sets - 1) {
        text = pipelineText(next);
        session = open();
      }
      fillDrafts(emptied(session, GUARDED.types), next);
      const { decisions } = session.run();
      for (const decision of decisions) {
        if (!("pipeline" in decision)) continue;
        const explained = session.why(decision);
        const about = (): unknown => [text, session.facts(), decision, explained];
        checkForm(explained);
        claim(explained.says === decision.decision && explained.value === decision.value, "it says the same", about);
        const lines = session.program.checked.symbols.pipelines.get("p")?.decl.items ?? [];
        claim(explained.children.length === lines.length, "a step for each line", about);
        for (const step of explained.children) {
          claim(!UNTOLD.test(step.upward_rationale), "the values lead to what it did", about);
        }
        for (const { rule, action, reason } of decision.trace.rules_executed) {
          const step = stepOf(explained, rule);
          if (rule === "after") continue;
          claim(step !== undefined, "a step for what was executed", about);
          const line = lines.find((one) => one.kind === "step" && one.name.name === rule);
          const parts =
            line?.kind === "step" && line.when?.kind === "pattern-condition" ? line.when.elements.length : 0;
          if (reason.startsWith(`rule_error:${rule}: `)) seen.set("failed", (seen.get("failed") ?? 0) + 1);
          else if (step?.observation.includes("its values are withheld") === true) {
            claim(explained.decided === "after", "only what after blocked is withheld", about);
            seen.set("withheld", (seen.get("withheld") ?? 0) + 1);
          } else if (parts > 0 && step !== undefined) claim(follows(step, parts), "what was found leads to it", about);
          if (step?.outcome === "unknown") seen.set("unknown", (seen.get("unknown") ?? 0) + 1);
          claim(
            action !== "ALLOW" || !step?.upward_rationale.includes("ends it"),
            "what went on did not end it",
            about,
          );
        }
        claim(toLinks(fromLinks(toLinks(explained))) === toLinks(explained), "links keep it", about);
        seen.set(explained.says, (seen.get(explained.says) ?? 0) + 1);
        seen.set(explained.decided, (seen.get(explained.decided) ?? 0) + 1);
      }
    }
    for (const word of [
      "BLOCK",
      "ANSWER",
      "FORWARD",
      "ERROR",
      "before",
      "after",
      "otherwise",
      "s0",
      "s1",
      "unknown",
      "failed",
    ]) {
      expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
    }
    if (cases >= MANY) expect(seen.get("withheld") ?? 0).toBeGreaterThan(0);
  },
  PATIENT,
);
