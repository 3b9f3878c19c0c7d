/**
 * Dialogues recorded from CLIPS, and their rules in `.tsd`.
 *
 * An ordered fact `(a 1 b)` becomes a fact of the type `T_a` with the fields `n` (how many values), `f1`, `f2` and so on.
 * A variable is bound where it first occurs, in a pattern that can be seen from there, and compared everywhere else.
 */
import { readFileSync } from "node:fs";
import type { Value } from "../../src/base/value.ts";

type ClipsValue = string | { readonly str: string };
export type ClipsFact = readonly [name: string, ...values: readonly ClipsValue[]];
/** A pattern, `(not …)`, `(exists …)`, `(forall …)`, `(and …)`, `(or …)` or `(test (op a b))`. */
type ClipsElement = readonly (ClipsValue | ClipsElement)[];

export interface ClipsRule {
  readonly name: string;
  readonly lhs: readonly ClipsElement[];
}

interface ClipsStep {
  readonly defrule?: string;
  readonly assert?: readonly ClipsFact[];
  /** Numbers of facts. */
  readonly retract?: readonly number[];
  /** Takes all facts away and asserts these; numbers begin at 1 again. */
  readonly reset?: readonly ClipsFact[];
  readonly run?: true;
  /** `rule: f-1,*,f-2`; a star stands for a condition without a fact. */
  readonly expectAgenda?: readonly string[];
}

export interface Dialogue {
  readonly id: string;
  readonly rules: readonly ClipsRule[];
  readonly steps: readonly ClipsStep[];
}

export function readDialogues(): readonly Dialogue[] {
  const text = readFileSync(new URL("../data/clips-conformance.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { cases: Dialogue[] }).cases;
}

/** What a dialogue uses that the language has no word for. */
export function lacking(dialogue: Dialogue): string | undefined {
  return /"\$\?/u.test(JSON.stringify(dialogue.rules))
    ? "multifield variables ($?x): a pattern has a fixed number of values"
    : undefined;
}

// ---------------------------------------------------------------- facts

export interface TranslatedFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
}

export function translateFact([name, ...values]: ClipsFact): TranslatedFact {
  const fields = values.map((value, index) => [`f${index + 1}`, plain(value)] as const);
  return { type: `T_${name}`, fields: { n: values.length, ...Object.fromEntries(fields) } };
}

/** Symbols and strings are different values in CLIPS. */
function plain(value: ClipsValue): Value {
  if (typeof value === "object") return `string ${value.str}`;
  return /^-?\d+$/u.test(value) ? Number(value) : value;
}

// ---------------------------------------------------------------- rules

/** Where each variable was bound: `x` to `p1.f2`. */
type Scope = ReadonlyMap<string, string>;

export function translateRule(rule: ClipsRule): string {
  return new RuleTranslator().translate(rule);
}

class RuleTranslator {
  #patterns = 0;

  translate({ name, lhs }: ClipsRule): string {
    const { text } = this.#elements(lhs, new Map());
    return `rule "${name}" { when ${text} then log("${name}") }`;
  }

  #elements(elements: readonly ClipsElement[], from: Scope): { readonly text: string; readonly scope: Scope } {
    const texts: string[] = [];
    let scope = from;
    for (const element of elements) {
      const next = this.#element(element, scope);
      texts.push(next.text);
      scope = next.scope;
    }
    return { text: texts.join(", "), scope };
  }

  #element(element: ClipsElement, scope: Scope): { readonly text: string; readonly scope: Scope } {
    const [head, ...rest] = element;
    const parts = rest as readonly ClipsElement[];
    switch (head) {
      case "and":
        return this.#elements(parts, scope);
      case "not":
      case "exists":
        return { text: `${head} (${this.#elements(parts, scope).text})`, scope };
      case "or":
        return { text: `(${parts.map((part) => this.#element(part, scope).text).join(" or ")})`, scope };
      case "test":
        return { text: `where (${comparison(parts[0] as readonly ClipsValue[], scope)})`, scope };
      case "forall":
        return { text: this.#forall(parts, scope), scope };
      default:
        return this.#pattern(element as ClipsFact, scope);
    }
  }

  #pattern([name, ...values]: ClipsFact, from: Scope): { readonly text: string; readonly scope: Scope } {
    const variable = `p${++this.#patterns}`;
    const { tests, scope } = valueTests(variable, values, from);
    return { text: `${variable}: T_${name}(${tests.join(", ")})`, scope };
  }

  /** `(forall P Q R)`: for every P there is a Q and an R; here these only share variables of P. */
  #forall([first, ...rest]: readonly ClipsElement[], scope: Scope): string {
    const pattern = this.#pattern(first as unknown as ClipsFact, scope);
    const tests = rest.map((element) => {
      const [name, ...values] = element as ClipsFact;
      const { tests: inner } = valueTests("unbound", values, pattern.scope);
      return `exists T_${name}(${inner.join(", ")})`;
    });
    return `forall (${pattern.text} : ${tests.join(" and ")})`;
  }
}

function valueTests(
  variable: string,
  values: readonly ClipsValue[],
  from: Scope,
): { readonly tests: readonly string[]; readonly scope: Scope } {
  const scope = new Map(from);
  const tests = [`n == ${values.length}`];
  for (const [index, value] of values.entries()) {
    const field = `f${index + 1}`;
    if (value === "?") continue;
    if (typeof value === "string" && /^\?[^|]+$/u.test(value) && !scope.has(value)) {
      scope.set(value, `${variable}.${field}`);
    } else
      tests.push(
        alternatives(value)
          .map((one) => `${field} == ${operand(one, scope)}`)
          .join(" or "),
      );
  }
  return { tests, scope };
}

/** `?x|*` is either of the two. */
function alternatives(value: ClipsValue): readonly ClipsValue[] {
  return typeof value === "string" && value.length > 1 ? value.split("|") : [value];
}

const OPERATORS: Readonly<Record<string, string>> = { "=": "==", eq: "==", neq: "!=" };

function comparison(test: readonly ClipsValue[], scope: Scope): string {
  const [op, left, right] = test;
  if (typeof op !== "string" || left === undefined || right === undefined)
    throw new Error("a test compares two values");
  return `${operand(left, scope)} ${OPERATORS[op] ?? op} ${operand(right, scope)}`;
}

function operand(value: ClipsValue, scope: Scope): string {
  if (typeof value !== "string" || !value.startsWith("?")) return JSON.stringify(plain(value));
  const bound = scope.get(value);
  if (bound === undefined) throw new Error(`the variable ${value} is not bound`);
  return bound;
}
