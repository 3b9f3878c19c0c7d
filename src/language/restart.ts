/**
 * TSD's `reset`, after which names start again: a rule, type, action or tuple space below it has the name of one above it.
 *
 * Then the rules and facts above it no longer count, and neither do declarations whose names are used again. A `reset`
 * below which no name is used again only removes facts, so that a program can drop the facts of what it imports.
 */
import type * as ast from "./ast.ts";

/** A `reset` after which names start again. */
export interface Restart {
  readonly reset: ast.ResetDecl;
  /** The first statement that uses a name again. */
  readonly again: ast.Declaration;
  /** The statements above that no longer count. */
  readonly forgotten: readonly ast.Declaration[];
}

/** Returns the restarts among statements in program order, in time that grows with their number. */
export function restartsIn(declarations: readonly ast.Declaration[]): Restart[] {
  const restarts: Restart[] = [];
  if (!declarations.some(({ kind }) => kind === "reset")) return restarts;
  const above = new Above();
  let since: ast.Declaration[] = [];
  let reset: ast.ResetDecl | undefined;
  let forgotten: ast.Declaration[] | undefined;
  for (const one of declarations) {
    if (one.kind === "reset") {
      above.add(since);
      since = [];
      reset = one;
      forgotten = undefined;
      continue;
    }
    since.push(one);
    const before = above.takeNamed(one);
    if (before === undefined || reset === undefined) continue;
    if (forgotten === undefined) restarts.push({ reset, again: one, forgotten: (forgotten = above.takePassing()) });
    if (!PASSING.has(before.kind)) forgotten.push(before);
  }
  return restarts;
}

/** What stands above the last `reset` and still counts. */
class Above {
  readonly #named = new Map<string, ast.Declaration>();
  #passing: ast.Declaration[] = [];

  add(declarations: readonly ast.Declaration[]): void {
    for (const one of declarations) {
      const key = keyOf(one);
      if (key !== undefined) this.#named.set(key, one);
      if (one.kind === "remove-rule") this.#named.delete(`rule ${one.rule.name}`);
      if (PASSING.has(one.kind)) this.#passing.push(one);
    }
  }

  /** Takes out the statement whose name another one uses again; undefined when there is none. */
  takeNamed(again: ast.Declaration): ast.Declaration | undefined {
    const key = keyOf(again);
    const before = key === undefined ? undefined : this.#named.get(key);
    if (key === undefined || before === undefined || isSameType(before, again)) return undefined;
    this.#named.delete(key);
    return before;
  }

  /** Takes out the statements that a new start forgets, whatever their names. */
  takePassing(): ast.Declaration[] {
    const passing = this.#passing;
    this.#passing = [];
    return passing;
  }
}

const PASSING: ReadonlySet<ast.Declaration["kind"]> = new Set(["rule", "fact", "remove-rule", "remove-fact"]);

function keyOf(one: ast.Declaration): string | undefined {
  switch (one.kind) {
    case "rule":
    case "type":
    case "record":
    case "action":
    case "xuple-space":
      return `${one.kind} ${one.name.name}`;
    default:
      return undefined;
  }
}

/** Returns whether a type is declared twice with the same fields, which is no new start (W102). */
function isSameType(a: ast.Declaration, b: ast.Declaration): boolean {
  return a.kind === "type" && b.kind === "type" && a.protected === b.protected && sameFields(a, b);
}

export function sameFields(a: ast.TypeDecl, b: ast.TypeDecl): boolean {
  const words = (decl: ast.TypeDecl): string =>
    JSON.stringify([decl.fields, decl.more !== undefined, decl.expires], (key, value: unknown) =>
      key === "span" ? undefined : value,
    );
  return words(a) === words(b);
}
