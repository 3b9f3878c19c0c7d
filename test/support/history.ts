/** Generated operations made concrete: which fact, which rule, which values; and what must be there afterwards. */
import type { Value } from "../../src/base/value.ts";
import type { OracleFact } from "../oracle/naive.ts";
import type { Case, Domain, FactGene, Operation, RuleGene } from "./engine-arbitrary.ts";
import { POINTS_TO, type Rule, type TypeName } from "./engine-program.ts";
import { nearCopy } from "./near-copy.ts";
import { withoutTies } from "./ties.ts";

export type Fields = Readonly<Record<string, Value>>;
/** Null takes a value away. */
export type Changes = Readonly<Record<string, Value | null>>;

export type Step =
  | { readonly is: "assert"; readonly type: TypeName; readonly fields: Fields }
  /** A second fact with the same key. */
  | { readonly is: "refuse"; readonly type: TypeName; readonly fields: Fields }
  | { readonly is: "retract"; readonly id: string }
  | { readonly is: "update"; readonly id: string; readonly changes: Changes }
  | { readonly is: "add"; readonly name: string; readonly rule: Rule }
  | { readonly is: "remove"; readonly name: string }
  | { readonly is: "run" };

/** Facts and rules as they must be after the steps so far. */
export class History {
  readonly domain: Domain;
  readonly rules = new Map<string, Rule>();
  readonly #facts = new Map<string, OracleFact>();
  /** Every rule there ever was, for near-copies. */
  readonly #seen: Rule[] = [];
  readonly #counts = new Map<string, number>();
  #order = 0;

  constructor(domain: Domain, genes: readonly RuleGene[]) {
    this.domain = domain;
    for (const gene of genes) this.#addRule(gene);
  }

  get facts(): readonly OracleFact[] {
    return [...this.#facts.values()];
  }

  /** The operations that begin and then continue a case. */
  static operations({ facts, operations }: Case): readonly Operation[] {
    return [...facts.map((fact): Operation => ({ is: "assert", fact })), ...operations];
  }

  /** The step that an operation means here; undefined when there is nothing to do it to. */
  plan(operation: Operation): Step | undefined {
    switch (operation.is) {
      case "assert":
        return this.#planAssert(operation.fact);
      case "retract": {
        const fact = this.#choose(operation.which);
        return fact === undefined ? undefined : { is: "retract", id: fact.id };
      }
      case "update":
        return this.#planUpdate(operation);
      case "touch":
        return this.#planTouch(operation);
      case "duplicate": {
        const fact = this.#choose(operation.which);
        if (fact === undefined) return undefined;
        return { is: fact.type === "A" ? "refuse" : "assert", type: fact.type as TypeName, fields: fact.fields };
      }
      case "add":
        return { is: "add", name: this.#nextName(), rule: this.#ruleOf(operation.gene) };
      case "remove": {
        const names = [...this.rules.keys()];
        const name = names[operation.which % names.length];
        return name === undefined ? undefined : { is: "remove", name };
      }
      case "run":
        return { is: "run" };
    }
  }

  /** Takes note of a step. A fact that was asserted gets the id that the engine gave it, or the one it should have. */
  note(step: Step, id: string = this.nextId(step)): void {
    switch (step.is) {
      case "assert":
        this.#counts.set(step.type, (this.#counts.get(step.type) ?? 0) + 1);
        this.#facts.set(id, { id, type: step.type, fields: step.fields, order: this.#order++ });
        return;
      case "retract":
        this.#facts.delete(step.id);
        return;
      case "update": {
        const fact = this.#facts.get(step.id);
        if (fact !== undefined) this.#facts.set(step.id, { ...fact, fields: merge(fact.fields, step.changes) });
        return;
      }
      case "add":
        this.rules.set(step.name, step.rule);
        this.#seen.push(step.rule);
        return;
      case "remove":
        this.rules.delete(step.name);
        return;
      case "refuse":
      case "run":
        return;
    }
  }

  /** After rules have fired: these are the facts now, in order. */
  replace(facts: readonly { readonly id: string; readonly type: string; readonly fields: Fields }[]): void {
    this.#facts.clear();
    for (const { id, type, fields } of facts) this.#facts.set(id, { id, type, fields, order: this.#order++ });
  }

  /** `A~key`, or `B~@n` where n counts the facts of the type that were ever asserted. */
  nextId(step: Step): string {
    if (step.is !== "assert" && step.is !== "refuse") return "";
    const key = step.fields["k"];
    if (typeof key === "string") return `A~${escapeKey(key)}`;
    return `${step.type}~@${(this.#counts.get(step.type) ?? 0) + 1}`;
  }

  // ------------------------------------------------------------ rules

  #addRule(gene: RuleGene): void {
    this.note({ is: "add", name: this.#nextName(), rule: this.#ruleOf(gene) });
  }

  #nextName(): string {
    const { ruleNames } = this.domain;
    return ruleNames?.[this.#seen.length] ?? `r${this.#seen.length + 1}`;
  }

  #ruleOf(gene: RuleGene): Rule {
    const original = gene.is === "near" ? this.#seen[gene.of % this.#seen.length] : undefined;
    const rule = original === undefined || gene.is === "new" ? gene.rule : nearCopy(original, gene.change);
    return this.domain.stableReferences === true ? (withoutTies(rule) as Rule) : rule;
  }

  // ------------------------------------------------------------ facts

  #choose(which: number): OracleFact | undefined {
    const facts = this.facts;
    return facts[which % facts.length];
  }

  #planAssert(gene: FactGene): Step {
    const key = gene.type === "A" ? { k: this.#key(gene.key) } : {};
    const points = this.#reference(gene.type, gene.points);
    const fields = { ...key, ...gene.fields, ...(points === null ? {} : { r: points }) };
    const step = { is: "assert" as const, type: gene.type, fields };
    return this.#facts.has(this.nextId(step)) && gene.type === "A" ? { ...step, is: "refuse" } : step;
  }

  /** A key that is free, if there is one; the first one is taken as it is, so that it is refused now and then. */
  #key(number: number): string {
    const { keys } = this.domain;
    const wanted = keys[number % keys.length] ?? "";
    const free = keys.filter((key) => !this.#facts.has(`A~${escapeKey(key)}`));
    return number === 0 || free.includes(wanted) ? wanted : (free[0] ?? wanted);
  }

  #planUpdate(operation: Extract<Operation, { is: "update" }>): Step | undefined {
    const fact = this.#choose(operation.which);
    if (fact === undefined) return undefined;
    const { fields, points } = operation.change;
    const reference = points === undefined ? {} : { r: this.#reference(fact.type as TypeName, points) };
    return { is: "update", id: fact.id, changes: { ...fields, ...reference } };
  }

  #planTouch(operation: Extract<Operation, { is: "touch" }>): Step | undefined {
    const fact = this.#choose(operation.which);
    if (fact === undefined) return undefined;
    const entries = Object.entries(fact.fields).filter(([name]) => name !== "k");
    const [name, value] = entries[operation.field % entries.length] ?? ["n", 0];
    return { is: "update", id: fact.id, changes: { [name]: value } };
  }

  /** The id of a fact that may be there, may come, or may be gone. */
  #reference(from: TypeName, number: number | null): string | null {
    if (number === null) return null;
    const type = POINTS_TO[from];
    if (type === "A") return `A~${escapeKey(this.domain.keys[number % this.domain.keys.length] ?? "")}`;
    return this.domain.stableReferences === true ? `${type}~@99` : `${type}~@${number + 1}`;
  }
}

export function merge(fields: Fields, changes: Changes): Fields {
  const merged: Record<string, Value> = { ...fields };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

function escapeKey(key: string): string {
  return key.replaceAll("%", "%25").replaceAll("~", "%7E").replaceAll("_", "%5F").replaceAll(" ", "%20");
}
