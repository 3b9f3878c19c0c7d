/**
 * Tests agendas that were recorded from CLIPS, compared as sets, with the naive matcher and with the engine.
 *
 * Known difference: CLIPS gives one activation for each branch of `or`; here the same facts found twice are one match.
 */
import { describe, expect, test } from "vitest";
import { check, type CheckedProgram, compile, type FactHandle } from "../../src/index.ts";
import { naiveMatches, type OracleFact } from "../oracle/naive.ts";
import { isFact } from "../support/rig.ts";
import {
  type ClipsFact,
  type Dialogue,
  lacking,
  readDialogues,
  translateFact,
  translateRule,
} from "../support/clips.ts";

const dialogues = readDialogues();
const translated = dialogues.filter((dialogue) => lacking(dialogue) === undefined);

test("all dialogues but those with multifield variables can be translated", () => {
  expect(dialogues).toHaveLength(169);
  expect(dialogues.filter((one) => lacking(one) !== undefined).map(({ id }) => id)).toEqual([
    "drtest07#267", // (fact $?x here $?x)
    "drtest08#283", // (a ?x $?y d $?z ?x)
  ]);
});

/** The facts of a dialogue by number: an ordered fact that is already there is not asserted again. */
class WorkingMemory {
  readonly #facts = new Map<number, ClipsFact>();
  #count = 0;

  /** The number of the fact if it is new. */
  assert(fact: ClipsFact): number | undefined {
    const text = JSON.stringify(fact);
    if ([...this.#facts.values()].some((other) => JSON.stringify(other) === text)) return undefined;
    this.#count += 1;
    this.#facts.set(this.#count, fact);
    return this.#count;
  }

  retract(number: number): void {
    expect(this.#facts.delete(number)).toBe(true);
  }

  clear(): void {
    this.#facts.clear();
    this.#count = 0;
  }

  get facts(): readonly OracleFact[] {
    return [...this.#facts].map(([number, fact]) => ({ id: `f-${number}`, order: number, ...translateFact(fact) }));
  }
}

/** What a matcher of `.tsd` does at each step; `agenda` gives the facts of every match: `rule: f-1,f-2`. */
interface Player {
  defrule(source: string): void;
  assert(number: number, fact: ClipsFact): void;
  retract(number: number): void;
  agenda(): readonly string[];
}

function play(dialogue: Dialogue, player: Player): number {
  const memory = new WorkingMemory();
  const assert = (fact: ClipsFact): void => {
    const number = memory.assert(fact);
    if (number !== undefined) player.assert(number, fact);
  };
  const retract = (number: number): void => {
    memory.retract(number);
    player.retract(number);
  };
  let agendas = 0;
  for (const step of dialogue.steps) {
    const rule = dialogue.rules.find(({ name }) => name === step.defrule);
    if (rule !== undefined) player.defrule(translateRule(rule));
    for (const number of step.retract ?? []) retract(number);
    if (step.reset !== undefined) {
      for (const { order } of memory.facts) retract(order);
      memory.clear();
    }
    for (const fact of step.assert ?? step.reset ?? []) assert(fact);
    if (step.expectAgenda === undefined) continue;
    agendas += 1;
    expect(asSet(player.agenda()), `agenda ${agendas}`).toEqual(asSet(step.expectAgenda));
  }
  return agendas;
}

/** A star stands at the same places in every activation of a rule, so it says nothing. */
function asSet(agenda: readonly string[]): readonly string[] {
  const lines = agenda.map((line) => {
    const at = line.lastIndexOf(":");
    const facts = line
      .slice(at + 1)
      .trim()
      .split(",");
    return `${line.slice(0, at)}: ${facts.filter((fact) => fact !== "*").join(",")}`;
  });
  return [...new Set(lines)].sort();
}

class NaivePlayer implements Player {
  #source = "";
  readonly #facts = new Map<number, OracleFact>();
  #program: CheckedProgram = check("");

  defrule(source: string): void {
    this.#source += `${source}\n`;
    this.#program = check(this.#source);
    expect(this.#program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  }

  assert(number: number, fact: ClipsFact): void {
    this.#facts.set(number, { id: `f-${number}`, order: number, ...translateFact(fact) });
  }

  retract(number: number): void {
    this.#facts.delete(number);
  }

  matches(): ReturnType<typeof naiveMatches> {
    return naiveMatches(this.#program, [...this.#facts.values()]);
  }

  agenda(): readonly string[] {
    return [...this.matches()].flatMap(([rule, matches]) =>
      matches.map((match) => `${rule}: ${match.facts.join(",")}`),
    );
  }
}

describe("the naive matcher has the agendas of CLIPS", () => {
  test.each(translated)("$id", (dialogue) => {
    play(dialogue, new NaivePlayer());
  });

  test("there are 559 of them", () => {
    const agendas = translated.flatMap(({ steps }) => steps).filter((step) => step.expectAgenda !== undefined);
    expect(agendas).toHaveLength(559);
  });
});

/** The engine shows only facts that have a variable, so it is compared with what the naive matcher shows of them. */
class EnginePlayer implements Player {
  readonly #naive = new NaivePlayer();
  readonly #session = compile("").session({ facts: "none" });
  readonly #handles = new Map<number, FactHandle>();
  readonly #numbers = new Map<string, string>();

  defrule(source: string): void {
    this.#naive.defrule(source);
    this.#session.reload(this.#session.program.extend(source));
  }

  assert(number: number, fact: ClipsFact): void {
    this.#naive.assert(number, fact);
    const { type, fields } = translateFact(fact);
    const handle = this.#session.assert(type, fields);
    this.#handles.set(number, handle);
    this.#numbers.set(handle.id, `f-${number}`);
  }

  retract(number: number): void {
    this.#naive.retract(number);
    this.#session.retract(this.#handles.get(number) ?? "");
  }

  agenda(): readonly string[] {
    const found = [...this.#naive.matches()].map(([rule, matches]) => {
      const texts = matches.map((match) =>
        Object.values(match.bindings).map((bound) => ("fact" in bound ? bound.fact : "")),
      );
      expect(this.#bindings(rule)).toEqual(texts.map((ids) => ids.sort().join()).sort());
      return matches.map((match) => `${rule}: ${match.facts.join(",")}`);
    });
    return found.flat();
  }

  #bindings(rule: string): string[] {
    const texts = this.#session.matches(rule).map(({ bindings }) =>
      Object.values(bindings).map((bound) => {
        return isFact(bound) ? (this.#numbers.get(bound.id) ?? "") : "";
      }),
    );
    return texts.map((ids) => ids.sort().join()).sort();
  }
}

describe("the engine has the agendas of CLIPS", () => {
  test.each(translated)("$id", (dialogue) => {
    play(dialogue, new EnginePlayer());
  });
});
