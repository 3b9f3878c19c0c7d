/** The sources of explanations: the checked program, and a session that is read and never changed. */
import { didYouMean, nearest as nearestName } from "../../base/nearest.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { Declared } from "../../language/check/names.ts";
import type { VerdictAccount } from "../../guardian/account.ts";
import type { FlowStanding } from "../../base/judging.ts";
import type { GateAnswer } from "../../base/answers.ts";
import type { DecisionAccount } from "../../guardian/pipeline.ts";
import { SessionError } from "../../session/errors.ts";
import type { FactView, Fired } from "../../session/results.ts";
import type { HistoryPort, SessionPort } from "../../session/ports.ts";
import type { FactRef, PastFacts } from "../../session/options.ts";
import { type Part, partsOfElements, partsOfRule } from "./parts.ts";
import { type Bound, Chosen, type Fixed } from "./chosen.ts";
import { factNamed } from "./fact-named.ts";
import { Words } from "./words.ts";
import type { WorldContext, World } from "./world.ts";

export interface ExplainContext extends WorldContext {
  readonly session: SessionPort;
  /** The past of the session. */
  readonly history: HistoryPort;
  /** Returns a separate session with the same facts and matches, to try changes in. */
  fork(): SessionPort;
  /** The most facts of a session that is copied whole. Default: 2,000. */
  readonly wholeUpTo?: number;
  /** Returns a separate session with some of the facts, under their ids. */
  forkOf(facts: readonly FactView[]): SessionPort;
  /** Returns a separate session with the facts as they were after a change. */
  forkPast(past: PastFacts): SessionPort;
  /** Returns the answers of a query in a session: the variables of each, facts as ids. */
  answers(session: SessionPort, query: string, args: QuestionArguments): Readonly<Record<string, Maybe>>[];
  /**
   * Returns the answer of a gate about a subject (null for a gate without one), in the session or in `fork`; undefined
   * when it is not a subject.
   */
  gate(name: string, subject: string | null, fork?: SessionPort): GateAnswer | undefined;
  /** Returns what a subject (null for a flow without one) waits for in a stage; undefined when it is not there. */
  flow(name: string, subject: string | null, stage: string): FlowStanding | undefined;
  /**
   * Returns the verdict of a guardian on a subject, in the session or in `fork`; undefined when it is not a subject.
   */
  verdict(name: string, subject: string, fork?: SessionPort): VerdictAccount | undefined;
  /** Returns the decision that a pipeline would make about a subject now, without auditing it. */
  decision(name: string, subject: string): DecisionAccount | undefined;
  /**
   * Returns why a rule cannot be relied on: `own` when the rule itself was switched off, `reads` when it reads facts
   * that a switched-off rule may write.
   */
  doubt?(rule: string): RuleDoubt;
  /** Returns where the program states a fact, as `rules.tsd:6`. */
  place(id: string): string | undefined;
}

export interface RuleDoubt {
  readonly own: string | undefined;
  readonly reads: string | undefined;
}

/** The subject of a question: a rule or a query. */
export interface Target {
  readonly kind: "rule" | "query";
  readonly name: string;
  readonly words: Words;
  readonly parts: readonly Part[];
  readonly attributes: readonly ast.Attribute[];
  /** The bindings before the first part: the parameters of a query. */
  readonly start: Chosen;
  /** The names of the parameters of a query. */
  readonly params: readonly string[];
  /** Those of them that have no value. */
  readonly lacks: readonly string[];
}

export function ruleNamed({ program }: WorldContext, name: string): Target {
  const found: Declared<ast.RuleDecl> | undefined = program.symbols.rules.get(name);
  if (found === undefined) throw unknownRule(program, name);
  const { attributes } = found.decl;
  const words = new Words(found.source);
  const parts = partsOfRule(found.decl);
  return { kind: "rule", name, words, parts, attributes, start: Chosen.nothing, params: [], lacks: [] };
}

/** Returns the rule of a name, or else the query; a parameter without an argument is missing. */
export function ruleOrQueryNamed(context: WorldContext, name: string, args: QuestionArguments): Target {
  const { rules, queries } = context.program.symbols;
  const query = queries.get(name);
  if (rules.get(name) !== undefined || query === undefined) return ruleNamed(context, name);
  let start = Chosen.nothing;
  for (const param of query.decl.params) {
    const value = args[param.name.name];
    if (value !== undefined) start = start.with(undefined, param.name.name, { value: plainOf(value) });
  }
  const parts = partsOfElements(query.decl, query.decl.elements);
  const params = query.decl.params.map((param) => param.name.name);
  const lacks = params.filter((param) => args[param] === undefined);
  return { kind: "query", name, words: new Words(query.source), parts, attributes: [], start, params, lacks };
}

/** Facts for variables, and values for the parameters of a query. */
export type QuestionArguments = Readonly<Record<string, FactRef | Value>>;

/** Returns how a fact is named; throws E407 for what names none. Callers without types may pass anything. */
function nameOfFact(ref: unknown, variable: string): string {
  if (typeof ref === "string") return ref;
  if (typeof ref === "number" || typeof ref === "boolean") return String(ref);
  if (typeof ref === "object" && ref !== null && "id" in ref && typeof ref.id === "string") return ref.id;
  const hint = 'such as "Person~p1", the key "p1", or what assert returned';
  throw new SessionError("E407", `the value of "${variable}" must name a fact`, hint);
}

/** Returns a value as plain data; for a handle or a view of a fact its id. */
function plainOf(value: FactRef | Value): Value {
  return typeof value === "object" && "id" in value && typeof value.id === "string" ? value.id : value;
}

function unknownRule({ symbols }: CheckedProgram, name: string): SessionError {
  const meant = nearestName(name, [...symbols.rules.names(), ...symbols.queries.names()]);
  const hint = didYouMean(meant) ?? judgeMeant(symbols, name);
  return new SessionError("E207", `unknown rule "${name}"`, hint);
}

/** Returns a hint when the name is close to that of a gate, guardian, pipeline or flow. */
function judgeMeant(
  { gates, guardians, pipelines, flows }: CheckedProgram["symbols"],
  name: string,
): string | undefined {
  const kinds = { gate: gates, guardian: guardians, pipeline: pipelines, flow: flows };
  const meant = nearestName(
    name,
    Object.values(kinds).flatMap((known) => [...known.names()]),
  );
  const kind = Object.entries(kinds).find(([, known]) => meant !== undefined && known.get(meant) !== undefined)?.[0];
  return kind === undefined ? undefined : `did you mean the ${kind} "${meant}"? Ask why of what it says`;
}

/** Returns the variables of a condition that are bound to facts, with their types. */
function factVariables(parts: readonly Part[]): Map<string, string> {
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

/** Returns the bindings of a firing or a match as fixed variables. */
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

/** Returns the arguments of a question as fixed variables; throws when a variable or fact does not exist. */
export function fixedByQuestion(
  { name, kind, parts, start, params }: Target,
  args: QuestionArguments,
  world: World,
): Fixed {
  const variables = factVariables(parts);
  const fixed = new Map<string, Bound>();
  for (const [variable, ref] of Object.entries(args)) {
    if (start.get(variable) !== undefined) continue;
    const type = variables.get(variable);
    if (type === undefined) throw unknownVariable(`${kind} "${name}"`, variable, variables, params);
    fixed.set(variable, { fact: factNamed(nameOfFact(ref, variable), variable, type, world) });
  }
  return fixed;
}

function unknownVariable(
  target: string,
  name: string,
  variables: ReadonlyMap<string, string>,
  params: readonly string[],
): SessionError {
  const list = (names: Iterable<string>): string => [...names].map((one) => `"${one}"`).join(", ");
  const meant = nearestName(name, [...params, ...variables.keys()]);
  const known = [
    ...(params.length === 0 ? [] : [`its parameters: ${list(params)}`]),
    ...(variables.size === 0 ? [] : [`its variables for facts: ${list(variables.keys())}`]),
  ];
  const hint = known.length === 0 ? "it has no variable that stands for a fact" : known.join("; ");
  const what = params.length === 0 ? `variable "${name}" that stands for a fact` : `parameter or variable "${name}"`;
  return new SessionError("E205", `${target} has no ${what}`, didYouMean(meant) ?? hint);
}
