/**
 * The signatures of host functions and of the actions that every program has. The built-in functions are in
 * `functions/`.
 */
import type { HostSignature } from "../../base/host-types.ts";
import { ANY, may, need, STRING } from "../../functions/built-in.ts";
import type { Type } from "./types.ts";

/** The parameters and the result of a function or action. */
export type Signature = HostSignature;

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

/** The functions that exist only in reactions, and in whose. */
export const REACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ["missing", "gate"],
  ["actions", "guardian"],
]);

/** The names of quorums: `at_least(2, a, b)` is parsed as one; without its number it is a call. */
export const QUORUMS: ReadonlySet<string> = new Set(["at_least", "require_group"]);
