/** `coalesce`. A call evaluates its arguments one by one, and stops at the first that has a value or has failed. */
import { ANY, type BuiltInFunction, need } from "../built-in.ts";

export const COALESCE: BuiltInFunction = {
  name: "coalesce",
  signature: { params: [need("value", ANY), need("instead", ANY)], repeats: true, result: "argument" },
  summary: "the first of two or more values that is not missing",
  example: { call: 'coalesce((number) "none", 0)', gives: 0 },
  compute: (...values) => values.find((value) => value !== undefined),
  keepsText: true,
};
