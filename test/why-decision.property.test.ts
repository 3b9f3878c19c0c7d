/** Random pipelines over random facts: why a request was decided so. */
import { expect, test } from "vitest";
import { compile, type Explanation, fromLinks, type Program, SeededRandom, toLinks } from "../src/index.ts";
import { PATIENT, runs } from "./support/cases.ts";
import { checkForm } from "./support/explained.ts";
import type { Random } from "./support/gate-model.ts";
import { fillDrafts, GUARDED, pipelineText } from "./support/guardian-model.ts";

/** A program is used for so many sets of facts. */
const SETS = 50;

/** What a step says of itself when it is not told from its tests. */
const UNTOLD = /^step \w+ (?:ends|notes|allows|does not apply|is not known)/u;

function claim(holds: boolean, what: string, about: () => unknown): void {
  if (!holds) expect.unreachable(`${what}: ${JSON.stringify(about(), undefined, 1)}`);
}

function stepOf(explained: Explanation, name: string): Explanation | undefined {
  return explained.children.find(({ downward_rationale: asked }) => asked.startsWith(`step ${name} `));
}

test(
  "every line of a pipeline is a step in written order, and its values lead to what it did",
  () => {
    const random = new SeededRandom(91);
    const next: Random = () => random.next();
    const seen = new Map<string, number>();
    let text = pipelineText(next);
    let program: Program = compile(text, GUARDED.compile);
    const cases = runs();
    for (let done = 0; done < cases; done++) {
      if (done % SETS === SETS - 1) program = compile((text = pipelineText(next)), GUARDED.compile);
      const session = program.session(GUARDED.session);
      fillDrafts(session, next);
      const { decisions } = session.run();
      for (const decision of decisions) {
        if (!("pipeline" in decision)) continue;
        const explained = session.why(decision);
        const about = (): unknown => [text, session.facts(), decision, explained];
        checkForm(explained);
        claim(explained.says === decision.decision && explained.value === decision.value, "it says the same", about);
        const lines = program.checked.symbols.pipelines.get("p")?.decl.items ?? [];
        claim(explained.children.length === lines.length, "a step for each line", about);
        for (const step of explained.children) {
          claim(!UNTOLD.test(step.upward_rationale), "the values lead to what it did", about);
        }
        for (const { rule, action } of decision.trace.rules_executed) {
          const step = stepOf(explained, rule);
          if (rule === "after") continue;
          claim(step !== undefined, "a step for what was executed", about);
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
    for (const word of ["BLOCK", "ANSWER", "FORWARD", "ERROR", "before", "after", "otherwise", "s0", "s1"]) {
      expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
    }
  },
  PATIENT,
);
