/**
 * The signatures of host functions and of the actions that every program has. The built-in functions are in
 * `functions/`.
 */
import { ANY, may, need, STRING } from "../../functions/built-in.ts";
import type { Type } from "./types.ts";

export interface Signature {
  readonly params: readonly Param[];
  /** True when the last parameter can be repeated. */
  readonly repeats?: boolean;
  /**
   * The result type; `argument` for the common type of the arguments. With `optional`, a host function may also return
   * `undefined` or `null`, which is a missing value.
   */
  readonly result: (Type & { readonly optional?: boolean }) | "argument";
}

export interface Param {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

/** The actions that exist in every program and are called like host actions. */
export const ACTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["log", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["print", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["focus", { params: [need("group", STRING)], result: ANY }],
]);
