/** The values of expressions in a test, which may use the names of given facts and of facts of the program. */
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { TestContext } from "./expectation.ts";

export function valuesOf({ session, given }: TestContext, args: readonly ast.Expr[]): Maybe[] {
  return args.flatMap((arg) => {
    const { span } = arg;
    const call: ast.CallAction = { kind: "call", name: { name: "log", span }, args: [arg], span };
    const [values = []] = session.argumentsOf({ name: "value", names: given.names, elements: [], actions: [call] });
    return values;
  });
}
