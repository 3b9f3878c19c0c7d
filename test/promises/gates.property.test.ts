/**
 * Gates against the oracle: random requirements and random histories of facts, compared after every change. Also compared: the
 * outcomes and reactions after every run, and all of it after a snapshot and after a reload.
 */
import { expect, test } from "vitest";
import {
  compile,
  type GateAnswer,
  type GateTree,
  type OpenOptions,
  type Program,
  type RuleSession,
  SeededRandom,
} from "../../src/index.ts";
import {
  fewestMissing,
  type GateModel,
  leafValues,
  memberValues,
  type OracleFact,
  subjectsOf,
  valueOf,
} from "../oracle/gates.ts";
import { PATIENT, runs } from "../support/cases.ts";
import {
  below,
  conditionsText,
  gateText,
  MODEL_FUNCTIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomGate,
  randomPerson,
  randomSubject,
  risky,
} from "../support/gate-model.ts";

const HISTORIES = 100;
const CHANGES = 5;
const OUTCOMES = { T: "pass", U: "hold", F: "fail" } as const;
const STATUSES = { T: "true", U: "unknown", F: "false" } as const;
function even(n: unknown): boolean {
  if (n === 3) throw new Error("three is not for me");
  if (typeof n !== "number") throw new Error("no number");
  return n % 2 === 0;
}

const OPTIONS = { facts: "none", functions: { even: even as never, risky: risky as never } } as const;

interface Written {
  readonly gate: string;
  readonly subject: string | null;
  readonly outcome: string;
}

interface Case {
  readonly gates: readonly GateModel[];
  readonly text: string;
  readonly program: Program;
  /** Without the first gate. */
  readonly without: Program;
  /** Sharing and indexes are switched off in some cases: they must not matter. */
  readonly options: OpenOptions;
}

class Player {
  readonly #random: Random;
  readonly #case: Case;
  readonly #gates: readonly GateModel[];
  #session: RuleSession;
  #next = 0;
  /** The outcome that was written last, by gate and subject. */
  #written = new Map<string, Written>();

  constructor(random: Random, one: Case) {
    this.#random = random;
    this.#case = one;
    this.#gates = one.gates;
    this.#session = one.program.session(one.options);
  }

  /** One history; the next one begins without facts. */
  play(): void {
    this.#fill();
    this.#compare();
    for (let change = 0; change < CHANGES; change++) {
      this.#change();
      this.#compare();
    }
    this.#run();
    this.#session.batch(() => {
      for (const { id } of [...this.#session.facts("S"), ...this.#session.facts("E")]) this.#session.retract(id);
    });
    if (this.#random() < 0.5) this.#run();
  }

  #fill(): void {
    this.#session.batch(() => {
      for (let id = 0; id < 2; id++) this.#assertSubject(id);
      for (let count = below(this.#random, 4); count > 0; count--) this.#assertEvidence();
    });
  }

  #assertSubject(id: number): void {
    this.#next += 1;
    const kind = pick(this.#random, ["p", "p", "q"]);
    this.#session.assert("S", { id, ...randomSubject(this.#random), kind, born: this.#next });
  }

  #assertEvidence(): void {
    this.#next += 1;
    const about = { id: this.#next, s: below(this.#random, 2), who: randomPerson(this.#random) };
    this.#session.assert("E", { ...about, ...randomEvidence(this.#random) });
  }

  #change(): void {
    const evidence = this.#session.facts("E");
    const subjects = this.#session.facts("S");
    const chosen = this.#random();
    if (chosen < 0.1) this.#run();
    else if (chosen < 0.11) this.#restore();
    else if (chosen < 0.13) this.#reload();
    else if (chosen < 0.45 || evidence.length === 0) this.#assertEvidence();
    else if (chosen < 0.6) this.#session.retract(pick(this.#random, evidence));
    else if (chosen < 0.85) this.#updateEvidence(pick(this.#random, evidence).id);
    else if (chosen < 0.95 && subjects.length > 0) this.#updateSubject(pick(this.#random, subjects).id);
    else if (subjects.length === 2) this.#session.retract(pick(this.#random, subjects));
    else this.#assertSubject(subjects.some((fact) => fact.id === "S~0") ? 1 : 0);
  }

  #updateEvidence(id: string): void {
    const fields = { ...randomEvidence(this.#random), who: randomPerson(this.#random), s: below(this.#random, 2) };
    const [field, value] = pick(this.#random, Object.entries(fields));
    this.#session.update(id, { [field]: value ?? null });
  }

  #updateSubject(id: string): void {
    const fields = { ...randomSubject(this.#random), kind: pick(this.#random, ["p", "q"]) };
    const [field, value] = pick(this.#random, Object.entries(fields));
    this.#session.update(id, { [field]: value ?? null });
  }

  #restore(): void {
    const snapshot = JSON.parse(JSON.stringify(this.#session.snapshot())) as ReturnType<RuleSession["snapshot"]>;
    this.#session = this.#case.program.session({ ...this.#case.options, from: snapshot });
  }

  /** To a program without the first gate, and back. Without sharing, rules do not stay the same through a reload. */
  #reload(): void {
    if (this.#case.options.sharing === false) return;
    this.#session.reload(this.#case.without);
    this.#session.reload(this.#case.program);
    this.#written = new Map([...this.#written].filter(([, { gate }]) => gate !== "g0"));
  }

  #run(): void {
    const { effects, gates } = this.#session.run();
    const expected = this.#expected();
    const reached = [...expected].filter(([key, { outcome }]) => this.#written.get(key)?.outcome !== outcome);
    const said = effects.map(({ args }) => args.map(String).join(" "));
    const wanted = reached.map(([, { gate, subject, outcome }]) => `${gate} ${outcome} ${subject?.slice(2) ?? 0}`);
    this.#same(said.toSorted(), wanted.toSorted());
    const all = [...expected.values()];
    this.#same(gates.map(fieldsText), all.map(fieldsText));
    const facts = this.#session.facts("GateResult").map(({ fields }) => fieldsText(fields as unknown as Written));
    this.#same(facts.toSorted(), all.map(fieldsText).toSorted());
    this.#written = expected;
  }

  #expected(): Map<string, Written> {
    const facts = this.#facts();
    const expected = new Map<string, Written>();
    for (const gate of this.#gates) {
      for (const subject of subjectsOf(gate, facts)) {
        const outcome = OUTCOMES[valueOf(gate, subject, facts)];
        const key = `${gate.name} ${String(subject?.fields["born"])}`;
        expected.set(key, { gate: gate.name, subject: subject?.id ?? null, outcome });
      }
    }
    return expected;
  }

  #facts(): OracleFact[] {
    return this.#session.facts();
  }

  #compare(): void {
    const facts = this.#facts();
    for (const gate of this.#gates) {
      const answers = this.#session.gates(gate.name);
      const subjects = subjectsOf(gate, facts);
      this.#same(
        answers.map((answer) => answer.subject),
        subjects.map((subject) => subject?.id ?? null),
      );
      for (const [index, subject] of subjects.entries()) this.#compareOne(gate, answers[index], subject, facts);
    }
  }

  #compareOne(
    gate: GateModel,
    answer: GateAnswer | undefined,
    subject: OracleFact | undefined,
    facts: readonly OracleFact[],
  ): void {
    const value = valueOf(gate, subject, facts);
    const values = leafValues(gate, subject, facts);
    this.#same([answer?.outcome, answer?.tree.value], [OUTCOMES[value], answer?.status]);
    this.#same(
      answer === undefined ? [] : leafStatuses(answer.tree),
      values.map((one) => STATUSES[one]),
    );
    this.#same(
      answer === undefined ? [] : memberStatuses(answer.tree),
      memberValues(gate, subject, facts).map(([id, one]) => `${id} ${STATUSES[one]}`),
    );
    const missing = answer?.missing.length ?? 0;
    const fewest = value === "U" ? fewestMissing(gate, subject, facts) : new Set<number>();
    if (fewest !== undefined) this.#same([fewest.size === 0 ? missing === 0 : fewest.has(missing)], [true]);
  }

  /** The words are made only when they are needed: this is asked a million times. */
  #same(found: readonly unknown[], expected: readonly unknown[]): void {
    if (found.length === expected.length && found.every((one, index) => one === expected[index])) return;
    expect(found, `${this.#case.text}\n${JSON.stringify(this.#facts())}`).toEqual(expected);
  }
}

function randomCase(random: Random): Case {
  const gates = [randomGate(random, "g0"), randomGate(random, "g1")];
  const [first = "", second = ""] = gates.map(gateText);
  const before = `${MODEL_TYPES}\n${conditionsText(gates)}\n`;
  const text = `${before}${first}\n${second}`;
  const program = compile(text, { functions: MODEL_FUNCTIONS });
  const options = { ...OPTIONS, sharing: random() < 0.8, indexing: random() < 0.8 };
  return { gates, text, program, without: compile(`${before}${second}`, { functions: MODEL_FUNCTIONS }), options };
}

function fieldsText({ gate, subject, outcome }: Written): string {
  return `${gate} ${subject ?? "nobody"} ${outcome}`;
}

/** The values of the parts that the author wrote: a population is one of them, whatever facts it has. */
function leafStatuses(tree: GateTree): string[] {
  return tree.kind === "leaf" || isPopulation(tree) ? [tree.value] : tree.items.flatMap(leafStatuses);
}

function memberStatuses(tree: GateTree): string[] {
  if (tree.kind === "leaf") return tree.member === undefined ? [] : [`${tree.member} ${tree.value}`];
  return tree.items.flatMap(memberStatuses);
}

function isPopulation(tree: GateTree): boolean {
  return tree.kind === "at least" && tree.items.some((item) => item.kind === "leaf" && item.member !== undefined);
}

test(
  "after every change every gate has the outcome, the leaves and the smallest missing set that the oracle gives",
  () => {
    const source = new SeededRandom(20_260);
    const random: Random = () => source.next();
    const programs = Math.ceil(runs() / HISTORIES);
    for (let number = 0; number < programs; number++) {
      const one = randomCase(random);
      const player = new Player(random, one);
      for (let history = 0; history < HISTORIES; history++) player.play();
    }
  },
  PATIENT,
);
