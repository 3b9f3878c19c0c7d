/**
 * The functions of the host in a test: `given risk("FR", 10) = 0.3` states what a call returns. Any other call goes to the function of
 * the host; where there is none, it is unknown.
 */
import { NoValue } from "../../base/host-call.ts";
import { type HostType, valueInShort } from "../../base/host-types.ts";
import { isTimeKind, readTime, timeText } from "../../base/time.ts";
import { type Maybe, same, type Value } from "../../base/value.ts";
import type { PureFunction } from "../../functions/built-in.ts";
import type * as ast from "../../language/ast.ts";
import type { Signature } from "../../language/check/signature.ts";
import { passedTo } from "../../language/passed.ts";
import type { Program } from "../program.ts";
import type { GivenFacts } from "./given.ts";

type Functions = Readonly<Record<string, PureFunction>>;

/** Returns the functions that a test calls. */
export function functionsIn(program: Program, decl: ast.TestDecl, given: GivenFacts, host: Functions): Functions {
  const items = decl.items.filter((item) => item.kind === "given-call");
  const names = new Set(items.map(({ call }) => call.name.name));
  const stated = Array.from(names, (name) => {
    const own = items.filter(({ call }) => call.name.name === name);
    return [name, answering(program, name, own, given, host[name])] as const;
  });
  return { ...host, ...Object.fromEntries(stated) };
}

function answering(
  { checked: { symbols } }: Program,
  name: string,
  items: readonly ast.GivenCall[],
  given: GivenFacts,
  host: unknown,
): PureFunction {
  const signature = symbols.function(name);
  const declared = symbols.declaredFunction(name);
  return (...args) => {
    // Names of facts without a key get their ids when the facts are asserted, so values are read when they are needed.
    const found = items.find(({ call }) => {
      const passed = declared === undefined ? call.args : passedTo(declared.params, call.args);
      return isSame(
        args,
        passed.map((arg, index) => argument(given, signature, index, arg)),
      );
    });
    if (found !== undefined) return given.valueOf(found.value);
    if (typeof host === "function") return (host as PureFunction)(...args);
    const call = `${name}(${args.map(valueInShort).join(", ")})`;
    throw new NoValue("has no value in this test", `state it: given ${call} = …`);
  };
}

/** Returns an argument as the host receives it: a fact is its id, a time ISO 8601 text. */
function argument(given: GivenFacts, signature: Signature | undefined, index: number, arg: ast.Value | null): Maybe {
  const type = (signature?.params[index] ?? signature?.params.at(-1))?.type;
  const value = arg === null ? undefined : given.valueOf(arg);
  return type === undefined || value === undefined ? value : received(given, type, value);
}

function received(given: GivenFacts, type: HostType, value: Maybe): Maybe {
  if (type.kind === "list") {
    return Array.isArray(value) ? value.map((item: Value) => received(given, type.item, item) as Value) : value;
  }
  if (type.kind === "fact") return given.idOf(type.type, value);
  if (!isTimeKind(type.kind) || typeof value !== "string") return value;
  const read = readTime(type.kind, value);
  return "value" in read ? timeText(type.kind, read.value) : value;
}

/** Returns whether two lists of arguments are the same; missing ones at the end make no difference. */
function isSame(args: readonly Maybe[], stated: readonly Maybe[]): boolean {
  const length = Math.max(args.length, stated.length);
  return Array.from({ length }, (_, index) => same(args[index], stated[index])).every(Boolean);
}
