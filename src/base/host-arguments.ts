/** Checks the arguments of host functions. */
import { type HostParam, type HostSignature, isOfType, typeWords, valueInShort } from "./host-types.ts";
import type { Maybe } from "./value.ts";

/** Returns whether a required argument is missing: then the function is not called, and its result is missing. */
export function lacksArgument({ params }: HostSignature, args: readonly Maybe[]): boolean {
  for (let index = 0; index < args.length; index++) {
    if (args[index] === undefined && paramAt(params, index)?.optional !== true) return true;
  }
  return false;
}

/** Returns why the function cannot be called with these arguments; undefined when it can. */
export function wrongArgument({ params }: HostSignature, args: readonly Maybe[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    const param = paramAt(params, index);
    if (arg === undefined || param === undefined || isOfType(arg, param.type)) continue;
    return `was not called: ${param.name} must be ${typeWords(param.type)}, found ${valueInShort(arg)}`;
  }
  return undefined;
}

/** Returns the parameter of an argument; the last one applies to all further arguments. */
function paramAt(params: readonly HostParam[], index: number): HostParam | undefined {
  return params[index] ?? params.at(-1);
}
