/** The line of a guardian that decided, and the binding of its subject. */
import type { VerdictAccount } from "../../guardian/account.ts";
import type * as ast from "../../language/ast.ts";
import { Chosen } from "./chosen.ts";
import { type PlainLine, plainLines } from "./using.ts";
import type { World } from "./world.ts";

/** A line that decided, with its check. */
export interface Deciding {
  readonly plain: PlainLine;
  readonly check: ast.CheckDecl;
}

/** Returns the first line that did not pass. */
export function decidingLine({ context }: World, account: VerdictAccount): Deciding | undefined {
  if (account.answer.verdict === "PASS" || account.fault !== undefined) return undefined;
  const at = account.checks.length - 1;
  const check = context.program.symbols.guardians.get(account.answer.guardian)?.decl.checks[at];
  const lines = check === undefined ? [] : plainLines(check, context.program).filter(({ line }) => decides(line));
  const plain = lines[(account.checks[at]?.lines.length ?? 0) - 1];
  return plain === undefined || check === undefined ? undefined : { plain, check };
}

/** Returns whether a line can decide: remarks cannot. */
export function decides({ polarity }: ast.CheckLine): boolean {
  return polarity === "need" || polarity === "forbid";
}

/** Returns the binding of the subject to its variable. */
export function subjectChosen(pattern: ast.Pattern, id: string, world: World): Chosen {
  const fact = world.one(id);
  const name = pattern.variable?.name;
  return fact === undefined || name === undefined ? Chosen.nothing : Chosen.nothing.with(undefined, name, { fact });
}
