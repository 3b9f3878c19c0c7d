/** Warns of tests that are never true (W251), or never false (W252), whatever the values are. */
import type { Fix } from "../../../base/diagnostic.ts";
import type * as ast from "../../ast.ts";
import { sourceOf } from "../../copied.ts";
import type { Context } from "../context.ts";
import { checkedPath } from "../paths.ts";
import { builtInOf, constantOf, Judgement } from "./regions.ts";
import { shownText } from "./shown-text.ts";

/** A test, and the name of the fact whose fields its bare names are. */
interface Item {
  readonly test: ast.Expr;
  readonly own: string;
  /** The element that it is written in. */
  readonly element: object;
}

export function warnOfFixedTests(cx: Context, decl: ast.Declaration): void {
  new Walk(cx).visit(decl, "", false);
}

/** The most tests of the same value that are judged together. */
const MOST_TOGETHER = 12;

/** The kinds of expressions whose items are tests again. */
const SKELETON: ReadonlySet<unknown> = new Set(["logic", "not"]);
const TESTS: ReadonlySet<unknown> = new Set(["logic", "not", "compare", "in", "contains", "presence"]);

class Walk {
  readonly #cx: Context;
  readonly #reported = new Set<ast.Expr>();
  /** What the tests that were judged depend on. */
  readonly #keysOf = new Map<ast.Expr, { readonly own: string; readonly keys: ReadonlySet<string> }>();

  constructor(cx: Context) {
    this.#cx = cx;
  }

  /** Judges the tests of a tree. `isJudged` says that the test around the node is judged already. */
  visit(node: unknown, own: string, isJudged: boolean): void {
    if (Array.isArray(node)) {
      if (node.some(isElement)) this.#sequence(node as ast.Element[]);
      for (const item of node) this.visit(item, own, isJudged);
      return;
    }
    if (typeof node !== "object" || node === null || sourceOf(node) !== undefined) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "pattern") return this.#pattern(node as ast.Pattern);
    if (TESTS.has(kind) && !isJudged) this.#judge(node as ast.Expr, own);
    const inside = TESTS.has(kind) && SKELETON.has(kind);
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (typeof child === "object" && key !== "span") this.visit(child, own, inside);
    }
    if (kind === "forall") this.#forall(node as ast.ForallElement);
  }

  #pattern(pattern: ast.Pattern): void {
    const own = ownName(pattern);
    this.#all(pattern.tests.map((test) => ({ test, own, element: test })));
    // A test that is judged with the others is not judged once more; what is inside of it is.
    for (const test of pattern.tests) this.visit(test, own, true);
  }

  /** Judges the tests of elements that must hold together. */
  #sequence(elements: readonly ast.Element[]): void {
    const items = elements.flatMap((element): Item[] => {
      if (sourceOf(element) !== undefined) return [];
      if (element.kind === "pattern") return itemsOf(element);
      return element.kind === "where" ? conjuncts(element.test).map((test) => ({ test, own: "", element })) : [];
    });
    // Those of one element are judged where it is visited.
    if (new Set(items.map(({ element }) => element)).size > 1) this.#together(items);
  }

  #forall(forall: ast.ForallElement): void {
    const tests = conjuncts(forall.test).map((test) => ({ test, own: "", element: forall }));
    this.#together([...itemsOf(forall.pattern), ...tests]);
  }

  /** Judges each of several tests, and then all of them together. Returns whether something was reported. */
  #all(items: readonly Item[]): boolean {
    const found = items.map(({ test, own }) => this.#judge(test, own)).includes(true);
    return this.#together(items) || found;
  }

  /** Reports a test that is never true where the tests before it are. Tests of one element were judged together already. */
  #together(items: readonly Item[]): boolean {
    const byKey = new Map<string, Item[]>();
    let found = false;
    if (items.length < 2) return found;
    for (const item of items) {
      if (this.#reported.has(item.test)) continue;
      const keys = this.#keys(item);
      const related = new Set([...keys].flatMap((key) => byKey.get(key)?.slice(-MOST_TOGETHER) ?? []));
      found = this.#contradicts(item, [...related].slice(-MOST_TOGETHER)) || found;
      for (const key of keys) byKey.set(key, [...(byKey.get(key)?.slice(1 - MOST_TOGETHER) ?? []), item]);
    }
    return found;
  }

  /** Reports a test that is never true where others, which read the same values, are. */
  #contradicts(item: Item, before: readonly Item[]): boolean {
    if (!before.some(({ element }) => element !== item.element) || this.#canBeTrue([...before, item])) return false;
    const other = before.find((one) => !this.#canBeTrue([one, item]));
    const where = other === undefined ? "the tests before it are" : `"${this.#text(other.test)}" is`;
    const message = `"${this.#text(item.test)}" is never true where ${where} true`;
    this.#report("W251", item.test, message, "correct one of the values");
    return true;
  }

  #keys({ test, own }: Item): ReadonlySet<string> {
    const judged = this.#keysOf.get(test);
    if (judged?.own === own) return judged.keys;
    const judgement = new Judgement(this.#cx);
    judgement.read(test, own);
    return judgement.keys();
  }

  #canBeTrue(items: readonly Item[]): boolean {
    const judgement = new Judgement(this.#cx);
    const tests = items.map(({ test, own }) => judgement.read(test, own));
    return judgement.results((samples) => tests.every((test) => test(samples) === true)).canBeTrue;
  }

  /** Reports the smallest parts of a test that have only one result. Returns whether there is one. */
  #judge(test: ast.Expr, own: string): boolean {
    if (test.kind === "not") return this.#judge(test.operand, own);
    if (test.kind === "logic" && test.op === "and") {
      return this.#all(test.items.map((item) => ({ test: item, own, element: item })));
    }
    if (test.kind === "logic" && test.items.map((item) => this.#judge(item, own)).includes(true)) return true;
    if (!TESTS.has(test.kind) || isOrdinary(test)) return false;
    const judgement = new Judgement(this.#cx);
    const { canBeTrue, canBeFalse } = judgement.results(judgement.read(test, own));
    this.#keysOf.set(test, { own, keys: judgement.keys() });
    if (canBeTrue && canBeFalse) return false;
    const words = `"${this.#text(test)}" is never ${canBeTrue ? "false" : "true"}`;
    const changed = changedConstant(this.#cx, test);
    if (changed === undefined) this.#report(canBeTrue ? "W252" : "W251", test, words, this.#hint(test));
    else this.#report(canBeTrue ? "W252" : "W251", test, words, changed.hint, changed.fix);
    return true;
  }

  #report(code: "W251" | "W252", test: ast.Expr, message: string, hint: string, fix?: Fix): void {
    this.#reported.add(test);
    this.#cx.report.warning(code, test.span, message, hint, fix);
  }

  /** Returns what to do. A parameter that is compared with itself was meant to be compared with the field of its name. */
  #hint(test: ast.Expr): string {
    if (test.kind === "compare" && test.left.kind === "path" && test.right.kind === "path") {
      const { name } = test.left.root;
      const isSame = name === test.right.root.name && test.left.fields.length + test.right.fields.length === 0;
      if (isSame && this.#cx.resolutions.get(test.left) === "variable") {
        return `both sides are the variable "${name}"; for the field, write its fact before it: x.${name}`;
      }
    }
    return test.kind === "presence"
      ? 'only a field that is declared with "?" can be missing'
      : "correct it, or remove it";
  }

  #text({ span }: ast.Expr): string {
    return shownText(this.#cx, span);
  }
}

/** Returns what a function makes of the string that its result is compared with, where that is another one: `lower(x) == "Ann"`. */
function changedConstant(
  cx: Context,
  test: ast.Expr,
): { readonly hint: string; readonly fix: Fix | undefined } | undefined {
  if (test.kind !== "compare") return undefined;
  const [call, other] = test.left.kind === "call" ? [test.left, test.right] : [test.right, test.left];
  const builtIn = call.kind === "call" ? builtInOf(cx, call) : undefined;
  const constant = constantOf(cx, other);
  const value = builtIn?.settles === true && typeof constant === "string" ? builtIn.compute(constant) : undefined;
  if (builtIn === undefined || typeof value !== "string" || value === constant) return undefined;
  const written = JSON.stringify(value);
  const fix = other.kind === "text" ? cx.report.fix(`write ${written}`, other.span, written) : undefined;
  return { hint: `${builtIn.name} gives ${written}: compare with that`, fix };
}

/** Returns whether a test compares a value with a constant such that it can be true and false: most tests do. */
function isOrdinary(test: ast.Expr): boolean {
  if (test.kind !== "compare" || test.left.kind !== "path") return false;
  const type = checkedPath(test.left)?.type.kind;
  if (test.right.kind === "number") return type === "number";
  return test.right.kind === "text" && type === "string" && (test.op === "==" || test.op === "!=");
}

function isElement(node: unknown): boolean {
  const kind = typeof node === "object" && node !== null && "kind" in node ? node.kind : undefined;
  return kind === "pattern" || kind === "where";
}

function itemsOf(pattern: ast.Pattern): Item[] {
  return pattern.tests.flatMap(conjuncts).map((test) => ({ test, own: ownName(pattern), element: pattern }));
}

function conjuncts(test: ast.Expr): readonly ast.Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(conjuncts) : [test];
}

/** Returns the name of the fact of a pattern: its variable, or a name that no variable has. */
function ownName({ variable, span }: ast.Pattern): string {
  return variable === null ? `#${span.start}` : variable.name;
}
