/**
 * What a remedy may change. Facts that the engine writes, that the program protects or that only rules make are not
 * changed, and no key is. Evidence keeps what it is: see docs/explain.md and decision 0084.
 */
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { forEachNode } from "../../language/walk.ts";
import type { FactView } from "../../session/results.ts";
import type { ExplainContext } from "../read/context.ts";
import { fieldOf } from "../read/field.ts";
import { Owners } from "./owners.ts";

export interface Policy {
  mayAdd(type: string): boolean;
  mayRemove(fact: FactView): boolean;
  mayChange(fact: FactView, field: string): boolean;
  /** Returns whether a field says what a fact is: it changes only when nothing else helps. */
  isLabel?(type: string, field: string): boolean;
  /** Returns whether a new value of the field is measured again instead of changed. */
  isMeasured?(type: string, field: string): boolean;
  /** Returns the facts of each match that a logical fact follows from; without it, what rules make cannot be removed. */
  supports?(fact: FactView): readonly (readonly string[])[];
}

/** Returns the policy of rules: everything that the host gives, except keys. */
export function hostFacts({ program: { symbols }, session }: ExplainContext): Policy {
  const inserted = insertedTypes(symbols);
  const isFree = (name: string): boolean => {
    const type = symbols.type(name);
    return type?.engineKept !== true && type?.protected !== true;
  };
  const isGiven = ({ id, type }: FactView): boolean => !inserted.has(type) || session.origin(id).made === undefined;
  return {
    mayAdd: (type) => isFree(type) && (!inserted.has(type) || session.facts(type).some(isGiven)),
    mayRemove: (fact) => isFree(fact.type) && isGiven(fact),
    mayChange: (fact, field) =>
      isFree(fact.type) && isGiven(fact) && symbols.type(fact.type)?.fields.get(field)?.key !== true,
    supports: ({ id }) =>
      session
        .origin(id)
        .supports.map(
          ({ bindings }) =>
            Object.values(bindings).filter(
              (value) => typeof value === "string" && session.fact(value) !== undefined,
            ) as string[],
        ),
  };
}

/** Returns the types of which rules insert facts. */
function insertedTypes({ rules }: CheckedProgram["symbols"]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { decl } of rules.values()) {
    forEachNode(decl, (node) => {
      if (node["kind"] === "insert") types.add((node as unknown as ast.InsertAction).fact.type.name);
    });
  }
  return types;
}

/**
 * Returns the policy of a gate. What evidence belongs to, its trust and its time stay; a value that selects it may be
 * supplied where it is missing, and is not changed. What evidence says may become otherwise: a person changes their
 * mind, a measurement is made again. Evidence is not removed.
 */
export function gatePolicy(
  base: Policy,
  program: CheckedProgram,
  gate: {
    /** The requirement and its conditions, and the pattern of the subject. */
    readonly nodes: readonly unknown[];
    readonly about: ast.Pattern | null;
    readonly subject: string | null;
    readonly trustField: string;
  },
): Policy {
  const { selecting, ties } = selectingFields(gate.nodes, program);
  const owners = new Owners([gate.about, gate.nodes], program);
  const identifying = new Set([
    ...fieldsInPatterns(gate.nodes, owners),
    ...argumentsInPatterns(gate.nodes, program, owners),
  ]);
  const evidence = evidenceTypes(gate.nodes);
  const measured = new Set([...evidence, ...aggregatedTypes(gate.nodes)]);
  const named = fieldsEqualToText(gate.nodes, owners);
  const kindOf = (type: string, field: string): string | undefined =>
    program.symbols.type(type)?.fields.get(field)?.type.kind;
  return {
    mayAdd: (type) => base.mayAdd(type),
    mayRemove: (fact) => fact.id !== gate.subject && !evidence.has(fact.type) && base.mayRemove(fact),
    mayChange(fact, field) {
      if (!base.mayChange(fact, field)) return false;
      const name = `${fact.type}.${field}`;
      if (identifying.has(name)) return false;
      if (fact.id === gate.subject) return !isTied(fact, field, program);
      if (field === gate.trustField || ties.has(name)) return false;
      return !selecting.has(name) || fieldOf(fact, field) === undefined;
    },
    isLabel: (type, field) => evidence.has(type) && named.has(`${type}.${field}`) && kindOf(type, field) === "string",
    isMeasured: (type, field) => measured.has(type) && kindOf(type, field) === "number",
    supports: (fact) => base.supports?.(fact) ?? [],
  };
}

/** Returns whether a field of the subject refers to a fact, which says what the subject is. */
function isTied(subject: FactView, field: string, { symbols }: CheckedProgram): boolean {
  return symbols.type(subject.type)?.fields.get(field)?.type.kind === "fact" && fieldOf(subject, field) !== undefined;
}

/** Returns the fields that are compared with a string by `==`, as `Type.field`: `o.by == "carol"`. */
function fieldsEqualToText(nodes: unknown, owners: Owners): ReadonlySet<string> {
  const fields = new Set<string>();
  forEachNode(nodes, (found) => {
    const { kind, op, left, right } = found as unknown as ast.CompareExpr;
    if (kind !== "compare" || op !== "==") return;
    for (const [side, other] of [[left, right] as const, [right, left] as const]) {
      if (side.kind !== "path" || other.kind !== "text") continue;
      for (const name of owners.lastFields(side)) fields.add(name);
    }
  });
  return fields;
}

/**
 * Returns the fields of the facts around patterns that are read inside them, as `Type.field`: by them other facts are
 * looked up, so they say what the fact is.
 */
function fieldsInPatterns(nodes: unknown, owners: Owners): ReadonlySet<string> {
  const fields = new Set<string>();
  const add = (tests: unknown, inner: ReadonlySet<string>): void =>
    forEachNode(tests, (found) => {
      const path = found as unknown as ast.PathExpr;
      if (path.kind !== "path" || inner.has(path.root.name)) return;
      for (const name of owners.firstFields(path)) fields.add(name);
    });
  forEachNode(nodes, (found) => {
    const node = found as unknown as ast.Pattern | ast.ExistsInExpr | ast.AggregateInExpr;
    if (node.kind === "pattern") add(node.tests, new Set([node.variable?.name ?? ""]));
    if (node.kind === "exists-in" || node.kind === "aggregate-in")
      add(node.test, new Set(node.sources.map(({ variable }) => variable.name)));
  });
  return fields;
}

/** Returns the fields that are passed to conditions whose patterns read the parameter: `approved(r, v.id)`. */
function argumentsInPatterns(nodes: unknown, { conditionUses }: CheckedProgram, owners: Owners): ReadonlySet<string> {
  const fields = new Set<string>();
  forEachNode(nodes, (found) => {
    const call = found as unknown as ast.CallExpr;
    const condition = call.kind === "call" ? conditionUses.get(call)?.decl : undefined;
    if (condition === undefined) return;
    const read = rootsInPatterns(condition);
    for (const [index, { name }] of condition.params.entries()) {
      const arg = call.args[index];
      if (arg?.kind === "path" && read.has(name.name)) for (const one of owners.firstFields(arg)) fields.add(one);
    }
  });
  return fields;
}

/** Returns the names with which the paths inside patterns begin. */
function rootsInPatterns(nodes: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  forEachNode(nodes, (found) => {
    const node = found as unknown as ast.Pattern | ast.ExistsInExpr | ast.AggregateInExpr;
    const inside =
      node.kind === "pattern" ? node.tests : node.kind === "exists-in" || node.kind === "aggregate-in" ? node.test : [];
    forEachNode(inside, (one) => {
      if (one["kind"] === "path") names.add((one as unknown as ast.PathExpr).root.name);
    });
  });
  return names;
}

interface Selecting {
  /** The fields by which patterns select facts, as `Type.field`. */
  readonly selecting: ReadonlySet<string>;
  /** Those that tie a fact to another one, and those that say which is newest. */
  readonly ties: ReadonlySet<string>;
}

function selectingFields(nodes: readonly unknown[], { resolutions }: CheckedProgram): Selecting {
  const selecting = new Set<string>();
  const ties = new Set<string>();
  const nameOf = (expr: ast.Value, types: ReadonlyMap<string, string>, own: string | undefined): string | undefined => {
    if (expr.kind !== "path") return undefined;
    if (resolutions.get(expr) === "own-field") return own === undefined ? undefined : `${own}.${expr.root.name}`;
    const type = types.get(expr.root.name);
    return type === undefined || expr.fields[0] === undefined ? undefined : `${type}.${expr.fields[0].name}`;
  };
  const select = (tests: unknown, types: ReadonlyMap<string, string>, own: string | undefined): void => {
    forEachNode(tests, (node) => {
      const expr = node as unknown as ast.Expr;
      const name = nameOf(expr, types, own);
      if (name !== undefined) selecting.add(name);
      if (expr.kind !== "compare" || expr.op !== "==" || expr.left.kind !== "path" || expr.right.kind !== "path")
        return;
      for (const side of [expr.left, expr.right]) {
        const tied = nameOf(side, types, own);
        if (tied !== undefined) ties.add(tied);
      }
    });
  };
  forEachNode(nodes, (found) => {
    const node = found as unknown as ast.Pattern | ast.ExistsInExpr | ast.AggregateInExpr | ast.Evidence;
    if (node.kind === "pattern")
      select(node.tests, new Map(node.variable === null ? [] : [[node.variable.name, node.type.name]]), node.type.name);
    if (node.kind === "exists-in" || node.kind === "aggregate-in")
      select(node.test, new Map(node.sources.map((one) => [one.variable.name, one.type.name])), undefined);
    if (node.kind !== "evidence") return;
    for (const path of [node.by, node.per]) {
      const field = path?.fields[0]?.name;
      if (field !== undefined) ties.add(`${node.pattern.type.name}.${field}`);
    }
  });
  return { selecting, ties };
}

/** Returns the types of the facts after `from` and of quorums. */
function evidenceTypes(nodes: readonly unknown[]): ReadonlySet<string> {
  const types = new Set<string>();
  forEachNode(nodes, (found) => {
    const node = found as unknown as ast.Evidence | ast.FactQuorumExpr;
    if (node.kind === "evidence" || node.kind === "fact-quorum") types.add(node.pattern.type.name);
  });
  return types;
}

/** Returns the types of the facts in aggregates and EXISTS inside tests. */
function aggregatedTypes(nodes: readonly unknown[]): ReadonlySet<string> {
  const types = new Set<string>();
  forEachNode(nodes, (found) => {
    const node = found as unknown as ast.ExistsInExpr | ast.AggregateInExpr;
    if (node.kind === "exists-in" || node.kind === "aggregate-in")
      for (const { type } of node.sources) types.add(type.name);
  });
  return types;
}

/**
 * Returns the policy of a guardian. The subject may change, except in what decides which lines apply to it and in what other
 * facts are looked up by, which says what it is. Facts that belong to it may be added and removed, and a value that one
 * of them lacks may be supplied, unless a limit looks for such facts: `when exists Contract(draft == d.id)`. Then they decide
 * which lines apply. All other facts are tables.
 */
export function guardianPolicy(base: Policy, decl: ast.GuardianDecl, subject: string, program: CheckedProgram): Policy {
  const { belonging, ties } = belongingTypes(program, decl);
  const type = decl.subject.type.name;
  const tests = testsOfGuardian(decl);
  const kept = limitFields(decl);
  const identifying = fieldsInPatterns(tests, new Owners([decl.subject, tests], program));
  const limiting = patternTypes(limitsOf(decl));
  const isOpen = (type: string): boolean => belonging.has(type) && !limiting.has(type);
  return {
    mayAdd: (type) => isOpen(type) && base.mayAdd(type),
    mayRemove: (fact) => fact.id !== subject && isOpen(fact.type) && base.mayRemove(fact),
    mayChange(fact, field) {
      if (!base.mayChange(fact, field)) return false;
      if (fact.id === subject)
        return !kept.has(field) && !identifying.has(`${type}.${field}`) && !isTied(fact, field, program);
      return isOpen(fact.type) && !ties.has(field) && fieldOf(fact, field) === undefined;
    },
  };
}

/**
 * Returns the types whose patterns refer to the subject or its key, `e: Evidence(e.draft == d.id)`, and the fields by
 * which they do.
 */
function belongingTypes(
  program: CheckedProgram,
  decl: ast.GuardianDecl,
): { readonly belonging: ReadonlySet<string>; readonly ties: ReadonlySet<string> } {
  const name = decl.subject.variable?.name;
  const fields = program.symbols.type(decl.subject.type.name)?.fields;
  const belonging = new Set<string>();
  const ties = new Set<string>();
  const isSubject = (path: ast.PathExpr): boolean => {
    const [first, second] = path.fields;
    if (path.root.name !== name || second !== undefined) return false;
    return first === undefined || fields === undefined || fields.get(first.name)?.key === true;
  };
  const find = (tests: unknown, found: readonly string[]): void =>
    forEachNode(tests, (node) => {
      const expr = node as unknown as ast.PathExpr | ast.CompareExpr;
      if (expr.kind === "path" && isSubject(expr)) for (const type of found) belonging.add(type);
      if (expr.kind !== "compare") return;
      for (const [side, other] of [[expr.left, expr.right] as const, [expr.right, expr.left] as const]) {
        if (side.kind !== "path" || other.kind !== "path" || !isSubject(other)) continue;
        ties.add(side.fields.at(-1)?.name ?? side.root.name);
      }
    });
  forEachNode(decl.checks, (found) => {
    const node = found as unknown as ast.Pattern | ast.ExistsInExpr | ast.AggregateInExpr;
    if (node.kind === "pattern") find(node.tests, [node.type.name]);
    if (node.kind === "exists-in" || node.kind === "aggregate-in")
      find(
        node.test,
        node.sources.map(({ type }) => type.name),
      );
  });
  return { belonging, ties };
}

/** Returns the tests of a guardian, without what it says. */
export function testsOfGuardian({ settings, checks }: ast.GuardianDecl): readonly unknown[] {
  return [settings, checks.map(({ modifiers, lines }) => [modifiers, lines.map(({ test, limits }) => [test, limits])])];
}

/**
 * Returns the fields of the subject that decide which lines apply, the track, the attempt, `when` and `unless`, and those that
 * say who asks.
 */
function limitFields(decl: ast.GuardianDecl): ReadonlySet<string> {
  const name = decl.subject.variable?.name;
  const fields = new Set(["attempt"]);
  const add = (nodes: unknown): void =>
    forEachNode(nodes, (node) => {
      const path = node as unknown as ast.PathExpr;
      if (path.kind === "path" && path.root.name === name && path.fields[0] !== undefined)
        fields.add(path.fields[0].name);
    });
  add(decl.settings);
  add(limitsOf(decl));
  for (const { actions, test } of decl.checks.flatMap(({ lines }) => lines)) {
    if (actions.some(({ name }) => ABOUT_WHO_ASKS.has(name))) add(test);
  }
  return fields;
}

/** The actions of lines about who asks: another role would be another asker, not another draft. */
const ABOUT_WHO_ASKS: ReadonlySet<string> = new Set(["DENY_ACCESS", "REQUEST_PERMISSION", "ESCALATE_TO_ADMIN"]);

/** Returns the `when` and `unless` of the checks and lines of a guardian. */
function limitsOf({ checks }: ast.GuardianDecl): readonly unknown[] {
  return checks.flatMap(({ modifiers, lines }): unknown[] => [
    ...modifiers.filter(({ kind }) => kind === "when" || kind === "unless"),
    ...lines.flatMap(({ limits }) => limits),
  ]);
}

/** Returns the types of the facts that patterns look for. */
function patternTypes(nodes: readonly unknown[]): ReadonlySet<string> {
  const types = new Set(aggregatedTypes(nodes));
  forEachNode(nodes, (node) => {
    if (node["kind"] === "pattern") types.add((node as unknown as ast.Pattern).type.name);
  });
  return types;
}
