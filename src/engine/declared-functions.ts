/** The functions that a program declares, in words. */
import { isComputed, type Symbols } from "../language/check/symbols.ts";
import { describe } from "../language/check/types.ts";
import type { DeclaredFunction } from "./runnable.ts";

/** Returns the functions that the host provides, in the order of their declarations. */
export function declaredFunctions(symbols: Symbols): readonly DeclaredFunction[] {
  return Array.from(symbols.functions.values()).flatMap(({ decl }) =>
    isComputed(decl) ? [] : [{ name: decl.name.name, words: signatureWords(symbols, decl.name.name) }],
  );
}

/** Returns `risk(country: string, amount: number): number`. */
function signatureWords(symbols: Symbols, name: string): string {
  const { params = [], result = "argument" } = symbols.function(name) ?? {};
  const takes = params.map((param) => `${param.name}: ${describe(param.type)}${param.optional ? "?" : ""}`);
  const returns = result === "argument" ? "any" : `${describe(result)}${result.optional === true ? "?" : ""}`;
  return `${name}(${takes.join(", ")}): ${returns}`;
}
