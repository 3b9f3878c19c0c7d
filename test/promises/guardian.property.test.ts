/**
 * Guardians: the verdict after any history of changes is the verdict on the same facts in a new session; sentences never change
 * a verdict; and `report all` gives the reasons of each line, with the same verdict.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, SeededRandom, type VerdictAnswer } from "../../src/index.ts";
import { GUARDIAN_ACTIONS } from "../../src/language/check/builtin-types.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { verdictHistory, verdictsAfter } from "../support/guardian-histories.ts";
import {
  fillDrafts,
  GUARDED,
  guardianText,
  reporting,
  singleLines,
  withoutSentences,
} from "../support/guardian-model.ts";

test(
  "verdicts after a history are those from scratch, and the facts say what stands",
  () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(verdictHistory, (history) => {
        for (const { verdict, flags, warnings } of verdictsAfter(history))
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
