/** Reads the words of a command line. */
import { parseArgs } from "node:util";

export interface Arguments {
  readonly files: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** What was given to each option that takes a value, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Wrong usage: the message says what was expected. */
export class UsageError extends Error {}

/** Files, and the flags and options with a value that a command knows; everything else is wrong usage. */
export function readArguments(
  args: readonly string[],
  flags: readonly string[],
  valued: readonly string[] = [],
  /** One letter for an option with a value: `-o FILE` for `--output FILE`. */
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
    const known = [...flags, ...valued, "root", "help"].map((name) => {
      const letter = letterOf.get(name);
      return letter === undefined ? `--${name}` : `-${letter} or --${name}`;
    });
    throw new UsageError(`${optionProblem(error)}; the options are ${known.join(", ")}`);
  }
}

/** `--root DIR` belongs to no command: it says what the world of all of them is. */
export function splitRoots(args: readonly string[]): { readonly rest: string[]; readonly roots: string[] } {
  const rest: string[] = [];
  const roots: string[] = [];
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  for (let at = 0; at < end; at++) {
    const word = args[at] ?? "";
    if (word !== "--root" && !word.startsWith("--root=")) rest.push(word);
    else roots.push(word === "--root" ? (args.slice(0, end)[++at] ?? "") : word.slice("--root=".length));
  }
  if (roots.some((root) => root === "" || root.startsWith("-"))) throw new UsageError("--root needs a folder after it");
  return { rest: [...rest, ...args.slice(end)], roots };
}

/** `no gate "depoly": this program defines "deploy", "override"`. */
export function unknownName(kind: string, name: string, names: readonly string[]): UsageError {
  return new UsageError(`no ${kind} "${name}": ${definedNames(kind, names)}`);
}

/** `this program defines "deploy", "override"`. */
export function definedNames(kind: string, names: readonly string[]): string {
  return names.length === 0 ? `this program defines no ${kind}s` : `this program defines ${quotedList(names)}`;
}

/** A name such as `gate "deploy"` has its own. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => (name.includes('"') ? name : `"${name}"`)).join(", ");
}

/** Several are there, or none, and the option that names one was left out. */
export function missingName(kind: string, names: readonly string[]): UsageError {
  if (names.length === 0) return new UsageError(definedNames(kind, names));
  return new UsageError(`which ${kind}? Name one with --${kind}: ${quotedList(names)}`);
}

/** What Node found wrong with the options, in our words. */
function optionProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, quoted = message] = /'([^']*)'/u.exec(message) ?? [];
  const option = quoted.replace(/ <value>$/u, "").replace(/^-\w, /u, "");
  if (message.includes("does not take an argument")) return `${option} takes no value`;
  return /argument (?:missing|is ambiguous)/u.test(message)
    ? `${option} needs a value after it`
    : `no option ${option}`;
}

/** The value of an option that is given at most once. */
export function single(parsed: Arguments, option: string): string | undefined {
  const values = parsed.values.get(option) ?? [];
  if (values.length > 1) throw new UsageError(`--${option} is given ${values.length} times; once is enough`);
  return values[0];
}

/** One of a few words. */
export function choice<Word extends string>(
  parsed: Arguments,
  option: string,
  known: readonly Word[],
): Word | undefined {
  const value = single(parsed, option);
  if (value === undefined) return undefined;
  const found = known.find((word) => word === value);
  if (found === undefined) throw new UsageError(`--${option} takes ${known.join(" or ")}, not "${value}"`);
  return found;
}

/** A whole number from `least` on. */
export function wholeNumber(parsed: Arguments, option: string, least: number): number | undefined {
  const value = single(parsed, option);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/u.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option} takes a whole number from ${least} on, not "${value}"`);
}
