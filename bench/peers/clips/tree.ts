/** The part of the tree of a `.tsd` file that the benchmark programs use. */
import { parse } from "../../../src/index.ts";

interface Named {
  readonly name: string;
}

export type Expr =
  | { readonly kind: "text" | "number" | "bool"; readonly value: string | number | boolean }
  | { readonly kind: "path"; readonly root: Named; readonly fields: readonly Named[] }
  | { readonly kind: "call"; readonly name: Named; readonly args: readonly Expr[] }
  | { readonly kind: "chain"; readonly items: readonly Expr[]; readonly ops: readonly string[] }
  | { readonly kind: "logic"; readonly op: "and" | "or"; readonly items: readonly Expr[] }
  | {
      readonly kind: "compare";
      readonly op: "==" | "!=" | "<" | "<=" | ">" | ">=";
      readonly left: Expr;
      readonly right: Expr;
    };

export interface Pattern {
  readonly kind: "pattern";
  readonly variable: Named | null;
  readonly type: Named;
  readonly tests: readonly Expr[];
}

type Path = Expr & { readonly kind: "path" };

type Action =
  | { readonly kind: "call"; readonly name: Named; readonly args: readonly Expr[] }
  | {
      readonly kind: "insert";
      readonly fact: {
        readonly type: Named;
        readonly args: readonly { readonly name: Named | null; readonly value: Expr }[];
      };
    }
  | {
      readonly kind: "update";
      readonly target: Path;
      readonly changes: { readonly entries: readonly { readonly name: Named; readonly value: Expr }[] };
    }
  | { readonly kind: "assign"; readonly target: Path; readonly value: Expr }
  | { readonly kind: "retract"; readonly target: Path }
  | { readonly kind: "halt" };

export interface Rule {
  readonly kind: "rule";
  readonly name: Named;
  readonly attributes: readonly { readonly kind: string; readonly value?: number }[];
  readonly body: {
    readonly elements: readonly (Pattern | { readonly kind: "absence"; readonly elements: readonly Pattern[] })[];
    readonly actions: readonly Action[];
  };
}

export interface TypeDecl {
  readonly kind: "type";
  readonly name: Named;
  readonly fields: readonly { readonly name: Named; readonly default: Expr | null }[];
}

export type Declaration = Rule | TypeDecl | { readonly kind: "other" };

export function declarationsOf(source: string): readonly Declaration[] {
  const tree = parse(source, { limits: { sourceBytes: 64 * 1024 * 1024 } });
  return tree.declarations as unknown as readonly Declaration[];
}

/** The value of an expression that is a constant. */
export function wholeOf(expression: Expr): string | number | boolean {
  if ("value" in expression) return expression.value;
  throw new Error(`no constant: ${expression.kind}`);
}
