/** Reads the arguments of a command. */
import { parseArgs } from "node:util";
import { nearestName } from "../index.ts";

export interface Arguments {
  readonly files: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** The values of each option that takes one, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Wrong usage. The message says what is wrong and what to write. */
export class UsageError extends Error {}

/**
 * Splits arguments into files, flags and options with a value.
 *
 * @throws UsageError when an option is unknown, or has a value too many or too few.
 */
export function readArguments(
  args: readonly string[],
  flags: readonly string[],
  valued: readonly string[] = [],
  /** Short forms of options with a value: `-o FILE` for `--output FILE`. */
  letters: Readonly<Record<string, string>> = {},
): Arguments {
  const letterOf = new Map(Object.entries(letters).map(([letter, name]) => [name, letter]));
  const options = Object.fromEntries([
    ...[...flags, "help"].map((name) => [name, { type: "boolean" as const }] as const),
    ...valued.map((name) => {
      const short = letterOf.get(name);
      const option = { type: "string" as const, multiple: true };
      return [name, short === undefined ? option : { ...option, short }] as const;
    }),
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const given = Object.entries(values);
    return {
      files: positionals,
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      values: new Map(given.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value as string[]]] : []))),
    };
  } catch (error) {
    const names = [...flags, ...valued, "root", "param", "functions", "clock", "help"];
    const known = names.map((name) => {
      const letter = letterOf.get(name);
      return letter === undefined ? `--${name}` : `-${letter} or --${name}`;
    });
    throw new UsageError(optionProblem(error, names, known));
  }
}

/** What every command understands: `--root DIR`, `--param NAME=VALUE` and `--functions FILE`, each any number of times, and `--clock TIME`. */
export interface CommonArguments {
  /** `real`, or an instant; undefined when the option is not given. */
  readonly clock: string | undefined;
  readonly rest: readonly string[];
  readonly roots: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly functions: readonly string[];
}

/** Takes the options that every command understands out of the arguments. */
export function splitCommon(args: readonly string[]): CommonArguments {
  const roots = taken(args, "--root");
  if (roots.values.some((root) => root === "" || root.startsWith("-")))
    throw new UsageError("--root needs a folder: --root DIR");
  const params = taken(roots.rest, "--param");
  const functions = taken(params.rest, "--functions");
  if (functions.values.some((file) => file === "" || file.startsWith("-")))
    throw new UsageError("--functions needs a JavaScript module: --functions FILE");
  const clock = taken(functions.rest, "--clock");
  return {
    rest: clock.rest,
    roots: roots.values,
    params: parametersIn(params.values),
    functions: functions.values,
    clock: clockIn(clock.values),
  };
}

function clockIn(given: readonly string[]): string | undefined {
  const [clock, ...more] = given;
  if (more.length > 0) throw new UsageError("--clock appears more than once; use it once");
  if (clock === undefined || clock === "real" || clock === "facts") return clock;
  const instant = clock.replace(/^@/u, "");
  if (/^\d{4}-\d\d-\d\dT/u.test(instant)) return instant;
  throw new UsageError(`--clock must be real, facts or an instant such as @2026-11-16T12:00:00Z, not "${clock}"`);
}

/** Takes an option with a value out of the arguments, wherever it stands before `--`. */
function taken(
  args: readonly string[],
  option: string,
): { readonly rest: readonly string[]; readonly values: readonly string[] } {
  const rest: string[] = [];
  const values: string[] = [];
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  for (let at = 0; at < end; at++) {
    const word = args[at] ?? "";
    if (word !== option && !word.startsWith(`${option}=`)) rest.push(word);
    else values.push(word === option ? (args.slice(0, end)[++at] ?? "") : word.slice(option.length + 1));
  }
  return { rest: [...rest, ...args.slice(end)], values };
}

function parametersIn(given: readonly string[]): Readonly<Record<string, string>> {
  const params = new Map<string, string>();
  for (const one of given) {
    const [, name, value] = /^([^=]+)=(.*)$/su.exec(one) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError("--param needs a name and a value: --param NAME=VALUE");
    if (params.has(name)) throw new UsageError(`--param ${name} appears twice; use it once`);
    params.set(name, value);
  }
  return Object.fromEntries(params);
}

/** Returns `no gate "depoly": this program defines "deploy", "override"`. */
export function unknownName(kind: string, name: string, names: readonly string[]): UsageError {
  return new UsageError(`no ${kind} "${name}": ${definedNames(kind, names)}`);
}

/** Returns `this program defines "deploy", "override"`. */
export function definedNames(kind: string, names: readonly string[]): string {
  return names.length === 0
    ? `this program defines no ${kind.replace(/y$/u, "ie")}s`
    : `this program defines ${quotedList(names)}`;
}

/** Returns names in quotes, separated by commas; a name such as `gate "deploy"` keeps its own quotes. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => (name.includes('"') ? name : `"${name}"`)).join(", ");
}

/** Returns the error for an option that must name one of several, and is absent. */
export function missingName(kind: string, names: readonly string[]): UsageError {
  if (names.length === 0) return new UsageError(definedNames(kind, names));
  return new UsageError(`this program has ${names.length} ${kind}s; choose one with --${kind}: ${quotedList(names)}`);
}

/** Returns what is wrong with the options, from the message of Node's parser. */
function optionProblem(error: unknown, names: readonly string[], known: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, quoted = message] = /'([^']*)'/u.exec(message) ?? [];
  const option = quoted.replace(/ <value>$/u, "").replace(/^-\w, /u, "");
  if (message.includes("does not take an argument")) return `${option} takes no value`;
  if (/argument (?:missing|is ambiguous)/u.test(message)) return `${option} needs a value`;
  const meant = nearestName(option.replace(/^-+/u, ""), names);
  return `unknown option ${option}; ${meant === undefined ? `options: ${known.join(", ")}` : `did you mean --${meant}?`}`;
}

/** Returns the value of an option that may appear once. */
export function single(parsed: Arguments, option: string): string | undefined {
  const values = parsed.values.get(option) ?? [];
  if (values.length > 1) throw new UsageError(`--${option} appears ${values.length} times; use it once`);
  return values[0];
}

/** Returns the value of an option that takes one of a few words. */
export function choice<Word extends string>(
  parsed: Arguments,
  option: string,
  known: readonly Word[],
): Word | undefined {
  const value = single(parsed, option);
  if (value === undefined) return undefined;
  const found = known.find((word) => word === value);
  if (found === undefined) throw new UsageError(`--${option} must be ${alternatives(known)}, not "${value}"`);
  return found;
}

/** Returns `svg, dot or json`. */
function alternatives(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Returns the value of an option that takes an integer of at least `least`. */
export function wholeNumber(parsed: Arguments, option: string, least: number): number | undefined {
  const value = single(parsed, option);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/u.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option} must be an integer of at least ${least}, not "${value}"`);
}
