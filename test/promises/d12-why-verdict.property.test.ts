/** D12 for guardians: the explanation of a verdict is true, and the suggested changes help. */
import { expect, test } from "vitest";
import {
  compile,
  fromLinks,
  headline,
  type RuleSession,
  SeededRandom,
  toLinks,
  type VerdictAnswer,
} from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import type { Random } from "../support/gate-model.ts";
import { fillDrafts, GUARDED, guardianText } from "../support/guardian-model.ts";
import { applied, emptied } from "../support/edits.ts";
import { checkForm } from "../support/explained.ts";

/** A program is used for so many sets of facts. */
const SETS = 50;

function claim(holds: boolean, what: string, about: () => unknown): void {
  if (!holds) expect.unreachable(`${what}: ${JSON.stringify(about(), undefined, 1)}`);
}

function eachVerdict(
  cases: number,
  seed: number,
  look: (session: RuleSession, answer: VerdictAnswer, text: string) => void,
): void {
  const random = new SeededRandom(seed);
  const next: Random = () => random.next();
  let text = guardianText(next);
  const open = (): RuleSession => compile(text, GUARDED.compile).session(GUARDED.session);
  let session = open();
  for (let done = 0; done < cases; done++) {
    if (done % SETS === SETS - 1) {
      text = guardianText(next);
      session = open();
    }
    fillDrafts(emptied(session, GUARDED.types), next);
    for (const answer of session.verdicts()) look(session, answer, text);
  }
}

/** What a line says of itself when it is not told from its tests. */
const UNTOLD = /^(?:need|forbid) .* (?:passes\.$|does not pass: )/u;

test(
  "every check and line is a step in written order, and its values lead to what the guardian found",
  () => {
    const seen = new Map<string, number>();
    eachVerdict(runs(), 81, (session, answer, text) => {
      const explained = session.why(answer);
      const about = (): unknown => [text, session.facts(), answer, explained];
      claim(explained.says === answer.verdict, "it says what the guardian says", about);
      claim(explained.outcome === (answer.verdict === "PASS" ? "true" : "false"), "only PASS is true", about);
      checkForm(explained);
      claim(headline(explained).length < 200, "the headline is under 200 characters", about);
      const checks = session.program.checked.symbols.guardians.get("g")?.decl.checks ?? [];
      claim(explained.children.length === checks.length, "a step for each check", about);
      for (const [index, check] of checks.entries()) {
        const lines = explained.children[index]?.children ?? [];
        claim(lines.length === 0 || lines.length === check.lines.length, "a step for each line", about);
        for (const step of lines) claim(!UNTOLD.test(step.upward_rationale), "the values lead to the finding", about);
      }
      claim((explained.decided === undefined) === (answer.verdict === "PASS"), "the line that decided is named", about);
      seen.set(answer.verdict, (seen.get(answer.verdict) ?? 0) + 1);
    });
    for (const verdict of ["PASS", "RETRY", "FAIL"]) expect(seen.get(verdict) ?? 0, verdict).toBeGreaterThan(0);
  },
  PATIENT,
);

test(
  "what would help does, in a session of its own; asking changes nothing",
  () => {
    let helped = 0;
    let passed = 0;
    let asked = 0;
    eachVerdict(runs(2_000), 82, (session, answer, text) => {
      const before = JSON.stringify(session.snapshot());
      const { decided } = session.why(answer);
      const { remedies, final } = session.searchPass("g", answer.subject);
      const about = (): unknown => [text, session.facts(), answer, remedies];
      claim(JSON.stringify(session.snapshot()) === before, "asking changes nothing", about);
      if (answer.verdict === "PASS") claim(remedies.length === 0, "what passes needs nothing", about);
      else if (final === undefined) asked += 1;
      if (remedies.length > 0) helped += 1;
      for (const { edits, verdict, reasons } of remedies) {
        claim(edits.length > 0 && edits.length <= 3, "one to three edits", about);
        const other = applied(session, edits, GUARDED.session);
        const then = other.verdict("g", answer.subject);
        claim(then.verdict === verdict && then.reasons.join() === reasons.join(), "the verdict is as told", about);
        const now = other.why(then).decided;
        claim(JSON.stringify(now) !== JSON.stringify(decided), "the line that decided does so no longer", about);
        if (verdict === "PASS") passed += 1;
      }
    });
    expect(helped).toBeGreaterThan(asked / 2);
    expect(passed).toBeGreaterThan(0);
  },
  PATIENT,
);

test(
  "Links Notation keeps an explanation of a verdict",
  () => {
    eachVerdict(runs(5_000), 83, (session, answer) => {
      const explained = session.why(answer);
      const links = toLinks(explained);
      claim(toLinks(fromLinks(links)) === links, "it is the same again", () => links);
    });
  },
  PATIENT,
);
