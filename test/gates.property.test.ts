/**
 * Gates against the oracle: random requirements, random histories of facts, compared after every change; outcomes that
 * are written, and reactions that fire, after every run; the same after a snapshot and after a reload.
 */
import { expect, test } from "vitest";
import { compile, type GateAnswer, type GateTree, type Program, type RuleSession, SeededRandom } from "../src/index.ts";
import {
  fewestMissing,
  type GateModel,
  leaves,
  leafValues,
  type OracleFact,
  subjectsOf,
  type Tri,
  valueOf,
} from "./oracle/gates.ts";
import { PATIENT, runs } from "./support/cases.ts";
import {
  below,
  gateText,
  MODEL_CONDITIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomGate,
  randomPerson,
} from "./support/gate-model.ts";

const HISTORIES = 50;
const CHANGES = 6;
const OUTCOMES = { T: "pass", U: "hold", F: "fail" } as const;
const STATUSES = { T: "true", U: "unknown", F: "false" } as const;
const FUNCTIONS = {
  even: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
} as const;

function even(n: unknown): boolean {
  if (n === 3) throw new Error("three is not for me");
  if (typeof n !== "number") throw new Error("no number");
  return n % 2 === 0;
}

const OPTIONS = { facts: "none", functions: { even: even as never } } as const;

interface Written {
  readonly gate: string;
  readonly subject: string | null;
  readonly outcome: string;
}

class Player {
  readonly #random: Random;
  readonly #gates: readonly GateModel[];
  readonly #program: Program;
  readonly #text: string;
  #session: RuleSession;
  #next = 0;
  /** The outcome that was written last, by gate and subject. */
  #written = new Map<string, Written>();

  constructor(random: Random, gates: readonly GateModel[], program: Program, text: string) {
    this.#random = random;
    this.#gates = gates;
    this.#program = program;
    this.#text = text;
    this.#session = program.session(OPTIONS);
  }

  play(): void {
    this.#fill();
    this.#compare();
    for (let change = 0; change < CHANGES; change++) {
      this.#change();
      this.#compare();
    }
    this.#run();
  }

  #fill(): void {
    this.#session.batch(() => {
      for (let id = 0; id < 2; id++) this.#assertSubject(id);
      for (let count = below(this.#random, 4); count > 0; count--) this.#assertEvidence();
    });
  }

  #assertSubject(id: number): void {
    this.#next += 1;
    const a = pick(this.#random, [0, 1, 2, 3, "2", undefined]);
    this.#session.assert("S", { id, a, kind: pick(this.#random, ["p", "p", "q"]), born: this.#next });
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
    else if (chosen < 0.14) this.#restore();
    else if (chosen < 0.17) this.#reload();
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
    if (this.#random() < 0.5) this.#session.update(id, { kind: pick(this.#random, ["p", "q"]) });
    else this.#session.update(id, { a: pick(this.#random, [0, 1, 2, 3, "2", null]) });
  }

  #restore(): void {
    const snapshot = JSON.parse(JSON.stringify(this.#session.snapshot())) as ReturnType<RuleSession["snapshot"]>;
    this.#session = this.#program.session({ ...OPTIONS, from: snapshot });
  }

  /** To a program without the first gate, and back. */
  #reload(): void {
    const without = this.#text.replace(/gate "g0"[^]*?\n\}/u, "");
    this.#session.reload(compile(without, { functions: FUNCTIONS }));
    this.#session.reload(this.#program);
    this.#written = new Map([...this.#written].filter(([, { gate }]) => gate !== "g0"));
  }

  #run(): void {
    const { effects, gates } = this.#session.run();
    const expected = this.#expected();
    const reached = [...expected].filter(([key, { outcome }]) => this.#written.get(key)?.outcome !== outcome);
    const said = effects.map(({ args }) => args.join(" "));
    const wanted = reached.map(([, { gate, subject, outcome }]) => `${gate} ${outcome} ${subject?.slice(2) ?? 0}`);
    const told = `${this.#text}\n${JSON.stringify(this.#facts())}`;
    expect(said.toSorted(), told).toEqual(wanted.toSorted());
    const all = [...expected.values()];
    expect(gates.map(({ gate, subject, outcome }) => ({ gate, subject, outcome }))).toEqual(all);
    const facts = this.#session.facts("GateResult").map(({ fields }) => ({ subject: null, ...fields }));
    expect(facts.map(sorted).toSorted()).toEqual(all.map(sorted).toSorted());
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
      const subjects = subjectsOf(gate, facts);
      expect(this.#session.gates(gate.name).map((answer) => answer.subject)).toEqual(
        subjects.map((subject) => subject?.id ?? null),
      );
      for (const subject of subjects) this.#compareOne(gate, subject, facts);
    }
  }

  #compareOne(gate: GateModel, subject: OracleFact | undefined, facts: readonly OracleFact[]): void {
    const answer = this.#session.gate(gate.name, subject?.id);
    const value = valueOf(gate, subject, facts);
    const values = leafValues(gate, subject, facts);
    const told = `${this.#text}\n${JSON.stringify(facts)}\n${gate.name} ${subject?.id}`;
    expect(answer.outcome, told).toBe(OUTCOMES[value]);
    expect(leafStatuses(answer.tree), told).toEqual(values.map((one) => STATUSES[one]));
    expect(answer.tree.value, told).toBe(answer.status);
    this.#compareMissing(gate, answer, value, values, told);
  }

  #compareMissing(gate: GateModel, answer: GateAnswer, value: Tri, values: readonly Tri[], told: string): void {
    if (value !== "U") return expect(answer.missing, told).toEqual([]);
    const byLeaf = new Map(leaves(gate.tree).map((leaf, index) => [JSON.stringify(leaf), values[index] ?? "U"]));
    if ([...byLeaf.values()].filter((one) => one === "U").length > 5) return;
    expect(answer.missing.length, told).toBe(fewestMissing(gate, byLeaf) ?? 0);
  }
}

function sorted(fields: object): string {
  return JSON.stringify(Object.entries(fields).toSorted());
}

function leafStatuses(tree: GateTree): string[] {
  return tree.kind === "leaf" ? [tree.value] : tree.items.flatMap(leafStatuses);
}

test(
  "after every change every gate has the outcome, the leaves and the smallest missing set that the oracle gives",
  () => {
    const source = new SeededRandom(20_260);
    const random: Random = () => source.next();
    const programs = Math.ceil(runs() / HISTORIES);
    for (let number = 0; number < programs; number++) {
      const gates = [randomGate(random, "g0"), randomGate(random, "g1")];
      const text = `${MODEL_TYPES}\n${MODEL_CONDITIONS}\n${gates.map(gateText).join("\n")}`;
      const program = compile(text, { functions: FUNCTIONS });
      for (let history = 0; history < HISTORIES; history++) new Player(random, gates, program, text).play();
    }
  },
  PATIENT,
);
