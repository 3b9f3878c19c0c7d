/**
 * Writes the benchmark programs for CLIPS: types, block rules with patterns, `not`, comparisons, and the actions that change
 * facts. A field that others speak of is bound where it first stands and known by that variable from then on, as a person
 * would write it, so that CLIPS can hash its joins.
 */
import { type Declaration, type Expr, type Pattern, type Rule, type TypeDecl, wholeOf } from "./tree.ts";

export function translate(declarations: readonly Declaration[]): string {
  return declarations.map(declarationText).join("");
}

function declarationText(declaration: Declaration): string {
  if (declaration.kind === "type") return templateText(declaration);
  if (declaration.kind === "rule") return new RuleWriter(declaration).text();
  return "";
}

function templateText({ name, fields }: TypeDecl): string {
  const slots = fields.map((field) => {
    const value = field.default === null ? "" : ` (default ${constant(wholeOf(field.default))})`;
    return `(slot ${field.name.name}${value})`;
  });
  return `(deftemplate ${name.name} ${slots.join(" ")})\n`;
}

/** Texts become symbols, which is what CLIPS is fastest with. */
export function constant(value: unknown): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return value === "" ? "nil" : String(value);
}

class RuleWriter {
  readonly #rule: Rule;
  /** What `v.field` is called, for every field that is bound. */
  readonly #names = new Map<string, string>();
  /** The fields that later patterns, predicates or actions speak of. */
  readonly #needed: ReadonlySet<string>;
  #anonymous = 0;

  constructor(rule: Rule) {
    this.#rule = rule;
    this.#needed = new Set(pathsIn(rule.body));
  }

  text(): string {
    const { name, attributes, body } = this.#rule;
    const salience = attributes.find(({ kind }) => kind === "salience")?.value;
    const declared = salience === undefined ? "" : ` (declare (salience ${salience}))`;
    const elements = body.elements.map((element) =>
      element.kind === "absence"
        ? `(not ${element.elements.map((inner) => this.#pattern(inner, false)).join(" ")})`
        : this.#pattern(element, true),
    );
    const actions = body.actions.map((action) => this.#action(action));
    return `(defrule ${name.name}${declared} ${elements.join(" ")} => ${actions.join(" ")})\n`;
  }

  #pattern({ variable, type, tests }: Pattern, bindable: boolean): string {
    const own = variable?.name ?? `x${this.#anonymous++}`;
    const slots = new Map<string, string[]>();
    const add = (field: string, constraint?: string): void => {
      const all = slots.get(field) ?? [];
      if (constraint !== undefined) all.push(constraint);
      slots.set(field, all);
    };
    for (const path of this.#needed) {
      const [root = "", field = ""] = path.split(".");
      if (root === own) add(field);
    }
    const predicates: Expr[] = [];
    for (const test of tests.flatMap(conjuncts)) {
      const simple = this.#simple(test, own);
      if (simple === undefined) predicates.push(test);
      else add(simple.field, simple.constraint);
    }
    for (const field of predicates.flatMap(fieldsIn)) add(field);
    this.#bind(own, slots, predicates.flatMap(fieldsIn));
    const order = [...slots.keys()];
    /** A predicate stands at the last slot that it speaks of. */
    const placeOf = (test: Expr): number => Math.max(...fieldsIn(test).map((field) => order.indexOf(field)));
    const texts = [...slots].map(([field, constraints], index) => {
      const last = predicates
        .filter((test) => placeOf(test) === index)
        .map((test) => `:${this.#expression(test, own)}`);
      const name = this.#names.get(`${own}.${field}`);
      const given = constraints.filter((constraint) => constraint !== name);
      const parts = [...(name === undefined ? [] : [name]), ...given, ...last];
      return parts.length === 0 ? "" : `(${field} ${parts.join("&")})`;
    });
    const text = `(${type.name} ${texts.join(" ")})`;
    return bindable && variable !== null ? `?${variable.name} <- ${text}` : text;
  }

  /** A field that must equal another variable is known by that variable. */
  #bind(own: string, slots: ReadonlyMap<string, readonly string[]>, inPredicates: readonly string[]): void {
    for (const [field, constraints] of slots) {
      if (!this.#needed.has(`${own}.${field}`) && !inPredicates.includes(field)) continue;
      const same = constraints.find((constraint) => /^\?[\w-]+$/u.test(constraint));
      this.#names.set(`${own}.${field}`, same ?? `?${own}-${field}`);
    }
  }

  /** `field == value`, `field != value`, or several equalities of one field joined by OR. */
  #simple(test: Expr, own: string): { field: string; constraint: string } | undefined {
    if (test.kind === "logic" && test.op === "or") {
      const all = test.items.map((item) => this.#simple(item, own));
      const [first] = all;
      const plain = all.every(
        (one) => one !== undefined && one.field === first?.field && !one.constraint.startsWith("~"),
      );
      return first !== undefined && plain
        ? { field: first.field, constraint: all.map((one) => one?.constraint).join("|") }
        : undefined;
    }
    if (test.kind !== "compare" || (test.op !== "==" && test.op !== "!=")) return undefined;
    const field = ownField(test.left);
    if (field === undefined) return undefined;
    const value = this.#value(test.right);
    return value === undefined ? undefined : { field, constraint: `${test.op === "!=" ? "~" : ""}${value}` };
  }

  /** A constant, or what another variable's field is called. */
  #value(expression: Expr): string | undefined {
    if (expression.kind === "path") return this.#names.get(pathText(expression));
    return "value" in expression ? constant(expression.value) : undefined;
  }

  #expression(expression: Expr, own: string): string {
    switch (expression.kind) {
      case "path":
        return this.#names.get(pathText(expression)) ?? this.#names.get(`${own}.${expression.root.name}`) ?? "nil";
      case "logic":
        return `(${expression.op} ${expression.items.map((item) => this.#expression(item, own)).join(" ")})`;
      case "compare": {
        const words = { "==": "eq", "!=": "neq", "<": "<", "<=": "<=", ">": ">", ">=": ">=" };
        return `(${words[expression.op]} ${this.#expression(expression.left, own)} ${this.#expression(expression.right, own)})`;
      }
      case "chain": {
        const [first, ...rest] = expression.items.map((item) => this.#expression(item, own));
        return rest.reduce((sum, item, index) => `(${expression.ops[index]} ${sum} ${item})`, first ?? "0");
      }
      case "call":
        return `(${expression.name.name} ${expression.args.map((item) => this.#expression(item, own)).join(" ")})`;
      default:
        return constant(wholeOf(expression));
    }
  }

  #action(action: Rule["body"]["actions"][number]): string {
    const text = (expression: Expr): string => this.#expression(expression, "");
    switch (action.kind) {
      case "insert": {
        const slots = action.fact.args.map(({ name, value }) => `(${name?.name} ${text(value)})`);
        return `(assert (${action.fact.type.name} ${slots.join(" ")}))`;
      }
      case "update": {
        const slots = action.changes.entries.map(({ name, value }) => `(${name.name} ${text(value)})`);
        return `(modify ?${action.target.root.name} ${slots.join(" ")})`;
      }
      case "assign":
        return `(modify ?${action.target.root.name} (${action.target.fields[0]?.name} ${text(action.value)}))`;
      case "retract":
        return `(retract ?${action.target.root.name})`;
      case "halt":
        return "(halt)";
      case "call":
        return `(${action.name.name} ${action.args.map(text).join(" ")})`;
    }
  }
}

function conjuncts(test: Expr): readonly Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(conjuncts) : [test];
}

/** The field of the pattern itself that a bare name speaks of. */
function ownField(expression: Expr): string | undefined {
  return expression.kind === "path" && expression.fields.length === 0 ? expression.root.name : undefined;
}

function fieldsIn(test: Expr): string[] {
  if (test.kind === "logic") return test.items.flatMap(fieldsIn);
  if (test.kind !== "compare") return [];
  return [test.left, test.right].flatMap((side) => ownField(side) ?? []);
}

function pathText(expression: Expr & { kind: "path" }): string {
  return [expression.root, ...expression.fields].map(({ name }) => name).join(".");
}

/** All `v.field` anywhere below, but for the targets of changes. */
function pathsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(pathsIn);
  if (typeof node !== "object" || node === null) return [];
  const { kind, target: _, ...rest } = node as { kind?: string; target?: unknown };
  if (kind === "path") {
    const path = node as Expr & { kind: "path" };
    return path.fields.length > 0 ? [pathText(path)] : [];
  }
  return Object.values(rest).flatMap(pathsIn);
}
