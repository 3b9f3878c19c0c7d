/**
 * What an entry of the two tables holds: functions (functions.ts) and aggregates (aggregates.ts). The checker, the planner, the
 * engine, explanations, completion and the tables in docs/language.md know of a built-in what its entry says, and nothing else.
 */
import type { Accumulator, ToldAccumulator } from "../base/accumulator.ts";
import type { HostParam, HostSignature, HostType } from "../base/host-types.ts";
import type { Maybe, Value } from "../base/value.ts";

/** A function that rules call. It receives the arguments of the call and must be pure. */
export type PureFunction = (...args: Maybe[]) => Maybe;

/** A function that every program can call, such as `round(x)`. */
export interface BuiltInFunction {
  /** In lower case; programs may write it in any case. */
  readonly name: string;
  readonly signature: HostSignature;
  /** What it returns, in a few words: its row in docs/language.md. */
  readonly summary: string;
  /** A call with constants, and its result. */
  readonly example: { readonly call: string; readonly gives: Value };
  /** Returns undefined for a missing argument and for one of a wrong type; never throws. */
  readonly compute: PureFunction;
  /** Returns why there is no result, for arguments that have none. Arguments that are missing or of a wrong type are no reason. */
  readonly refuses?: (args: readonly Maybe[]) => Refusal | undefined;
  /** Returns what is wrong with a call as it is written in a program, besides the number and the types of its arguments. */
  readonly checks?: (args: readonly WrittenArgument[]) => CallFault | undefined;
  /** The result has the characters of a string argument, or nearly: W242 looks through the call. */
  readonly keepsText?: true;
  /** The result is those items of its second argument that its first contains: explanations name them. */
  readonly finds?: true;
  /** Over facts of `using`, the aggregate of the same name is meant, whatever the argument is. */
  readonly yields?: true;
  /** The signature of a call with one argument, which is a list. */
  readonly ofList?: HostSignature;
  /** It compares the items of its list: numbers or strings, but no times, whose texts have another order. */
  readonly orders?: true;
  /** The result is the number of items of its argument: explanations of a count name what was counted. */
  readonly counts?: true;
  /** Applied to its own result it returns the same: a constant that it would change is never its result. */
  readonly settles?: true;
  /** The numbers that can be its result; a test of any other is never true. */
  readonly results?: ResultRange;
}

/** The smallest and the largest number that a function returns, and whether all are integers. */
export interface ResultRange {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

/** Returns the integers from one to another. */
export function integers(least: number = -Infinity, most: number = Infinity): ResultRange {
  return { least, most, whole: true };
}

/** A call that has no result for arguments of the right types has failed: its value is unknown, not missing. */
export interface Refusal {
  /** As a predicate after the name of the function. */
  readonly how: string;
  readonly hint: string;
}

/** What the text of a program says of an argument. */
export interface WrittenArgument {
  /** The kind of its type; `number` for a union of numbers, and `string` for one of strings. */
  readonly kind: string;
  /** The type as it is written in the language. */
  readonly type: string;
  /** The string that is written out, also as a constant. */
  readonly text: string | undefined;
}

/** What is wrong with a pattern. */
export interface PatternFault {
  readonly fault: string;
  readonly hint: string;
}

/** What is wrong with an argument of a call, by its position. */
export interface CallFault extends PatternFault {
  readonly argument: number;
  /** The argument is a pattern that is not valid (E221); otherwise it is a wrong argument (E209). */
  readonly pattern?: true;
}

/** One value from many facts, such as `sum(o.total)`. */
export interface Aggregate {
  /** In lower case; programs may write it in any case. */
  readonly name: string;
  /**
   * What it works on: `facts`, whatever their values; `numbers` and `ordered` (numbers or strings), all of which must be there;
   * any values that are `keyed`, as `o.total by o.at`, of which each must be there with its key; or any `values`, of which it
   * leaves missing ones out.
   */
  readonly takes: "facts" | "numbers" | "ordered" | "keyed" | "values";
  /** A number that is written before the value, as in `top(3, o.total by o.at)`: it is the same for all facts of a group. */
  readonly count?: {
    readonly name: string;
    /** Which numbers have a result, in words. */
    readonly allowed: string;
    readonly allows: (count: number) => boolean;
  };
  /** Returns the type of the result for values of a type. */
  readonly result: (value: HostType) => HostType;
  /** Whether there is a result for all values, and for none. */
  readonly alwaysKnown: boolean;
  /** What it returns, in a few words: its row in docs/language.md. */
  readonly summary: string;
  readonly example: { readonly values: readonly Value[]; readonly gives: Value };
  /**
   * Returns the aggregate of values in fact order, some of which may be missing; undefined when it is unknown. This is its meaning.
   * A value with a key or a count is a list: `[value, key]`, `[value, key, count]`, `[value, count]`.
   */
  readonly compute: (values: readonly Maybe[]) => Maybe;
  /** Makes what keeps the same value up to date for one group while facts come and go. */
  readonly accumulator: () => Accumulator;
  /** The same for members whose values are kept elsewhere; left out where it would be the same accumulator. */
  readonly toldAccumulator?: () => ToldAccumulator;
  /** The result grows with the number of facts, so a bound on it says nothing of the single values: remedies do not try it for them. */
  readonly total?: true;
  /**
   * Returns numbers that one member may need for the aggregate to be `target`, given the numbers of the others, and the number
   * before the value if there is one. Searches for remedies try each. Left out where only the target itself is worth a try.
   */
  readonly candidates?: (target: number, others: readonly number[], count: Maybe) => readonly number[];
}

// ---------------------------------------------------------------- parts of signatures

export const STRING: HostType = { kind: "string" };
export const NUMBER: HostType = { kind: "number" };
export const BOOL: HostType = { kind: "bool" };
export const ANY: HostType = { kind: "any" };

/** Returns the type of a list. */
export const listOf = (item: HostType): HostType => ({ kind: "list", item });
/** Returns a parameter that every call gives. */
export const need = (name: string, type: HostType): HostParam => ({ name, type, optional: false });
/** Returns a parameter that a call may leave out. */
export const may = (name: string, type: HostType): HostParam => ({ name, type, optional: true });
