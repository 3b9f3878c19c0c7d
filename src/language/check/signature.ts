/** What calls take and return: functions of the host and the actions that every program has. The built-ins are in `functions/`. */
import { ANY, may, need, STRING } from "../../functions/built-in.ts";
import type { Type } from "./types.ts";

export interface Signature {
  readonly params: readonly Param[];
  /** The last parameter may be repeated. */
  readonly repeats?: boolean;
  /**
   * `argument`: what the arguments have in common. A function of the host returns a value of the type; with `optional` it
   * may also return `undefined` or `null`, which is a missing value.
   */
  readonly result: (Type & { readonly optional?: boolean }) | "argument";
}

export interface Param {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

/** The actions that are always there and are called like the host's own. */
export const ACTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["log", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["print", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["focus", { params: [need("group", STRING)], result: ANY }],
]);
