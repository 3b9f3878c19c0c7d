/** Puts other names in the places of a tree where a name of the program stands. */
import type * as ast from "../ast.ts";
import { itemsOfCall } from "../items-of-calls.ts";
import { type Group, nameOf } from "./declared.ts";

/** What names become. */
export interface Lookup {
  /** Returns the new name of what the file declares. */
  readonly declared: (group: Group, name: string) => string;
  /** Returns the new name of what a name means that is used. */
  readonly used: (group: Group, ident: ast.Ident) => string;
  /** Returns whether a name that is used means something of a group. */
  readonly means: (group: Group, ident: ast.Ident) => boolean;
  /** Returns the path with new names; `isField` says whether a name is a field of the pattern around it. */
  readonly path: (path: ast.PathExpr, isField: (name: string) => boolean) => ast.PathExpr;
  /** Returns the fields of a type by its new name; undefined when it is not declared. */
  readonly fields: (type: string) => ReadonlySet<string> | undefined;
}

/** The places of names that are used: for each kind of node its properties with the group of their names. */
const PLACES: Readonly<Record<string, Readonly<Record<string, Group>>>> = {
  pattern: { type: "type" },
  source: { type: "type" },
  "fact-literal": { type: "type" },
  "remove-fact": { type: "type" },
  row: { query: "query" },
  decide: { gate: "gate" },
  verify: { guardian: "guardian" },
  "remove-rule": { rule: "rule" },
  "expect-rule": { rule: "rule" },
  "expect-gate": { gate: "gate" },
  "expect-verdict": { guardian: "guardian" },
  "expect-decision": { pipeline: "pipeline" },
};

/** Returns a statement or an expression with new names; parts without names stay the same objects. */
export function renamed<Tree extends ast.Declaration | ast.Expr>(tree: Tree, lookup: Lookup): Tree {
  return new Renaming(lookup).tree(tree);
}

const NO_FIELD = (): boolean => false;

type Node = Readonly<Record<string, unknown>>;

class Renaming {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  tree<Tree extends ast.Declaration | ast.Expr>(tree: Tree): Tree {
    const made = this.#part(tree, NO_FIELD, false) as Tree;
    const declared = nameOf(tree as ast.Declaration);
    if (declared === undefined) return made;
    const unique = this.#lookup.declared(declared.group, declared.name.name);
    return unique === declared.name.name ? made : { ...made, name: named(declared.name, unique) };
  }

  #part(part: unknown, isField: (name: string) => boolean, isAction: boolean): unknown {
    if (Array.isArray(part)) {
      const items = part.map((item: unknown) => this.#part(item, isField, isAction));
      return items.some((item, at) => item !== part[at]) ? items : part;
    }
    if (typeof part !== "object" || part === null) return part;
    const node = part as Node;
    if (node["kind"] === "path") return this.#lookup.path(part as ast.PathExpr, isField);
    if (node["kind"] === "named") return this.#typeRef(part as ast.NamedTypeRef);
    return this.#node(this.#isCall(node) ? { ...itemsOfCall(part as ast.RowElement) } : node, isField, isAction);
  }

  /** Returns whether a node is the row of a query that calls a function: `l in billing.parts(o)`. */
  #isCall(node: Node): boolean {
    if (node["kind"] !== "row") return false;
    const { query } = node as unknown as ast.RowElement;
    return !this.#lookup.means("query", query) && this.#lookup.means("value", query);
  }

  #node(node: Node, isField: (name: string) => boolean, isAction: boolean): Node {
    const own = this.#ownNames(node, isAction);
    const inner = this.#fieldsInside({ ...node, ...own }, isField);
    const changed: Record<string, unknown> = { ...own };
    for (const [key, child] of Object.entries(node)) {
      if (key === "span" || typeof child !== "object" || key in own) continue;
      const made = this.#part(child, inner(key), HOLDS_ACTIONS.has(key));
      if (made !== child) changed[key] = made;
    }
    return Object.keys(changed).length === 0 ? node : { ...node, ...changed };
  }

  /** Returns the names that a node itself uses, as they become. */
  #ownNames(node: Node, isAction: boolean): Record<string, unknown> {
    const { kind } = node as { readonly kind?: string };
    const places = kind === undefined ? undefined : kind === "call" ? CALLS[isAction ? 1 : 0] : PLACES[kind];
    const own: Record<string, unknown> = {};
    for (const [key, group] of Object.entries(places ?? {})) this.#note(own, key, node[key] as ast.Ident, group);
    if (kind === "outcome") {
      const { name, of } = node as unknown as ast.OutcomeExpr;
      this.#note(own, "name", name, of);
    }
    if (kind === "xuple") {
      const { space } = node as unknown as ast.XupleAction;
      const used = this.#lookup.used("xuple-space", spaceName(space));
      if (used !== space.value) own["space"] = { ...space, value: used };
    }
    return own;
  }

  #note(own: Record<string, unknown>, key: string, ident: ast.Ident, group: Group): void {
    const used = this.#lookup.used(group, ident);
    if (used !== ident.name || ident.module !== undefined) own[key] = named(ident, used);
  }

  /** Returns what the bare names in each property can be: fields of a pattern in its tests, and nowhere else in a search for facts. */
  #fieldsInside(node: Node, isField: (name: string) => boolean): (key: string) => (name: string) => boolean {
    const { kind } = node as { readonly kind?: string };
    if (kind === "pattern") {
      const fields = this.#lookup.fields((node as unknown as ast.Pattern).type.name);
      const isOwn = (name: string): boolean => fields?.has(name) === true;
      return () => isOwn;
    }
    return kind !== undefined && SEARCHES.has(kind) ? () => NO_FIELD : () => isField;
  }

  #typeRef(ref: ast.NamedTypeRef): ast.NamedTypeRef {
    const at = ref.name.lastIndexOf(".");
    const ident = { name: ref.name, span: ref.span, ...(at === -1 ? {} : { module: ref.name.slice(0, at) }) };
    const used = this.#lookup.used("type", ident);
    return used === ref.name ? ref : { ...ref, name: used };
  }
}

/** What a call names: a function, condition or table in an expression, an action among actions. */
const CALLS: readonly [Readonly<Record<string, Group>>, Readonly<Record<string, Group>>] = [
  { name: "value" },
  { name: "action" },
];

const HOLDS_ACTIONS: ReadonlySet<string> = new Set(["actions", "effect"]);

/** The nodes that search for facts: bare names inside are not fields of a pattern around them. */
const SEARCHES: ReadonlySet<string> = new Set(["exists", "exists-in", "aggregate-in", "fact-quorum", "evidence"]);

function spaceName({ value, span }: ast.TextExpr): ast.Ident {
  const at = value.lastIndexOf(".");
  return at === -1 ? { name: value, span } : { name: value, span, module: value.slice(0, at) };
}

/** Returns a name of the whole program in the place of one that is written. */
function named(ident: ast.Ident, unique: string): ast.Ident {
  const { module: _, ...rest } = ident;
  const last = lastOf(ident);
  const before =
    unique.length > last.length && unique.endsWith(`.${last}`) ? unique.slice(0, -last.length - 1) : undefined;
  const written = unique === ident.name ? {} : { written: ident.name };
  return { ...rest, name: unique, ...written, ...(before === undefined ? {} : { module: before }) };
}

function lastOf({ name, module }: ast.Ident): string {
  return module === undefined ? name : name.slice(module.length + 1);
}
