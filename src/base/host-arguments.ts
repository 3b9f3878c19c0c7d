/** What a function of the host may be called with. */
import { type HostParam, type HostSignature, isOfType, typeWords, valueInShort } from "./host-types.ts";
import type { Maybe } from "./value.ts";

/** Whether an argument is missing that the function needs: then it is not called, and its result is missing. */
export function lacksArgument({ params }: HostSignature, args: readonly Maybe[]): boolean {
  for (let index = 0; index < args.length; index++) {
    if (args[index] === undefined && paramAt(params, index)?.optional !== true) return true;
  }
  return false;
}

/** Why the function cannot be called with these arguments; undefined when it can. */
export function wrongArgument({ params }: HostSignature, args: readonly Maybe[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    const param = paramAt(params, index);
    if (arg === undefined || param === undefined || isOfType(arg, param.type)) continue;
    return `was not called: ${param.name} must be ${typeWords(param.type)}, found ${valueInShort(arg)}`;
  }
  return undefined;
}

/** The last parameter stands for all that follow. */
function paramAt(params: readonly HostParam[], index: number): HostParam | undefined {
  return params[index] ?? params.at(-1);
}
