/**
 * Fail closed: what passes under a tight limit passes under a generous one. Random programs derive facts through chains of
 * rules and judges; they run with a limit of a few live matches, so that some rule is switched off, and again without reaching
 * a limit. Every gate that passes, guardian that says PASS and pipeline that lets a request through must do so in both.
 */
import { expect, test } from "vitest";
import { compile, type Program, type RuleSession, SeededRandom, SessionError } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const BASE = ["A", "B", "C"] as const;
/** Derived facts, in layers: a rule of a layer writes its type and may read the layers before it. */
const LAYERS = ["D0", "D1", "D2"] as const;
const FACTS_PER_PROGRAM = 12;
const FIRINGS = 150;

/** Writes programs. */
class Writer {
  readonly #random: SeededRandom;
  #variables = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<One>(list: readonly [One, ...One[]]): One {
    return list[this.below(list.length)] ?? list[0];
  }

  program(): string {
    const rules = LAYERS.flatMap((type, layer) => this.#several(1 + this.below(2), () => this.#rule(type, layer)));
    return `type R(#id: string, n: number)
      ${[...BASE, ...LAYERS].map((type) => `type ${type}(n: number, m: number)`).join("\n")}
      type S(#n: number)
      action act(n: number)
      ${rules.join("\n")}
      ${this.#subjects()}
      ${this.#judges()}
      ${this.#afterwards()}`;
  }

  #several(count: number, write: () => string): string[] {
    return Array.from({ length: count }, write);
  }

  /** The types that something of a layer may read. */
  #readable(layer: number): string {
    return this.pick([...BASE, ...LAYERS.slice(0, layer)] as [string, ...string[]]);
  }

  #rule(type: string, layer: number): string {
    this.#variables += 1;
    const name = `r${this.#variables}`;
    const first = this.#readable(layer);
    const group = this.below(8) === 0 ? 'group "late"' : "";
    const elements = [`x: ${first}${this.#tests()}`, ...this.#several(this.below(3), () => this.#element(layer))];
    return `rule ${name} ${group} { when ${elements.join(" ")} then ${this.#action(type, first)} }`;
  }

  #action(type: string, first: string): string {
    const fact = `${type}(n: x.n, m: ${this.pick(["x.m", "0", "1"])})`;
    switch (this.below(14)) {
      case 0:
        return "retract x";
      case 1:
        return first === "A" ? "x.m = 3" : `insert logical ${fact}`;
      case 2:
        return "act(x.n)";
      case 3:
        return 'focus("late")';
      case 4:
        return this.below(3) === 0 ? "halt" : `insert logical ${fact}`;
      case 5:
      case 6:
      case 7:
        return `insert ${fact}`;
      default:
        return `insert logical ${fact}`;
    }
  }

  #element(layer: number): string {
    this.#variables += 1;
    const variable = `v${this.#variables}`;
    const type = this.#readable(layer);
    switch (this.below(8)) {
      case 0:
        return `not ${type}(n == x.n)`;
      case 1:
        return `exists ${type}(m == x.m)`;
      case 2:
        return `not (${variable}: ${type} ${this.#readable(layer)}(n == ${variable}.n))`;
      case 3:
        return `where COUNT(${variable}: ${type} / ${variable}.n == x.n) ${this.pick(["<", ">="])} ${1 + this.below(2)}`;
      default:
        return `${variable}: ${type}${this.#tests()}`;
    }
  }

  #tests(): string {
    return this.pick(["", "", "(n >= 0)", "(m >= 1)", "(n > 0)"]);
  }

  /** Subjects that a rule makes. */
  #subjects(): string {
    return `rule subjects { when x: ${this.#readable(3)} then insert logical S(n: x.n) }`;
  }

  #asked(of: string): string {
    const type = this.#readable(3);
    return this.pick([
      `not exists ${type}(n == ${of})`,
      `exists ${type}(n == ${of})`,
      `not exists ${type}(m >= ${of})`,
    ]);
  }

  #judges(): string {
    const [a, b] = [this.#asked("r.n"), this.#asked("r.n")];
    const required = this.pick([a, `${a} and ${b}`, `${a} or ${b}`, `at least 1 of (${a}, not (${b}))`]);
    const logic = this.below(4) === 0 ? "logic bochvar" : "";
    return `gate "g" for r: R { ${logic} require ${required} }
      gate "s" for r: S { require ${this.#asked("r.n")} }
      guardian "u" for r: R {
        retry at most 0
        check c using e: ${this.#readable(3)}(e.n == r.n) {
          forbid ${this.#asked("r.n").replace(/^not /u, "")} as "no" do SAFE_REFUSAL
          ${this.pick(['forbid count(e) > 1 as "many" do SAFE_REFUSAL', 'need count(e) < 2 as "few" do SAFE_REFUSAL', ""])}
        }
      }
      pipeline "p" for r: R {
        step b BLOCK "b" when ${this.#asked("r.n")}
        step s ${this.pick(['ANSWER "known"', 'NOTE "n"', 'BLOCK "c"'])} when e: ${this.#readable(3)}(e.n == r.n)
        ${this.pick(['step g BLOCK "g" unless gate g(r) passes', 'step u BLOCK "u" unless guardian u(r) passes', ""])}
        otherwise FORWARD "on"
      }`;
  }

  /** Facts that follow from outcomes, and what is judged by them. */
  #afterwards(): string {
    const result = this.pick([
      `GateResult(gate == "g", outcome == "${this.pick(["pass", "hold", "fail"])}")`,
      `GateResult(gate == "s", outcome == "${this.pick(["pass", "hold"])}")`,
      'Verdict(verdict == "PASS")',
      'Verdict(guardian == "u", verdict == "FAIL")',
    ]);
    return `type E(n: number)
      rule after { when v: ${result} then insert logical E(n: 1) }
      flow "f" for r: R {
        stage first { decide g(r) on pass goto open otherwise goto closed }
        stage open final
        stage closed final
      }
      gate "late" for r: R { require ${this.pick(["not exists E(n == 1)", 'exists FlowStage(flow == "f", stage == "open")', 'not exists FlowStage(stage == "closed")'])} }`;
  }
}

interface Change {
  readonly type: string;
  readonly fields: Readonly<Record<string, number | string>>;
}

function factsOf(writer: Writer): Change[][] {
  const some = (): Change[] => [
    { type: "R", fields: { id: `r${writer.below(1_000_000)}`, n: writer.below(2) } },
    ...Array.from({ length: 1 + writer.below(7) }, () => ({
      type: writer.pick(BASE),
      fields: { n: writer.below(2), m: writer.below(3) },
    })),
  ];
  return Array.from({ length: 1 + writer.below(2) }, some);
}

interface Outcome {
  /** What lets a request through: `gate g R~r1`. */
  readonly passes: ReadonlySet<string>;
  readonly tripped: boolean;
}

/** Undefined when a run did not come to its end: then there is nothing to compare. */
function play(program: Program, steps: readonly (readonly Change[])[]): RuleSession | undefined {
  let session: RuleSession | undefined = undefined;
  const act = (n: unknown): void => {
    const found = session?.facts("C").find(({ fields }) => fields["n"] === n);
    if (found !== undefined) session?.retract(found);
  };
  session = program.session({ actions: { act } });
  try {
    for (const changes of steps) {
      const open = session;
      open.batch(() => {
        for (const { type, fields } of changes) open.assert(type, fields);
      });
      open.run({ limit: FIRINGS });
    }
  } catch (error) {
    if (error instanceof SessionError && ["E510", "E512"].includes(error.code)) return undefined;
    throw error;
  }
  return session;
}

function outcomeOf(session: RuleSession): Outcome {
  const gates = session.gates().filter(({ outcome }) => outcome === "pass");
  const verdicts = session.verdicts().filter(({ verdict }) => verdict === "PASS");
  const decisions = session.decisions().filter(({ decision }) => decision === "FORWARD" || decision === "ANSWER");
  return {
    passes: new Set([
      ...gates.map(({ gate, subject }) => `gate ${gate} ${subject}`),
      ...verdicts.map(({ guardian, subject }) => `guardian ${guardian} ${subject}`),
      ...decisions.map(
        ({ pipeline, subject, decision, value }) => `pipeline ${pipeline} ${subject} ${decision} ${value}`,
      ),
    ]),
    tripped: session.problems.some(({ code }) => code === "E511"),
  };
}

const ROOMY = { limits: { liveMatches: 1_000_000 } };

test(
  "what passes with a rule switched off passes with all rules",
  () => {
    const seen = { cases: 0, tripped: 0, both: 0, closed: 0 };
    const programs = Math.ceil(runs(3000) / FACTS_PER_PROGRAM);
    for (let seed = 1; seed <= programs; seed++) {
      const writer = new Writer(seed);
      const source = writer.program();
      const tight = compile(source, { limits: { liveMatches: 4 + writer.below(24) } });
      const roomy = compile(source, ROOMY);
      for (let one = 0; one < FACTS_PER_PROGRAM; one++) {
        const steps = factsOf(writer);
        const [session, other] = [play(tight, steps), play(roomy, steps)];
        if (session === undefined || other === undefined) continue;
        const [under, free] = [outcomeOf(session), outcomeOf(other)];
        const copy = outcomeOf(tight.session({ from: session.snapshot() }));
        const where = `${source}\n${JSON.stringify(steps)}\n${JSON.stringify(session.problems)}`;
        const wrong = [...under.passes, ...copy.passes].filter((pass) => !free.passes.has(pass));
        expect(wrong, where).toEqual([]);
        expect(copy.tripped, where).toBe(under.tripped || copy.tripped);
        seen.cases += 1;
        if (!under.tripped) continue;
        seen.tripped += 1;
        seen.both += under.passes.size > 0 ? 1 : 0;
        seen.closed += free.passes.size > under.passes.size ? 1 : 0;
      }
    }
    // The generator must bring about what the property is about.
    expect(seen.tripped / seen.cases).toBeGreaterThan(0.2);
    expect(seen.both / seen.tripped).toBeGreaterThan(0.02);
    expect(seen.closed / seen.tripped).toBeGreaterThan(0.1);
  },
  PATIENT,
);
