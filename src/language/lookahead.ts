/**
 * Looks one token ahead: which rules of the grammar can begin with it.
 *
 * nearley predicts every rule that could follow, whatever the next token is; most of them fail at once. A rule is left out here when
 * no reading of it begins with the next token. A rule that can be empty is never left out. So every token is accepted, and every statement is
 * read, as without looking ahead; only `scannable` no longer lists what else could have followed.
 */
import type { Grammar, Rule } from "nearley";
import type { Lexeme } from "./lexer.ts";

/** The rules of a grammar by the name of what they define: what nearley predicts from. */
export type RulesByName = Grammar["byName"];

export class Lookahead {
  readonly #byName: RulesByName;
  /** For each rule the tokens that it can begin with; undefined where it can be empty. */
  readonly #firsts: ReadonlyMap<Rule, ReadonlySet<string> | undefined>;
  readonly #literals: ReadonlySet<string>;
  /** The tables made so far, by type of token; then by its text where that is a literal of the grammar, else by "". */
  readonly #tables = new Map<string, Map<string, RulesByName>>();

  constructor({ rules, byName }: Grammar) {
    this.#byName = byName;
    const nullable = nullableNames(rules);
    const firsts = firstTokens(rules, nullable);
    this.#firsts = new Map(rules.map((rule) => [rule, isNullable(rule, nullable) ? undefined : firsts.get(rule)]));
    this.#literals = new Set(
      rules.flatMap(({ symbols }) =>
        symbols.flatMap((symbol) => (isToken(symbol) && "literal" in symbol ? [String(symbol.literal)] : [])),
      ),
    );
  }

  /** Returns the rules that can begin with the token; at the end, those that can be empty. */
  rulesAt(lexeme: Lexeme | undefined): RulesByName {
    const type = lexeme?.type ?? "";
    const text = lexeme !== undefined && this.#literals.has(lexeme.text) ? lexeme.text : "";
    let tables = this.#tables.get(type);
    if (tables === undefined) this.#tables.set(type, (tables = new Map()));
    let table = tables.get(text);
    if (table === undefined) tables.set(text, (table = this.#tableFor(lexeme)));
    return table;
  }

  #tableFor(lexeme: Lexeme | undefined): RulesByName {
    const tokens = lexeme === undefined ? [] : [typeKey(lexeme.type), literalKey(lexeme.text)];
    const begins = (rule: Rule): boolean => {
      const first = this.#firsts.get(rule);
      return first === undefined || tokens.some((token) => first.has(token));
    };
    const table: RulesByName = {};
    for (const [name, rules] of Object.entries(this.#byName)) table[name] = rules.filter(begins);
    return table;
  }
}

type Token = Exclude<Rule["symbols"][number], string>;

function isToken(symbol: Rule["symbols"][number]): symbol is Token {
  return typeof symbol !== "string";
}

const typeKey = (type: string): string => `type ${type}`;
const literalKey = (text: string): string => `literal ${text}`;

function tokenKey(token: Token): string {
  return "type" in token ? typeKey(String(token.type)) : literalKey(String((token as { literal: unknown }).literal));
}

function isNullable(rule: Rule, nullable: ReadonlySet<string>): boolean {
  return rule.symbols.every((symbol) => !isToken(symbol) && nullable.has(symbol));
}

/** Returns the names that can be empty. */
function nullableNames(rules: readonly Rule[]): ReadonlySet<string> {
  const nullable = new Set<string>();
  for (let before = -1; before < nullable.size;) {
    before = nullable.size;
    for (const rule of rules) if (isNullable(rule, nullable)) nullable.add(rule.name);
  }
  return nullable;
}

/** Returns the tokens that each rule can begin with. */
function firstTokens(rules: readonly Rule[], nullable: ReadonlySet<string>): ReadonlyMap<Rule, ReadonlySet<string>> {
  const byName = new Map<string, Set<string>>(rules.map(({ name }) => [name, new Set()]));
  const ofRule = ({ symbols }: Rule): Set<string> => {
    const first = new Set<string>();
    for (const symbol of symbols) {
      if (isToken(symbol)) return first.add(tokenKey(symbol));
      for (const token of byName.get(symbol) ?? []) first.add(token);
      if (!nullable.has(symbol)) break;
    }
    return first;
  };
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (const rule of rules) {
      const known = byName.get(rule.name);
      for (const token of ofRule(rule)) {
        if (known === undefined || known.has(token)) continue;
        known.add(token);
        isStable = false;
      }
    }
  }
  return new Map(rules.map((rule) => [rule, ofRule(rule)]));
}
