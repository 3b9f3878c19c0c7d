/**
 * Conditions inside tests: a condition has the value that the oracle of gates gives, whether a rule, a query, another condition
 * or a gate asks it. Compared after every change of random histories, with the brute-force matcher as a third opinion.
 */
import { expect, test } from "vitest";
import { compile, type Program, type RuleSession, SeededRandom } from "../../src/index.ts";
import { naiveMatches } from "../../src/prove/naive.ts";
import { type GateModel, type OracleFact, type Tri, subjectsOf, type TreeModel, valueOf } from "../oracle/gates.ts";
import { PATIENT, runs } from "../support/cases.ts";
import {
  below,
  conditionsText,
  MODEL_FUNCTIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomGate,
  randomPerson,
  randomSubject,
  risky,
  treeText,
} from "../support/gate-model.ts";

const CHANGES = 6;

function even(n: unknown): boolean {
  if (typeof n !== "number" || n === 3) throw new Error("not for me");
  return n % 2 === 0;
}

const FUNCTIONS = { even: even as never, risky: risky as never };
const NAIVE_FUNCTIONS = new Map(Object.entries({ even, risky })) as never;

/** A gate whose tree can stand in a condition: without quorums, which only gates have. */
function randomModel(random: Random): GateModel {
  for (;;) {
    const gate = randomGate(random, "g");
    if (gate.subjects === undefined || hasQuorum(gate.tree)) continue;
    return { ...gate, bochvar: false, verified: false };
  }
}

function hasQuorum(tree: TreeModel): boolean {
  if (tree.op === "leaf") return tree.leaf.kind === "facts" || tree.leaf.kind === "people";
  return tree.op === "least" || tree.items.some(hasQuorum);
}

function textOf(gate: GateModel): string {
  const of = gate.subjects === "all" ? "x: S" : 'x: S(x.kind == "p")';
  return `${MODEL_TYPES}
type Held(id: number, value: string)
${conditionsText([gate])}
condition whole(x: S) : ${treeText(gate.tree, true)}
condition twice(x: S) : whole(x) and (whole(x) or x.kind == "q")
rule "true" { when ${of} where whole(x) then insert logical Held(id: x.id, value: "T") }
rule "false" { when ${of} where not whole(x) then insert logical Held(id: x.id, value: "F") }
rule "inside" : {x: S} / x.kind == x.kind AND twice(x) ==> log(x.id)
query holds { ${of} where twice(x) }
gate "asked" for ${of} { require twice(x) }
`;
}

class Player {
  readonly #random: Random;
  readonly #gate: GateModel;
  readonly #program: Program;
  readonly #session: RuleSession;
  #next = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#gate = randomModel(random);
    this.#program = compile(textOf(this.#gate), { functions: MODEL_FUNCTIONS });
    const sharing = random() < 0.8;
    this.#session = this.#program.session({ facts: "none", functions: FUNCTIONS, sharing, indexing: random() < 0.8 });
  }

  play(): void {
    this.#session.batch(() => {
      for (let id = 0; id < 2; id++) this.#assertSubject(id);
      for (let count = below(this.#random, 4); count > 0; count--) this.#assertEvidence();
    });
    this.compare();
    for (let change = 0; change < CHANGES; change++) {
      this.#change();
      this.compare();
    }
  }

  #assertSubject(id: number): void {
    const kind = pick(this.#random, ["p", "p", "q"]);
    this.#session.assert("S", { id, ...randomSubject(this.#random), kind, born: ++this.#next });
  }

  #assertEvidence(): void {
    const about = { id: ++this.#next, s: below(this.#random, 2), who: randomPerson(this.#random) };
    this.#session.assert("E", { ...about, ...randomEvidence(this.#random) });
  }

  #change(): void {
    const evidence = this.#session.facts("E");
    const chosen = this.#random();
    if (chosen < 0.35 || evidence.length === 0) this.#assertEvidence();
    else if (chosen < 0.5) this.#session.retract(pick(this.#random, evidence));
    else if (chosen < 0.8) {
      const fields = { ...randomEvidence(this.#random), who: randomPerson(this.#random), s: below(this.#random, 2) };
      const [field, value] = pick(this.#random, Object.entries(fields));
      this.#session.update(pick(this.#random, evidence).id, { [field]: value ?? null });
    } else {
      const fields = { ...randomSubject(this.#random), kind: pick(this.#random, ["p", "q"]) };
      const [field, value] = pick(this.#random, Object.entries(fields));
      this.#session.update(pick(this.#random, this.#session.facts("S")).id, { [field]: value ?? null });
    }
  }

  compare(): void {
    this.#session.run();
    const facts = this.#session.facts() as readonly OracleFact[];
    const values = subjectsOf(this.#gate, facts).map(
      (subject) => [subject, valueOf(this.#gate, subject, facts)] as const,
    );
    const held = (value: Tri): unknown[] =>
      values.filter(([, one]) => one === value).map(([subject]) => subject?.fields["id"]);
    const inserted = (value: Tri): unknown[] =>
      facts
        .filter(({ type, fields }) => type === "Held" && fields["value"] === value)
        .map(({ fields }) => Number(fields["id"]))
        .toSorted((a, b) => a - b);
    const where = `${textOf(this.#gate)}\n${JSON.stringify(facts)}`;
    expect(inserted("T"), where).toEqual(held("T"));
    expect(inserted("F"), where).toEqual(held("F"));
    const rows = this.#session
      .query("holds")
      .map((row) => (row as unknown as { x: { fields: { id: unknown } } }).x.fields.id);
    expect(rows, where).toEqual(held("T"));
    const outcomes = this.#session.gates("asked").map(({ outcome }) => outcome);
    const wanted = values.map(([subject, value]) => {
      const second = value === "T" ? "T" : subject?.fields["kind"] === "q" ? "T" : value;
      return value === "F" || second === "F" ? "fail" : value === "U" ? "hold" : "pass";
    });
    expect(outcomes, where).toEqual(wanted);
    const matched = naiveMatches(
      this.#program.checked,
      facts.map((fact, order) => ({ ...fact, fields: { ...fact.fields } as never, order })),
      { functions: NAIVE_FUNCTIONS },
    );
    const naive = (rule: string): unknown[] =>
      (matched.get(rule) ?? []).map((match) => Number(match.facts[0]?.slice(2)));
    expect(naive("true"), where).toEqual(held("T"));
    expect(naive("false"), where).toEqual(held("F"));
  }
}

test(
  "a condition has the same value in a rule, in a query, in another condition and in a gate",
  () => {
    for (let seed = 0; seed < runs(1_000); seed++) {
      const random = new SeededRandom(seed);
      new Player(() => random.next()).play();
    }
  },
  PATIENT,
);
