/** Refuses values of options that would be used long after the call, or that would change nothing without a word. */
import { SessionError } from "../base/session-error.ts";

interface Wanted {
  /** How the message says what the value must be. */
  readonly what: string;
  readonly fits: (value: unknown) => boolean;
  readonly hint: string;
}

const aFunction = (hint: string): Wanted => ({
  what: "a function",
  fits: (value) => typeof value === "function",
  hint,
});
const aNumber = (least: number, hint: string): Wanted => ({
  what: `a number, ${least} or more`,
  fits: (value) => typeof value === "number" && value >= least,
  hint,
});
const object = (hint: string, fits = isObject): Wanted => ({ what: "an object with functions", fits, hint });

const VALUES: Readonly<Record<string, Wanted>> = {
  now: aFunction("such as now: () => Date.now()"),
  random: aFunction("such as random: () => Math.random()"),
  realTime: aFunction("such as realTime: () => performance.now()"),
  auditClock: aFunction("such as auditClock: () => Date.now()"),
  audit: aFunction("such as audit: fileAudit({ roots: […] })"),
  history: aNumber(0, "the number of changes and firings that are remembered; 0 remembers none"),
  limit: aNumber(0, "the number of firings of one run"),
  checkDeadline: aNumber(0, "the milliseconds that one check of a guardian may take"),
  explainSteps: aNumber(0, "the number of steps of one explanation"),
  buffer: aNumber(1, "the number of deltas that wait for a slow consumer"),
  id: { what: "a string", fits: (value) => typeof value === "string", hint: 'such as id: "tenant-7"' },
  collect: { what: "true or false", fits: (value) => typeof value === "boolean", hint: "false only counts firings" },
  actions: object("such as actions: { hold: (order) => … }", areFunctions),
  // A function that is none has failed when it is called, and a migration that is none is refused with its name.
  functions: object("such as functions: { risky: (country) => … }"),
  migrate: object("such as migrate: { Person: (old) => ({ ...old }) }"),
};

/** Throws E407 for the value of an option that has another type. An option that is undefined is not given. */
export function checkOptionValues(options: object | undefined): void {
  for (const name in options) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || !Object.hasOwn(VALUES, name)) continue;
    const { what, fits, hint } = VALUES[name] as Wanted;
    if (TABLES.has(name) && isObject(value)) refuseHidden(name, value as object);
    if (!fits(value)) throw new SessionError("E407", `option "${name}" must be ${what}`, hint);
  }
}

/** Options whose properties are functions, found by name. */
const TABLES: ReadonlySet<string> = new Set(["actions", "functions", "migrate"]);

/**
 * Throws E407 for functions that are not properties of the object itself, such as the methods of a class: handlers are called with
 * their firing as `this`, and functions without any, so a method could not use the object that it belongs to.
 */
function refuseHidden(option: string, table: object): void {
  const above = Object.getPrototypeOf(table) as object | null;
  const isPlain = above === null || above === Object.prototype;
  if (isPlain && Object.keys(table).length === Object.getOwnPropertyNames(table).length) return;
  for (let at: object | null = table; at !== null && !isRoot(at); at = Object.getPrototypeOf(at) as object | null) {
    const hidden = Object.entries(Object.getOwnPropertyDescriptors(at)).find(
      ([name, property]) =>
        name !== "constructor" &&
        (typeof property.value === "function" || property.get !== undefined) &&
        (at !== table || property.enumerable !== true),
    );
    if (hidden === undefined) continue;
    const [name] = hidden;
    const whose = at === table ? "cannot be enumerated" : "is inherited, as the methods of a class are";
    const hint = `write ${option}: { ${name}: (...args) => object.${name}(...args) }`;
    throw new SessionError(
      "E407",
      `option "${option}" must be an object with functions of its own: "${name}" ${whose}`,
      hint,
    );
  }
}

/** Whether an object is the one that all plain objects inherit from, also that of another realm. */
function isRoot(at: object): boolean {
  return Object.getPrototypeOf(at) === null && Object.hasOwn(at, "hasOwnProperty");
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Whether every property is a function, or undefined: then there is none with that name. */
function areFunctions(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const name in value as object) {
    const one = (value as Readonly<Record<string, unknown>>)[name];
    if (one !== undefined && typeof one !== "function") return false;
  }
  return true;
}
