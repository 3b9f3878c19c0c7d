/** Checks what functions of the host return in a test: `given risk("FR", 10) = 0.3`. */
import { nearest } from "../../base/nearest.ts";
import type * as ast from "../ast.ts";
import { expressionText } from "../print-part.ts";
import { checkArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import { checkData, isNull } from "./facts.ts";
import type { Scope } from "./scope.ts";
import type { Signature } from "./signature.ts";
import { hintFor } from "./names.ts";
import { ANY } from "./types.ts";

export function checkGivenCalls(cx: Context, items: readonly ast.GivenCall[], scope: Scope): void {
  const calls = new Set<string>();
  for (const item of items) {
    checkGivenCall(cx, item, scope);
    const text = expressionText(item.call);
    if (calls.has(text)) {
      cx.report.error("E204", item.call.span, `the value of ${text} is given twice`, "remove one of them");
    }
    calls.add(text);
  }
}

function checkGivenCall(cx: Context, { call, value }: ast.GivenCall, scope: Scope): void {
  const { name, span } = call.name;
  const signature = hostSignature(cx, name);
  if (signature === undefined) {
    if (cx.symbols.excuses(cx.symbols.functions, name)) return;
    const known = cx.symbols.function(name) !== undefined;
    const message = known ? `"${name}" is no function of the host` : `unknown function "${name}"`;
    const hint = known
      ? "a test states what the host returns; other functions are computed"
      : (hintFor(name, nearest(name, cx.symbols.written(cx.symbols.functions, cx.report.source))) ??
        `declare it: function ${name}(…): …`);
    cx.report.error(known ? "E214" : "E212", span, message, hint);
    return;
  }
  const { params, result } = signature;
  // Types are checked as data, argument by argument: here only how many there are.
  checkArguments(cx, name, params, signature.repeats ?? false, call.args, call.span, []);
  for (const [index, arg] of call.args.entries()) {
    const param = params[index] ?? params.at(-1);
    if (isNull(arg) && param?.optional === true) cx.resolutions.set(arg, "null");
    else checkData(cx, `${name}: argument "${param?.name ?? index + 1}"`, param?.type ?? ANY, arg, scope);
  }
  const mayLack = result === "argument" || result.optional === true;
  if (mayLack && isNull(value)) cx.resolutions.set(value, "null");
  else checkData(cx, `the value of ${name}`, result === "argument" ? ANY : result, value, scope);
}

/** Returns the signature of a function that the host provides. */
function hostSignature({ symbols }: Context, name: string): Signature | undefined {
  const declared = symbols.functions.get(name)?.decl;
  if (declared === undefined) return symbols.hostSignature(name);
  return declared.body === null ? symbols.function(name) : undefined;
}
