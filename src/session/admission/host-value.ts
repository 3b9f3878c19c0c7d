/**
 * Copies what the host gives, so that nothing it does later can reach a fact. Every property is read once.
 *
 * Lists and objects come out frozen: they are handed out again as they are.
 */
import type { Limits } from "../../base/limits.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { FactError } from "../errors.ts";
import { FactHandle } from "../results.ts";

const RESERVED_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "_id_"]);

export function refuseReserved(name: string): void {
  if (RESERVED_NAMES.has(name)) {
    throw new FactError("E403", `"${name}" is a reserved field name`, "choose another name");
  }
}

/** Copies the values of one fact; `where` names the field in messages. */
export class ValueCopier {
  readonly #limits: Limits;
  #values = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Starts a new fact: the limit on the number of values counts from here. */
  begin(): void {
    this.#values = 0;
  }

  /** Null and undefined mean missing. */
  copy(where: string, given: unknown, depth = 0): Maybe {
    switch (typeof given) {
      case "string":
        return this.#text(where, given);
      case "number":
        return number(where, given);
      case "boolean":
        return given;
      case "undefined":
        return undefined;
      case "object":
        return given === null ? undefined : this.#object(where, given, depth);
      default:
        throw new FactError(
          "E407",
          `${where} cannot hold a ${typeof given}`,
          "use a string, a number, a boolean, a list or a plain object",
        );
    }
  }

  isGoodText(text: string): boolean {
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

  #object(where: string, given: object, depth: number): Value {
    if (given instanceof FactHandle) return given.id;
    this.#enter(where, depth);
    if (Array.isArray(given)) return this.#list(where, given, depth);
    const prototype: unknown = Object.getPrototypeOf(given);
    if (prototype === null || prototype === Object.prototype || isPlainElsewhere(prototype)) {
      return this.#record(where, given as Record<string, unknown>, depth);
    }
    const name = given.constructor?.name;
    throw new FactError(
      "E407",
      `${where} cannot hold an object of class ${name}`,
      "convert it to a string or a plain object",
    );
  }

  #list(where: string, given: readonly unknown[], depth: number): Value {
    const copy: Value[] = [];
    const size = given.length;
    for (let index = 0; index < size; index++) {
      this.#count(where);
      const item = this.copy(where, given[index], depth + 1);
      if (item === undefined)
        throw new FactError("E407", `item ${index + 1} of ${where} is null or undefined`, "remove it");
      copy.push(item);
    }
    return Object.freeze(copy);
  }

  #record(where: string, given: Readonly<Record<string, unknown>>, depth: number): Value {
    const copy: [string, Value][] = [];
    for (const name of Object.keys(given)) {
      this.#count(where);
      refuseReserved(name);
      if (!name.isWellFormed()) throw loneSurrogate(where);
      const value = this.copy(where, given[name], depth + 1);
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

function number(where: string, given: number): number {
  if (!Number.isFinite(given)) {
    const hint = "leave the field out when the value is unknown";
    throw new FactError("E405", `${where} must be a finite number, found ${given}`, hint);
  }
  return given === 0 ? 0 : given;
}

function loneSurrogate(where: string): FactError {
  return new FactError("E406", `${where} contains an unpaired surrogate`, "write the whole character");
}

/** Data from another realm (a frame, a `vm` context) has another `Object.prototype`. */
function isPlainElsewhere(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf");
}
