/**
 * Queries used as patterns: `q in adults(18)` matches what the query matches, and `q.p` is its variable p.
 *
 * Before rules are checked, the elements of the query are copied into the place of use. Variables of the query get the row's name
 * in front, which no author can write as one name; what is passed takes the place of parameters. The element itself stays in front
 * of the copies, so that its arguments are checked; it matches always.
 */
import type { Report } from "../../base/diagnostic.ts";
import { LONGEST_CHAIN } from "../../base/limits.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { originOf, setOrigin, setSource } from "../copied.ts";
import { itemsOfCall } from "../items-of-calls.ts";
import { forEachNode, partsIn } from "../walk.ts";
import type { Context } from "./context.ts";
import { MOST_PARTS, SPLIT_HINT } from "./lets.ts";
import type { Declared } from "./names.ts";
import type { Symbols } from "./symbols.ts";

/** A declaration that can have rows. */
type Owner = ast.RuleDecl | ast.QueryDecl | ast.PipelineDecl;

/** Returns whether elements have a row, also inside `not`, `exists` and `or`. */
function hasRows(elements: readonly ast.Element[]): boolean {
  return elements.some((element) => {
    if (element.kind === "absence") return hasRows(element.elements);
    return element.kind === "or" ? element.alternatives.some(hasRows) : element.kind === "row";
  });
}

/** Returns whether a declaration has a row. */
export function usesRows(decl: ast.Declaration): decl is Owner {
  if (decl.kind === "rule") return decl.body.kind === "block" && hasRows(decl.body.elements);
  if (decl.kind === "query") return hasRows(decl.elements);
  return decl.kind === "pipeline" && decl.items.some((item) => hasRows(elementsOf(item)));
}

function elementsOf(item: ast.PipelineItem): readonly ast.Element[] {
  return item.kind === "step" && item.when?.kind === "pattern-condition" ? item.when.elements : [];
}

/** Writes out the rows of declarations. Queries are written out and checked before what uses them. */
export class RowExpansion {
  readonly #contextOf: (source: Source) => Context;
  readonly #check: (cx: Context, query: ast.QueryDecl) => void;
  readonly #done = new Map<ast.QueryDecl, ast.QueryDecl>();
  readonly #path: ast.QueryDecl[] = [];
  /** How many queries in a row each uses at most, itself included. */
  readonly #lengths = new Map<ast.QueryDecl, number>();
  /** The queries that are too large, or in too long a row. What uses them is not reported again. */
  readonly #refused = new Set<ast.QueryDecl>();
  #chainReported = false;
  /** The statement whose rows are written out, how many parts they have added to it, and how long a row of queries it uses. */
  #owner = { added: 0, length: 0, refused: false };

  /** Takes the checker of a query, and the context of a file. */
  constructor(contextOf: (source: Source) => Context, check: (cx: Context, query: ast.QueryDecl) => void) {
    this.#contextOf = contextOf;
    this.#check = check;
  }

  /** Returns the declaration with its rows written out. */
  expanded(decl: Owner, source: Source): Owner {
    if (decl.kind === "query") return this.#query({ decl, source, span: decl.name.span }) ?? decl;
    this.#owner = { added: 0, length: 0, refused: false };
    const cx = this.#contextOf(source);
    if (decl.kind === "pipeline") return { ...decl, items: decl.items.map((item) => this.#item(cx, item)) };
    if (decl.body.kind !== "block") return decl;
    const { elements, rest } = this.#elements(cx, decl.body.elements, decl.body.actions);
    return { ...decl, body: { ...decl.body, elements, actions: rest } };
  }

  #item(cx: Context, item: ast.PipelineItem): ast.PipelineItem {
    if (item.kind !== "step" || item.when?.kind !== "pattern-condition" || !hasRows(item.when.elements)) return item;
    const { elements, rest } = this.#elements(cx, item.when.elements, { value: item.value, unless: item.unless });
    return { ...item, ...rest, when: { ...item.when, elements } };
  }

  /** Returns a query with its rows written out and checked; undefined when it uses itself. */
  #query({ decl, source }: Declared<ast.QueryDecl>): ast.QueryDecl | undefined {
    const known = this.#done.get(decl);
    if (known !== undefined) return known;
    const at = this.#path.indexOf(decl);
    const cx = this.#contextOf(source);
    if (at !== -1) {
      const names = [...this.#path.slice(at), decl].map(({ name }) => name.name).join(" → ");
      const message = `query "${decl.name.name}" uses itself: ${names}`;
      cx.report.error("E215", decl.name.span, message, "move what they share into a query of its own");
      return undefined;
    }
    const outer = this.#owner;
    const owner = { added: 0, length: 0, refused: this.#path.length >= LONGEST_CHAIN };
    this.#owner = owner;
    if (owner.refused) this.#reportChain(cx, decl);
    this.#path.push(decl);
    const { elements } = owner.refused ? decl : this.#elements(cx, decl.elements, []);
    this.#path.pop();
    this.#owner = outer;
    this.#lengths.set(decl, owner.length + 1);
    if (owner.refused) this.#refused.add(decl);
    const made = hasRows(decl.elements) ? { ...decl, elements } : decl;
    this.#done.set(decl, made);
    this.#check(cx, made);
    return made;
  }

  /** Returns elements with their rows written out, and what comes after them with the names of rows resolved. */
  #elements<Rest>(
    cx: Context,
    elements: readonly ast.Element[],
    rest: Rest,
  ): { readonly elements: ast.Element[]; readonly rest: Rest } {
    const rows = new Map<string, ReadonlySet<string>>();
    const named = this.#list(cx, elements, rows);
    return { elements: named, rest: withRows(rest, rows, cx.report) };
  }

  #list(cx: Context, elements: readonly ast.Element[], rows: Map<string, ReadonlySet<string>>): ast.Element[] {
    return elements.flatMap((element): ast.Element[] => {
      if (element.kind === "row") {
        const row = withRows(element, rows, cx.report);
        return isCall(cx.symbols, row) ? [itemsOfCall(row)] : this.#row(cx, row, rows);
      }
      if (element.kind === "absence") {
        return [{ ...element, elements: this.#list(cx, element.elements, new Map(rows)) }];
      }
      if (element.kind !== "or") return [withRows(element, rows, cx.report)];
      const known = element.alternatives.map(() => new Map(rows));
      const alternatives = element.alternatives.map((one, at) => this.#list(cx, one, known[at] ?? rows));
      for (const [name, variables] of inAll(known)) rows.set(name, variables);
      return [{ ...element, alternatives }];
    });
  }

  /** Counts what a row adds to a statement, and reports where that is too much. */
  #mayGrow(cx: Context, row: ast.RowElement, query: ast.QueryDecl, made: ast.QueryDecl): boolean {
    const owner = this.#owner;
    owner.length = Math.max(owner.length, this.#lengths.get(query) ?? 1);
    owner.added += partsIn(made.elements);
    if (owner.refused) return false;
    const isReported = this.#refused.has(query);
    owner.refused = isReported || owner.length >= LONGEST_CHAIN || owner.added > MOST_PARTS;
    if (!owner.refused || isReported) return !owner.refused;
    if (owner.added > MOST_PARTS) {
      const message = `rows of queries add more than ${MOST_PARTS} parts to this statement`;
      cx.report.error("E307", row.span, message, SPLIT_HINT);
    } else this.#reportChain(cx, query);
    return false;
  }

  /** Reports the first row of queries that is too long. */
  #reportChain(cx: Context, { name }: ast.QueryDecl): void {
    if (this.#chainReported) return;
    this.#chainReported = true;
    const message = `query "${name.name}" uses more than ${LONGEST_CHAIN} queries in a row`;
    cx.report.error("E301", name.span, message, "let queries use fewer others");
  }

  #row(cx: Context, row: ast.RowElement, rows: Map<string, ReadonlySet<string>>): ast.Element[] {
    const declared = cx.symbols.queries.get(row.query.name);
    const query = declared === undefined ? undefined : this.#query(declared);
    const needed = query?.params.filter((param) => !param.optional && param.default === null).length ?? 0;
    if (query === undefined || declared === undefined || row.args.length < needed) return [row];
    if (!this.#mayGrow(cx, row, declared.decl, query)) return [row];
    rows.set(row.variable.name, new Set(query.elements.flatMap(variablesOf)));
    const given = query.params.map(({ name, default: value }, at) => [name.name, row.args[at] ?? value] as const);
    const lets = letsOf(row, given, query);
    const named = lets.map(({ param, element }) => [param, pathTo(element.name)] as const);
    const copy = new Copy(row.variable.name, new Map([...given, ...named]), declared.source, cx);
    return [row, ...lets.map(({ element }) => element), ...query.elements.map((element) => copy.of(element))];
  }
}

/** Returns whether `l in split(o.tags, ",")` calls a function or a table: there is no query of the name. */
function isCall(symbols: Symbols, { query: { name } }: ast.RowElement): boolean {
  if (symbols.queries.get(name) !== undefined || symbols.queries.isBroken(name)) return false;
  return symbols.function(name) !== undefined || symbols.tables.get(name) !== undefined;
}

/** Returns names for computed arguments of which the query reads fields: only a name can be followed by a field. */
function letsOf(
  row: ast.RowElement,
  given: readonly (readonly [param: string, arg: ast.Value | null])[],
  query: ast.QueryDecl,
): { readonly param: string; readonly element: ast.LetElement }[] {
  return given.flatMap(([param, arg]) => {
    if (arg === null || arg.kind === "path" || !readsFieldsOf(param, query.elements)) return [];
    const name = { name: `${row.variable.name}.${param}`, span: arg.span };
    return [{ param, element: { kind: "let", name, value: passed(arg, []) as ast.Expr, span: arg.span } as const }];
  });
}

function readsFieldsOf(name: string, elements: readonly ast.Element[]): boolean {
  let found = false;
  forEachNode(elements, (node) => {
    const path = node as unknown as ast.PathExpr;
    found ||= path.kind === "path" && path.root.name === name && path.fields.length > 0;
  });
  return found;
}

function pathTo(name: ast.Ident): ast.PathExpr {
  return { kind: "path", root: name, fields: [], span: name.span };
}

/** Returns the rows that every alternative of an `or` has, each with the variables that it has in all of them. */
function inAll(alternatives: readonly ReadonlyMap<string, ReadonlySet<string>>[]): Map<string, ReadonlySet<string>> {
  const [first = new Map<string, ReadonlySet<string>>(), ...others] = alternatives;
  const common = new Map<string, ReadonlySet<string>>();
  for (const [row, variables] of first) {
    if (!others.every((other) => other.has(row))) continue;
    common.set(
      row,
      new Set([...variables].filter((name) => others.every((other) => other.get(row)?.has(name) === true))),
    );
  }
  return common;
}

/** Returns the variables that a query binds for whoever uses it. */
function variablesOf(element: ast.Element): string[] {
  if (element.kind === "pattern") return element.variable === null ? [] : [element.variable.name];
  if (element.kind === "aggregate" || element.kind === "let") return [element.name.name];
  if (element.kind === "items") return [element.variable.name];
  if (element.kind !== "or") return [];
  const [first = [], ...others] = element.alternatives.map((one) => one.flatMap(variablesOf));
  return first.filter((name) => others.every((other) => other.includes(name)));
}

/** Returns a part of the tree in which `q.p.age` begins with the name `q.p`. */
function withRows<Part>(part: Part, rows: ReadonlyMap<string, ReadonlySet<string>>, report: Report): Part {
  if (rows.size === 0) return part;
  return mapped(part, (path) => {
    const variables = rows.get(path.root.name);
    const origin = originOf(path);
    if (variables === undefined || (origin !== undefined && origin !== "local")) return path;
    const [field] = path.fields;
    const length = path.fields.findIndex((_, at) => variables.has(nameOf(path.fields.slice(0, at + 1)))) + 1;
    const last = path.fields[length - 1];
    if (last === undefined) {
      const known = [...variables].map((name) => `${path.root.name}.${name}`).join(", ");
      const message =
        field === undefined
          ? `"${path.root.name}" is a row of a query, not a fact`
          : `the query of "${path.root.name}" has no variable "${field.name}"`;
      const meant = field === undefined ? undefined : didYouMean(nearest(field.name, variables));
      report.error("E205", path.span, message, meant ?? `use one of its variables: ${known}`);
      const reported = { ...path, fields: [] };
      setOrigin(reported, "reported");
      return reported;
    }
    const root = {
      name: `${path.root.name}.${nameOf(path.fields.slice(0, length))}`,
      span: { start: path.root.span.start, end: last.span.end },
    };
    return { ...path, root, fields: path.fields.slice(length) };
  });
}

/** Returns the name of a variable of a row; that of a row inside a query has several parts. */
function nameOf(fields: readonly ast.Ident[]): string {
  return fields.map(({ name }) => name).join(".");
}

/** The nodes of the tree that may bind a name. */
type Binder = ast.Element | ast.SourceVar | ast.ItemTestExpr | ast.ComprehensionExpr;

/** Copies elements of a query for one row. */
class Copy {
  readonly #row: string;
  readonly #args: ReadonlyMap<string, ast.Value | null>;
  readonly #source: Source;
  readonly #cx: Context;

  constructor(row: string, args: ReadonlyMap<string, ast.Value | null>, source: Source, cx: Context) {
    this.#row = row;
    this.#args = args;
    this.#source = source;
    this.#cx = cx;
  }

  of(element: ast.Element): ast.Element {
    return this.#node(element) as ast.Element;
  }

  #node(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#node(item));
    if (typeof node !== "object" || node === null) return node;
    const path = node as ast.PathExpr;
    if (path.kind === "path") return this.#path(path);
    const copy: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(node)) copy[key] = key === "span" ? child : this.#node(child);
    const named = { ...copy, ...this.#binder(node as Binder) };
    if ("span" in named) setSource(named, this.#source);
    return named;
  }

  /** Returns the name that a node binds, with the row's name in front. */
  #binder(node: Binder): object {
    if (node.kind === "aggregate" || node.kind === "let") return { name: this.#renamed(node.name) };
    return "variable" in node && node.variable !== null ? { variable: this.#renamed(node.variable) } : {};
  }

  #renamed({ name, span }: ast.Ident): ast.Ident {
    return { name: `${this.#row}.${name}`, span };
  }

  #path(path: ast.PathExpr): ast.Value {
    const resolution = this.#cx.resolutions.get(path);
    const { name } = path.root;
    if (resolution === "item") return this.#placed({ ...path, root: this.#renamed(path.root) }, "variable");
    if (resolution !== "variable") return this.#placed({ ...path }, resolution === "own-field" ? "own" : "global");
    const arg = this.#args.get(name);
    if (arg === undefined) return this.#placed({ ...path, root: this.#renamed(path.root) }, "variable");
    if (arg === null) return this.#placed({ ...path, root: { name: "null", span: path.root.span } }, "global");
    return passed(arg, path.fields);
  }

  #placed(path: ast.PathExpr, origin: Parameters<typeof setOrigin>[1]): ast.PathExpr {
    setOrigin(path, origin);
    setSource(path, this.#source);
    return path;
  }
}

/** Returns what is passed for a parameter, with the fields that the query reads of it; its names are those of the place of use. */
function passed(arg: ast.Value, fields: readonly ast.Ident[]): ast.Value {
  return mapped(arg, (path) => {
    const longer = path === arg ? { ...path, fields: [...path.fields, ...fields] } : { ...path };
    const origin = originOf(path) ?? "outside";
    setOrigin(longer, origin === "local" ? "variable" : origin);
    return longer;
  });
}

/** Returns a copy of a part of the tree with other paths; what has none is kept as it is. */
function mapped<Part>(part: Part, map: (path: ast.PathExpr) => ast.PathExpr): Part {
  if (Array.isArray(part)) {
    const items = part.map((item: unknown) => mapped(item, map));
    return (items.every((item, at) => item === part[at]) ? part : items) as Part;
  }
  if (typeof part !== "object" || part === null) return part;
  if ((part as unknown as ast.PathExpr).kind === "path") return map(part as unknown as ast.PathExpr) as Part;
  let changed = false;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(part)) {
    copy[key] = key === "span" ? child : mapped(child, map);
    changed ||= copy[key] !== child;
  }
  return changed ? (copy as Part) : part;
}
