/** Prints actions and the facts in them. */
import { unreachable } from "../base/invariant.ts";
import type { Action, DecideAction, Expr, FactArg, FactLiteral, Label } from "./ast.ts";
import type { Comments } from "./comments.ts";
import type { Doc } from "./layout.ts";
import { bracketed, type Row, rowsOf } from "./place.ts";
import { continuesExpression, expression, expressions, pathWords, value, values } from "./print-expression.ts";
import { labelWords, textWords } from "./print-words.ts";

/** Prints one action per line; a comma follows only where the next one would be read as part of it. */
export function actionRows(comments: Comments, actions: readonly Action[], limit: number): Row[] {
  return rowsOf(comments, actions, limit, (one, index) => {
    const next = actions[index + 1];
    const comma = next?.kind === "call" && continuesExpression(next.name.name) ? "," : "";
    return [action(comments, one), comma];
  });
}

export function action(comments: Comments, one: Action): Doc {
  switch (one.kind) {
    case "call":
      return [one.name.name, values(comments, one)];
    case "insert":
      return [one.logical ? "insert logical " : "insert ", factLiteral(comments, one.fact)];
    case "update":
      return [`update(${pathWords(one.target)}, `, value(comments, one.changes), ")"];
    case "assign":
      return [`${pathWords(one.target)} = `, value(comments, one.value)];
    case "let":
      return [`let ${one.name.name} = `, expression(comments, one.value)];
    case "retract":
      return `retract ${pathWords(one.target)}`;
    case "halt":
      return "halt";
    case "xuple":
      return [
        `xuple(${textWords(one.space.value)}, `,
        one.fact.kind === "path" ? pathWords(one.fact) : factLiteral(comments, one.fact),
        ")",
      ];
    case "decide":
      return decide(comments, one);
    case "verify":
      return asked(comments, `verify ${labelWords(one.guardian)}`, one.args, one.span.end);
    default:
      return unreachable(one);
  }
}

export function decide(comments: Comments, one: DecideAction): Doc {
  return asked(comments, `decide ${labelWords(one.gate)}`, one.args, one.span.end);
}

function asked(comments: Comments, who: string, args: readonly Expr[], end: number): Doc {
  return [who, expressions(comments, args, end)];
}

export function factLiteral(comments: Comments, fact: FactLiteral): Doc {
  const args = bracketed(comments, ["(", ")"], fact.args, fact.span.end, (arg) => factArg(comments, arg));
  return [fact.type.name, args];
}

function factArg(comments: Comments, arg: FactArg): Doc {
  const data = value(comments, arg.value);
  return arg.name === null ? data : [`${arg.name.name}: `, data];
}

/** Prints `deploy` or `"deploy"` with its arguments. */
export function judged(comments: Comments, label: Label, args: readonly Expr[]): Doc {
  const end = comments.find(")", args.at(-1)?.span.end ?? label.span.end) + 1;
  return [labelWords(label), expressions(comments, args, end)];
}
