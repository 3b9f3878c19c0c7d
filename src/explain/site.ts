/** What explanations are made from: the checked program, and a session that is asked, never changed. */
import { nearest as nearestName } from "../base/nearest.ts";
import type { Maybe } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { Declared } from "../language/check/symbols.ts";
import { SessionError } from "../session/errors.ts";
import type { FactView, Fired } from "../session/results.ts";
import type { FactRef, Session } from "../session/session.ts";
import type { Part } from "./parts.ts";
import type { Bound, Fixed } from "./solve.ts";
import { Words } from "./words.ts";
import type { Ground, World } from "./world.ts";

export interface ExplainSite extends Ground {
  readonly session: Session;
  /** A session of its own with the same facts and matches, for trying changes. */
  fork(): Session;
  /** Up to so many facts a session is copied whole (2,000). */
  readonly wholeUpTo?: number;
  /** The same with some of the facts, under their ids. */
  forkOf(facts: readonly FactView[]): Session;
  /** Where the program states a fact, as `rules.tsd:6`. */
  place(id: string): string | undefined;
}

export interface Asked {
  readonly name: string;
  readonly decl: ast.RuleDecl;
  readonly words: Words;
}

export function askedRule({ program }: Ground, name: string): Asked {
  const found: Declared<ast.RuleDecl> | undefined = program.symbols.rules.get(name);
  if (found !== undefined) return { name, decl: found.decl, words: new Words(found.source) };
  const meant = nearestName(name, program.symbols.rules.names());
  throw new SessionError(
    "E207",
    `there is no rule "${name}"`,
    meant === undefined ? undefined : `did you mean "${meant}"?`,
  );
}

/** The variables of a condition that stand for facts, with their types. */
export function factVariables(parts: readonly Part[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of parts) {
    if (part.kind === "pattern" && part.variable !== null) found.set(part.variable, part.type);
    if (part.kind === "or") {
      for (const alternative of part.alternatives) {
        for (const [name, type] of factVariables(alternative)) found.set(name, type);
      }
    }
  }
  return found;
}

/** What the bindings of a firing or a match fix. */
export function fixedBy(bindings: Fired["bindings"], parts: readonly Part[], world: World): Fixed {
  const variables = factVariables(parts);
  const fixed = new Map<string, Bound>();
  for (const [name, value] of Object.entries(bindings)) {
    if (value === undefined) continue;
    const type = variables.get(name);
    fixed.set(name, type === undefined || typeof value !== "string" ? { value } : { fact: factOr(world, value, type) });
  }
  return fixed;
}

function factOr(world: World, id: string, type: string): FactView {
  return world.get(id) ?? { id, type, fields: {} };
}

/** What a question fixes: variables of the rule, each with a fact that is there. */
export function fixedByQuestion(
  asked: Asked,
  bindings: Readonly<Record<string, FactRef>>,
  parts: readonly Part[],
  world: World,
): Fixed {
  const variables = factVariables(parts);
  const fixed = new Map<string, Bound>();
  for (const [name, ref] of Object.entries(bindings)) {
    const type = variables.get(name);
    if (type === undefined) throw unknownVariable(asked, name, variables);
    const id = typeof ref === "string" ? ref : ref.id;
    fixed.set(name, { fact: knownFact(id, name, type, world) });
  }
  return fixed;
}

function unknownVariable(asked: Asked, name: string, variables: ReadonlyMap<string, string>): SessionError {
  const known = [...variables.keys()].map((one) => `"${one}"`);
  const hint =
    known.length === 0 ? "it has no variable that stands for a fact" : `its variables for facts: ${known.join(", ")}`;
  return new SessionError("E205", `rule "${asked.name}" has no variable "${name}" that stands for a fact`, hint);
}

function knownFact(id: string, name: string, type: string, world: World): FactView {
  const fact = world.get(id);
  if (fact === undefined) {
    const meant = nearestName(
      id,
      world
        .ofType(type)
        .map((one) => one.id)
        .slice(0, 1000),
    );
    throw new SessionError(
      "E532",
      `there is no fact "${id}"`,
      meant === undefined ? undefined : `did you mean "${meant}"?`,
    );
  }
  if (fact.type === type) return fact;
  throw new SessionError("E203", `"${id}" is a ${fact.type}, and "${name}" stands for a ${type}`);
}

/** `p = Person~p1, total = 12`. */
export function bindingWords(bindings: Readonly<Record<string, Maybe>>, value: (one: Maybe) => string): string {
  return Object.entries(bindings)
    .map(([name, one]) => `${name} = ${value(one)}`)
    .join(", ");
}
