/** Calls host functions as their signatures say. Written separately from the network, to be compared with it. */
import type { Maybe, Value } from "../base/value.ts";
import type { Type } from "../language/check/types.ts";
import { call } from "./functions.ts";
import type { World } from "./world.ts";

/** Returns the value of the call; undefined when it is missing, or when the call fails, which the world counts. */
export function callHost(
  host: (...args: Maybe[]) => unknown,
  name: string,
  args: readonly Maybe[],
  world: World,
): Maybe {
  const signature = world.program.symbols.function(name);
  if (signature === undefined) return undefined;
  const { params, result } = signature;
  const asked = args.map((arg, index) => ({ arg, param: params[Math.min(index, params.length - 1)] }));
  if (asked.some(({ arg, param }) => arg === undefined && param?.optional !== true)) return undefined;
  const fit = asked.every(({ arg, param }) => arg === undefined || param === undefined || isOf(arg, param.type));
  const returned = fit ? attempt(() => host(...args)) : FAILED;
  if (returned === undefined || returned === null) {
    if (result === "argument" || result.optional === true) return undefined;
  } else if (returned !== FAILED && isOf(returned, result === "argument" ? { kind: "any" } : result)) {
    return returned as Value;
  }
  world.failures += 1;
  return undefined;
}

const FAILED = Symbol("failed");

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return FAILED;
  }
}

function isOf(value: unknown, type: Type): boolean {
  switch (type.kind) {
    case "string":
    case "fact":
      return typeof value === "string";
    case "union":
      return type.options.some((option) => option === value);
    case "number":
      return Number.isFinite(value);
    case "bool":
      return value === true || value === false;
    case "date":
    case "instant":
    case "duration":
      return typeof value === "string" && call(`parse_${type.kind}`, [value]) !== undefined;
    case "months":
      return Number.isInteger(value);
    case "list":
      return Array.isArray(value) && value.every((item) => isOf(item, type.item));
    case "row":
      return false;
    case "record": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const given = new Map<string, unknown>(Object.entries(value));
      for (const { name, type: of, optional } of type.fields) {
        if (given.has(name) ? !isOf(given.get(name), of) : !optional) return false;
        given.delete(name);
      }
      return given.size === 0 || type.more;
    }
    case "any":
      return isPlain(value);
  }
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== "object" || value === null)
    return ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  return !("then" in value && typeof value.then === "function") && Object.values(value).every(isPlain);
}
