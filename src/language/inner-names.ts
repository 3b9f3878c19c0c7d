/**
 * TSD lets a variable inside EXISTS or COUNT have the name of one outside: `{o: Order} / COUNT(o: Order / o.total > 5) > 1`. Here
 * each variable of a rule has a name of its own, so the inner one is renamed before anything reads the tree: `o_2`.
 */
import { SmallSteps, type Steps } from "../base/slices.ts";
import type * as ast from "./ast.ts";
import type { ParsedFile } from "./parse.ts";
import { forEachNode } from "./walk.ts";

/** Returns the file with a name of its own for each inner variable; the same file when nothing is renamed. One step for each statement. */
export function* renamingInner<File extends Pick<ParsedFile, "declarations">>(file: File): Steps<File> {
  const declarations: ast.Declaration[] = [];
  let isSame = true;
  const small = new SmallSteps();
  for (const one of file.declarations) {
    const renamed = one.kind === "rule" ? renamedRule(one) : one;
    if (renamed !== one) isSame = false;
    declarations.push(renamed);
    if (small.isDue()) yield;
  }
  return isSame ? file : { ...file, declarations };
}

function renamedRule(rule: ast.RuleDecl): ast.RuleDecl {
  const { body } = rule;
  if (body.kind !== "slash" || body.test === null || !hasInner(body.test)) return rule;
  const outer = new Set(body.sources.flat().map(({ variable }) => variable.name));
  const renaming = new Renaming(rule);
  const test = renaming.apply(body.test, new Map(), outer) as ast.Expr;
  return renaming.changed ? { ...rule, body: { ...body, test } } : rule;
}

function hasInner(test: ast.Expr): boolean {
  let found = false;
  forEachNode(test, ({ kind }) => {
    found ||= kind === "exists-in" || kind === "aggregate-in";
  });
  return found;
}

type Names = ReadonlyMap<string, string>;
type Inner = ast.ExistsInExpr | ast.AggregateInExpr;

class Renaming {
  readonly #rule: ast.RuleDecl;
  #taken: Set<string> | undefined;
  changed = false;

  constructor(rule: ast.RuleDecl) {
    this.#rule = rule;
  }

  /** Returns a tree with new names; `outer` are the names of the variables that are visible there. */
  apply(node: unknown, names: Names, outer: ReadonlySet<string>): unknown {
    if (Array.isArray(node)) return node.map((item) => this.apply(item, names, outer));
    if (typeof node !== "object" || node === null) return node;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "exists-in" || kind === "aggregate-in") return this.#inner(node as Inner, names, outer);
    if (kind === "path") return renamedPath(node as ast.PathExpr, names);
    return this.#children(node, names, outer);
  }

  #children(node: object, names: Names, outer: ReadonlySet<string>): object {
    const entries = Object.entries(node).map(([key, child]: [string, unknown]) =>
      key === "span" ? [key, child] : [key, this.apply(child, names, outer)],
    );
    return Object.fromEntries(entries) as object;
  }

  #inner(node: Inner, names: Names, outer: ReadonlySet<string>): object {
    const inside = new Map(names);
    const visible = new Set(outer);
    let legacy = false;
    const sources = node.sources.map((source) => {
      const { name } = source.variable;
      const fresh = outer.has(name) ? this.#fresh(name) : name;
      legacy ||= fresh !== name;
      inside.set(name, fresh);
      visible.add(name).add(fresh);
      return { ...source, variable: { ...source.variable, name: fresh } };
    });
    const { sources: _, ...rest } = node;
    const made = { ...this.#children(rest, inside, visible), sources };
    return legacy ? { ...made, legacy: "inner-name" } : made;
  }

  #fresh(name: string): string {
    this.changed = true;
    const taken = (this.#taken ??= namesIn(this.#rule));
    let count = 2;
    while (taken.has(`${name}_${count}`)) count += 1;
    taken.add(`${name}_${count}`);
    return `${name}_${count}`;
  }
}

function renamedPath(path: ast.PathExpr, names: Names): ast.PathExpr {
  const name = names.get(path.root.name);
  return name === undefined || name === path.root.name ? path : { ...path, root: { ...path.root, name } };
}

/** Returns every name in a rule. */
function namesIn(rule: ast.RuleDecl): Set<string> {
  const names = new Set<string>();
  forEachNode(rule, ({ name }) => {
    if (typeof name === "string") names.add(name);
  });
  return names;
}
