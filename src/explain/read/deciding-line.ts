/** The line of a guardian that decided, and the binding of its subject. */
import { decidingCheck, decidingFinding, type VerdictAccount } from "../../guardian/account.ts";
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
  const at = decidingCheck(account) ?? -1;
  const [check, found] = [checksOf(context, account)[at], account.checks[at]];
  if (check === undefined || found === undefined) return undefined;
  const plain = plainLines(check, context.program).filter(({ line }) => decides(line))[decidingFinding(found)];
  return plain === undefined ? undefined : { plain, check };
}

function checksOf({ program }: World["context"], { answer }: VerdictAccount): readonly ast.CheckDecl[] {
  return program.symbols.guardians.get(answer.guardian)?.decl.checks ?? [];
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
