/**
 * Copies data of the host, so that nothing it does later can change a fact. Every property is read once.
 *
 * Copied lists and objects are frozen: they are returned to the host as they are.
 */
import type { Limits } from "../../base/limits.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { hostTimeText } from "../../base/host-time.ts";
import { FactError } from "../errors.ts";
import { FactHandle } from "../results.ts";

const RESERVED_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "_id_"]);

/** Throws E403 for a field name that objects give a meaning to. */
export function refuseReserved(name: string): void {
  if (RESERVED_NAMES.has(name)) {
    throw new FactError("E403", `"${name}" is a reserved field name`, "choose another name");
  }
}

/** Copies the values of one fact; `where` names the field in messages. */
export class ValueCopier {
  readonly #limits: Limits;
  #values = 0;
  /** Whether `Date` and Temporal objects are taken: they become ISO 8601 text. */
  acceptsTimes = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Starts a new fact: the limit on the number of values counts from here. */
  begin(): void {
    this.#values = 0;
  }

  /** Returns a copy of a value; undefined for null and undefined, which mean missing. */
  copy(where: string, data: unknown, depth = 0): Maybe {
    switch (typeof data) {
      case "string":
        return this.#text(where, data);
      case "number":
        return number(where, data);
      case "boolean":
        return data;
      case "undefined":
        return undefined;
      case "object":
        return data === null ? undefined : this.#object(where, data, depth);
      default:
        throw new FactError(
          "E407",
          `${where} cannot hold a ${typeof data}`,
          "use a string, a number, a boolean, a list or a plain object",
        );
    }
  }

  /** Whether a string is within the limit and well-formed. */
  isValidText(text: string): boolean {
    return text.length <= this.#limits.text && text.isWellFormed();
  }

  #text(where: string, text: string): string {
    if (text.length > this.#limits.text) {
      const message = `${where} has ${text.length} characters; the limit is ${this.#limits.text}`;
      throw new FactError("E303", message);
    }
    if (!text.isWellFormed()) throw loneSurrogate(where);
    return text;
  }

  #object(where: string, data: object, depth: number): Value {
    if (data instanceof FactHandle) return data.id;
    if (this.acceptsTimes) {
      const text = hostTimeText(data);
      if (text !== undefined) return text;
    }
    this.#enter(where, depth);
    if (Array.isArray(data)) return this.#list(where, data, depth);
    if (isPlainObject(data)) return this.#record(where, data as Record<string, unknown>, depth);
    const name = data.constructor?.name;
    throw new FactError(
      "E407",
      `${where} cannot hold an object of class ${name}`,
      "convert it to a string or a plain object",
    );
  }

  #list(where: string, data: readonly unknown[], depth: number): Value {
    const copy: Value[] = [];
    const size = data.length;
    for (let index = 0; index < size; index++) {
      this.#count(where);
      const item = this.copy(where, data[index], depth + 1);
      if (item === undefined)
        throw new FactError("E407", `item ${index + 1} of ${where} is null or undefined`, "remove it");
      copy.push(item);
    }
    return Object.freeze(copy);
  }

  #record(where: string, data: Readonly<Record<string, unknown>>, depth: number): Value {
    const copy: [string, Value][] = [];
    for (const name of Object.keys(data)) {
      this.#count(where);
      refuseReserved(name);
      if (!name.isWellFormed()) throw loneSurrogate(where);
      const value = this.copy(where, data[name], depth + 1);
      if (value !== undefined) copy.push([name, value]);
    }
    return Object.freeze(Object.fromEntries(copy));
  }

  #enter(where: string, depth: number): void {
    const limit = this.#limits.valueNesting;
    if (depth >= limit) throw new FactError("E301", `${where} is nested more than ${limit} levels deep`);
  }

  #count(where: string): void {
    this.#values += 1;
    const limit = this.#limits.valueItems;
    if (this.#values > limit) throw new FactError("E306", `${where} holds more than ${limit} values`);
  }
}

function number(where: string, data: number): number {
  if (!Number.isFinite(data)) {
    const hint = "leave the field out when the value is unknown";
    throw new FactError("E405", `${where} must be a finite number, found ${data}`, hint);
  }
  return data === 0 ? 0 : data;
}

function loneSurrogate(where: string): FactError {
  return new FactError("E406", `${where} contains an unpaired surrogate`, "write the whole character");
}

/** Whether an object has no class of its own. */
export function isPlainObject(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || prototype === Object.prototype || isPlainElsewhere(prototype);
}

/** Whether this is the `Object.prototype` of another realm (a frame, a `vm` context). */
function isPlainElsewhere(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf");
}
