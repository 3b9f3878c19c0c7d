/**
 * Fail closed: guardians and pipelines against the oracle of gates. Each answers the same question about facts after every
 * change; what is unknown never passes, never forwards and never answers.
 */
import { expect, test } from "vitest";
import { compile, type RuleSession, SeededRandom } from "../../src/index.ts";
import { type Fit, type GateModel, type LeafModel, type OracleFact, type Tri, valueOf } from "../oracle/gates.ts";
import { PATIENT, runs } from "../support/cases.ts";
import {
  aboutText,
  below,
  fitText,
  MODEL_FUNCTIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomFit,
  randomPerson,
  randomSubject,
  risky,
  sourceText,
} from "../support/gate-model.ts";

const HISTORIES = 20;
const CHANGES = 5;

interface Asked {
  readonly fit: Fit;
  readonly who: string;
}

function patternText({ fit, who }: Asked): string {
  return `e: E(${[...aboutText(fit, true, "e."), `e.who == "${who}"`, ...fitText(fit, "e.")].join(", ")})`;
}

/** The same questions as text and as leaves of the oracle, by name. */
function questions({ fit, who }: Asked): Record<string, { readonly text: string; readonly leaf: LeafModel }> {
  const pattern = patternText({ fit, who });
  return {
    none: { text: `not exists ${pattern}`, leaf: { kind: "none", who, fit } },
    there: { text: `exists ${pattern}`, leaf: { kind: "exists", who, fit } },
    count: { text: `COUNT(${sourceText(fit, true)}) == 1`, leaf: { kind: "count", fit } },
    sum: { text: `SUM(${sourceText(fit, true)} ; e.n) > 3`, leaf: { kind: "sum", fit } },
    pair: {
      text: "EXISTS(e: E, f: E / e.s == x.id AND f.tag == e.tag AND f.lv > 1)",
      leaf: { kind: "pair" },
    },
  };
}

function programText(asked: Asked): string {
  const pattern = patternText(asked);
  const judges = Object.entries(questions(asked)).map(
    ([name, { text }]) => `
    gate "${name}" for x: S { require ${text} }
    guardian "${name}" for x: S { check c { need ${text} as "no" do SAFE_REFUSAL } }
    guardian "not ${name}" for x: S { check c { forbid ${text} as "yes" do SAFE_REFUSAL } }
    pipeline "${name}" for x: S { step s BLOCK "no" unless ${text} otherwise FORWARD "on" }
    pipeline "not ${name}" for x: S { step s BLOCK "no" when ${text} otherwise FORWARD "on" }
    pipeline "answer ${name}" for x: S { step s ANSWER "yes" when ${text} otherwise FORWARD "on" }`,
  );
  return `${MODEL_TYPES} ${judges.join("")}
    guardian "each" for x: S { check c using ${pattern} { need e.n > 2 as "no" do SAFE_REFUSAL } }
    guardian "counted" for x: S { check c using e: E(${[...aboutText(asked.fit, true, "e."), ...fitText(asked.fit, "e.")].join(", ")}) { need count(e) == 1 as "no" do SAFE_REFUSAL } }
    pipeline "found" for x: S { step s BLOCK "no" when ${pattern} otherwise FORWARD "on" }
    pipeline "answer found" for x: S { step s ANSWER "yes" when ${pattern} otherwise FORWARD "on" }`;
}

class Player {
  readonly #random: Random;
  readonly #asked: Asked;
  readonly #text: string;
  readonly #session: RuleSession;
  #next = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#asked = { fit: randomFit(random, true), who: randomPerson(random) };
    this.#text = programText(this.#asked);
    const functions = { even: (() => true) as never, risky: risky as never };
    const indexing = random() < 0.8;
    this.#session = compile(this.#text, { functions: MODEL_FUNCTIONS }).session({ facts: "none", functions, indexing });
    this.#session.assert("S", { id: 0, ...randomSubject(random), kind: "p", born: 0 });
  }

  play(): void {
    this.#compare();
    for (let change = 0; change < CHANGES; change++) {
      this.#change();
      this.#compare();
    }
    for (const { id } of this.#session.facts("E")) this.#session.retract(id);
  }

  #change(): void {
    const evidence = this.#session.facts("E");
    const chosen = this.#random();
    if (evidence.length === 0 || chosen < 0.35) this.#assert();
    else if (chosen < 0.5) this.#session.retract(pick(this.#random, evidence));
    else if (chosen < 0.85) this.#update(pick(this.#random, evidence).id, { ...randomEvidence(this.#random), s: 0 });
    else this.#update("S~0", randomSubject(this.#random));
  }

  #assert(): void {
    this.#next += 1;
    const about = { id: this.#next, s: below(this.#random, 2), who: randomPerson(this.#random) };
    this.#session.assert("E", { ...about, ...randomEvidence(this.#random) });
  }

  #update(id: string, fields: Readonly<Record<string, unknown>>): void {
    const [field, value] = pick(this.#random, Object.entries(fields));
    this.#session.update(id, { [field]: value ?? null });
  }

  #compare(): void {
    for (const [name, { leaf }] of Object.entries(questions(this.#asked))) {
      const value = this.#value(leaf);
      this.#same(`gate ${name}`, this.#session.gate(name).status, { T: "true", F: "false", U: "unknown" }[value]);
      this.#same(`need ${name}`, this.#passes(name), value === "T");
      this.#same(`forbid ${name}`, this.#passes(`not ${name}`), value === "F");
      this.#same(`unless ${name}`, this.#decides(name), value === "T" ? "FORWARD" : "BLOCK");
      this.#same(`when ${name}`, this.#decides(`not ${name}`), value === "F" ? "FORWARD" : "BLOCK");
      this.#same(`answer ${name}`, this.#decides(`answer ${name}`) === "ANSWER", value === "T");
    }
    const { fit, who } = this.#asked;
    this.#same("each", this.#passes("each"), this.#value({ kind: "every", who, fit }) === "T");
    this.#same("counted", this.#passes("counted"), this.#value({ kind: "count", fit }) === "T");
    const found = this.#value({ kind: "exists", who, fit });
    this.#same("found", this.#decides("found"), found === "F" ? "FORWARD" : "BLOCK");
    // a fact for which the function throws blocks, whatever the others say
    const answers = this.#decides("answer found");
    this.#same("answer found", answers === "ANSWER" ? found : "T", "T");
    this.#same("forward found", answers === "FORWARD" && found === "T", false);
  }

  #value(leaf: LeafModel): Tri {
    const gate: GateModel = { name: "", tree: { op: "leaf", leaf }, bochvar: false, verified: false, subjects: "all" };
    const facts: readonly OracleFact[] = this.#session.facts();
    return valueOf(
      gate,
      facts.find(({ id }) => id === "S~0"),
      facts,
    );
  }

  #passes(guardian: string): boolean {
    return this.#session.verdict(guardian, "S~0").verdict === "PASS";
  }

  #decides(pipeline: string): string {
    return this.#session.decide(pipeline, "S~0").decision;
  }

  #same(what: string, found: unknown, wanted: unknown): void {
    if (found === wanted) return;
    expect(found, `${what}\n${this.#text}\n${JSON.stringify(this.#session.facts())}`).toBe(wanted);
  }
}

test(
  "what a gate, a guardian and a pipeline say of a question about facts is what the oracle says",
  () => {
    const source = new SeededRandom(711);
    const random: Random = () => source.next();
    const programs = Math.ceil(runs() / HISTORIES / CHANGES);
    for (let number = 0; number < programs; number++) {
      const player = new Player(random);
      for (let history = 0; history < HISTORIES; history++) player.play();
    }
  },
  PATIENT,
);
