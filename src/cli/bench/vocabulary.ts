/** What the rules of a program compare fields with: constants, and fields of other facts. Read from the plan. */
import type { Plan, PlanExpr, PlanNode, Program, SchemaType, Value } from "../../index.ts";

/** Where values of a field come from: a field of another type, or the ids of its facts. */
export interface Link {
  readonly type: string;
  /** Undefined: the id. */
  readonly field: string | undefined;
}

/** A field to fill. */
export interface FieldPlan {
  readonly name: string;
  readonly type: SchemaType;
  readonly key: boolean;
  readonly optional: boolean;
  readonly constants: readonly Value[];
  readonly links: readonly Link[];
}

/** The types that rules read, in an order in which what a field points to comes first where it can. */
export function vocabularyOf(program: Program): ReadonlyMap<string, readonly FieldPlan[]> {
  const seen = new Seen(program.network());
  const { types } = program.data().schema;
  const read = [...seen.types].filter((type) => types.get(type)?.engineKept !== true);
  const plans = new Map(read.map((type) => [type, fieldsOf(type, program, seen)]));
  const ordered = new Map<string, readonly FieldPlan[]>();
  const open = new Set<string>();
  const visit = (type: string): void => {
    const fields = plans.get(type);
    if (fields === undefined || ordered.has(type) || open.has(type)) return;
    open.add(type);
    for (const { type: declared, links } of fields) {
      if (declared.kind === "ref") visit(declared.type);
      for (const link of links) visit(link.type);
    }
    ordered.set(type, fields);
  };
  for (const type of read) visit(type);
  return ordered;
}

function fieldsOf(type: string, program: Program, seen: Seen): FieldPlan[] {
  const declared = program.data().schema.types.get(type)?.fields;
  const names = seen.fields.get(type) ?? new Set<string>();
  const fields = declared ?? [...names].map((name) => ({ name, ...UNDECLARED }));
  return fields.map(({ name, type: of, key, optional }) => ({
    name,
    type: of,
    key,
    optional,
    constants: [...(seen.constants.get(`${type}.${name}`)?.values() ?? [])],
    links: seen.links.get(`${type}.${name}`) ?? [],
  }));
}

const UNDECLARED = { type: { kind: "any" }, key: false, optional: true } as const;

/** Collects what the nodes of a plan mention. */
class Seen {
  readonly types = new Set<string>();
  readonly fields = new Map<string, Set<string>>();
  /** By `Type.field`. */
  readonly constants = new Map<string, Map<string, Value>>();
  readonly links = new Map<string, Link[]>();
  readonly #nodes: readonly PlanNode[];

  constructor({ nodes }: Plan) {
    this.#nodes = nodes;
    for (const node of nodes) this.#node(node);
  }

  #node(node: PlanNode): void {
    if ((node.kind === "alpha" || node.kind === "join" || node.kind === "lookup") && node.type !== undefined) {
      this.types.add(node.type);
    }
    const own = node.kind === "alpha" || node.kind === "join" ? node.type : undefined;
    forEachExpr(node, (expr) => this.#expr(expr, own));
    if (node.kind === "join") for (const { field, equals } of node.keys) this.#equal(node, field, equals);
  }

  #expr(expr: PlanExpr, own: string | undefined): void {
    if (expr.op === "field") this.#field(expr.type ?? own, expr.field);
    const [field, other] = compared(expr);
    if (field?.op !== "field" || other === undefined) return;
    const items = other.op === "list" ? other.items : [other];
    for (const item of items) if (item.op === "const" && item.value !== null) this.#constant(field, own, item.value);
  }

  #field(type: string | undefined, field: string): void {
    if (type !== undefined) this.fields.set(type, (this.fields.get(type) ?? new Set()).add(field));
  }

  #constant({ type, field }: Extract<PlanExpr, { op: "field" }>, own: string | undefined, value: Value): void {
    const key = `${type ?? own}.${field}`;
    const known = this.constants.get(key) ?? new Map<string, Value>();
    for (const one of Array.isArray(value) ? value : [value]) known.set(JSON.stringify(one), one);
    this.constants.set(key, known);
  }

  #equal(join: Extract<PlanNode, { kind: "join" }>, field: PlanExpr, equals: PlanExpr): void {
    const from = equals.op === "field" || equals.op === "fact" ? this.#typeAt(join, equals.level) : undefined;
    if (from === undefined) return;
    const there: Link = { type: from, field: equals.op === "field" ? equals.field : undefined };
    const here: Link = { type: join.type, field: field.op === "field" ? field.field : undefined };
    // The field that is filled later takes its values from the other: keys are filled first.
    if (here.field !== undefined) this.#link(here, there);
    else if (there.field !== undefined) this.#link(there, here);
  }

  #link(of: Link, to: Link): void {
    const key = `${of.type}.${of.field}`;
    this.links.set(key, [...(this.links.get(key) ?? []), to]);
  }

  /** Returns the type of the fact at a level of the chain before a join. */
  #typeAt(join: Extract<PlanNode, { kind: "join" }>, level: number): string | undefined {
    let node: PlanNode | undefined = join;
    while (node !== undefined && node.kind !== "alpha") {
      if (node.level === level) return node.kind === "join" || node.kind === "lookup" ? node.type : undefined;
      node = node.left === undefined ? undefined : this.#nodes[node.left];
    }
    return undefined;
  }
}

/** Returns the two sides of a comparison, the field first. */
function compared(expr: PlanExpr): [PlanExpr?, PlanExpr?] {
  if (expr.op === "compare" || expr.op === "in" || expr.op === "contains") {
    return expr.left.op === "field" ? [expr.left, expr.right] : [expr.right, expr.left];
  }
  return expr.op === "like" ? [expr.left, expr.pattern] : [];
}

/** Visits every expression in a node. */
function forEachExpr(of: unknown, visit: (expr: PlanExpr) => void): void {
  if (typeof of !== "object" || of === null) return;
  if ("op" in of) visit(of as PlanExpr);
  for (const part of Object.values(of)) forEachExpr(part, visit);
}
