/** Describes plain data from outside, closed: every name is known, every value has its type. */

/** Returns what is wrong with a value, with its location; undefined when nothing is. */
export type Shape = (value: unknown, at: string) => string | undefined;

function wrong(at: string, expected: string, value: unknown): string {
  const found =
    value === null ? "null" : Array.isArray(value) ? "a list" : (NAMES.get(typeof value) ?? "something else");
  return `${at === "" ? "" : `${at}: `}${expected} was expected, and this is ${found}`;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["boolean", "a bool"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

export const string: Shape = (value, at) => (typeof value === "string" ? undefined : wrong(at, "a string", value));

export const bool: Shape = (value, at) => (typeof value === "boolean" ? undefined : wrong(at, "a bool", value));

export const number: Shape = (value, at) => (Number.isFinite(value) ? undefined : wrong(at, "a number", value));

/** The largest integer that is accepted: far enough below the last exact one that counting on stays exact. */
const MAX_COUNTER = 2 ** 52;

export const count: Shape = (value, at) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNTER
    ? undefined
    : `${at}: an integer from 0 to 2^52 was expected`;

export function word(...words: readonly string[]): Shape {
  return (value, at) =>
    typeof value === "string" && words.includes(value) ? undefined : `${at}: one of ${words.join(", ")} was expected`;
}

/** Returns the shape of lower-case hexadecimal digits. */
export function hex(digits: number): Shape {
  const form = new RegExp(`^[0-9a-f]{${digits}}$`, "u");
  return (value, at) =>
    typeof value === "string" && form.test(value) ? undefined : `${at}: ${digits} hexadecimal digits were expected`;
}

export function orNull(shape: Shape): Shape {
  return (value, at) => (value === null ? undefined : shape(value, at));
}

export function list(item: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return wrong(at, "a list", value);
    for (const [index, one] of value.entries()) {
      const found = item(one, `${at}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

type Members = Readonly<Record<string, Shape>>;

/** Returns the shape of an object with exactly these names, and perhaps the optional ones. */
export function record(required: Members, optional: Members = {}): Shape {
  const members = new Map(Object.entries({ ...required, ...optional }));
  const needed = Object.keys(required);
  return (value, at) => {
    if (!isObject(value)) return wrong(at, "an object", value);
    const missing = needed.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `${inner(at, missing)}: this is missing`;
    return firstOf(value, (name, one) => {
      const shape = members.get(name);
      return shape === undefined ? `${inner(at, name)}: there is no such name here` : shape(one, inner(at, name));
    });
  };
}

/** Returns the shape of an object with any names, except those with a meaning in JavaScript. */
export function table(item: Shape): Shape {
  return (value, at) => {
    if (!isObject(value)) return wrong(at, "an object", value);
    return firstOf(value, (name, one) =>
      RESERVED.has(name) ? `${inner(at, name)}: this name is reserved` : item(one, inner(at, name)),
    );
  };
}

const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstOf(
  value: Readonly<Record<string, unknown>>,
  look: (name: string, one: unknown) => string | undefined,
): string | undefined {
  for (const [name, one] of Object.entries(value)) {
    const found = look(name, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MAX_NAME_LENGTH = 80;

/** Returns the location of a member: `facts`, `facts.counts`, `fields["first name"]`. */
export function inner(at: string, name: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && name.length <= MAX_NAME_LENGTH)
    return at === "" ? name : `${at}.${name}`;
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
  return `${at}[${JSON.stringify(short)}]`;
}

/** The shape of values that a field of a fact can hold. */
export const anyValue: Shape = (value, at) => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${at}: a finite number was expected`;
  if (typeof value === "string" || typeof value === "boolean") return undefined;
  if (Array.isArray(value)) return values(value, at);
  return value === null ? wrong(at, "a value", value) : fields(value, at);
};

const values = list(anyValue);
const fields = table(anyValue);
