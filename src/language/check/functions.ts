/** The functions that every program can call, and what they take and give. */
import { ANY, BOOL, listOf, NUMBER, STRING, type Type } from "./types.ts";

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

const need = (name: string, type: Type): Param => ({ name, type, optional: false });
const may = (name: string, type: Type): Param => ({ name, type, optional: true });

export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["length", { params: [need("text", STRING)], result: NUMBER }],
  ["substring", { params: [need("text", STRING), need("start", NUMBER), may("length", NUMBER)], result: STRING }],
  ["upper", { params: [need("text", STRING)], result: STRING }],
  ["lower", { params: [need("text", STRING)], result: STRING }],
  ["trim", { params: [need("text", STRING)], result: STRING }],
  ["words", { params: [need("text", STRING)], result: NUMBER }],
  ["starts", { params: [need("text", STRING), need("beginning", STRING)], result: BOOL }],
  ["ends", { params: [need("text", STRING), need("ending", STRING)], result: BOOL }],
  ["abs", { params: [need("number", NUMBER)], result: NUMBER }],
  ["round", { params: [need("number", NUMBER)], result: NUMBER }],
  ["floor", { params: [need("number", NUMBER)], result: NUMBER }],
  ["ceil", { params: [need("number", NUMBER)], result: NUMBER }],
  ["min", { params: [need("number", NUMBER), need("number", NUMBER)], repeats: true, result: NUMBER }],
  ["max", { params: [need("number", NUMBER), need("number", NUMBER)], repeats: true, result: NUMBER }],
  ["count", { params: [need("list", listOf(ANY))], result: NUMBER }],
  ["phrases_in", { params: [need("text", STRING), need("phrases", listOf(STRING))], result: listOf(STRING) }],
  ["words_in", { params: [need("text", STRING), need("phrases", listOf(STRING))], result: listOf(STRING) }],
  ["secrets_in", { params: [need("text", STRING), need("names", listOf(STRING))], result: listOf(STRING) }],
  ["written_in", { params: [need("text", STRING), need("phrases", listOf(STRING))], result: listOf(STRING) }],
  ["missing_sections", { params: [need("text", STRING), need("sections", listOf(STRING))], result: listOf(STRING) }],
  ["folded", { params: [need("text", STRING)], result: STRING }],
  ["not_blank", { params: [need("texts", listOf(STRING))], result: listOf(STRING) }],
  ["is_json", { params: [need("text", STRING)], result: BOOL }],
  ["mean_of_distinct", { params: [need("rows", listOf(ANY))], result: NUMBER }],
  ["coalesce", { params: [need("value", ANY), need("instead", ANY)], repeats: true, result: "argument" }],
]);

/** `count|sum|avg|min|max|collect|distinct` over facts: what they give for the values they see. */
export const AGGREGATES: ReadonlyMap<string, (value: Type) => Type> = new Map<string, (value: Type) => Type>([
  ["count", () => NUMBER],
  ["sum", () => NUMBER],
  ["avg", () => NUMBER],
  ["min", (value) => value],
  ["max", (value) => value],
  ["collect", (value) => listOf(value)],
  ["distinct", (value) => listOf(value)],
]);

/** The actions that are always there and are called like the host's own. */
export const ACTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["log", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["print", { params: [may("value", ANY)], repeats: true, result: ANY }],
  ["focus", { params: [need("group", STRING)], result: ANY }],
]);
