/**
 * RET documents as Decision Gate authors write them: a bare requirement, `{"requirement": …}`, `{"gate_id", "requirement"}`,
 * lists of such gates, and stages with `advance_to`. Read strictly: a key that is not expected is an error, with its place.
 */
import { refuseUnknownOptions } from "../base/known-options.ts";
import type { Outcome } from "../base/answers.ts";
import { GateJsonError, type RetRequirement } from "./ret-json.ts";
import { isObject, readDocument, readRequirement } from "./ret-tree.ts";

/** A gate of a RET document. */
export interface RetGate {
  /** The `gate_id`. Absent for a requirement without one. */
  readonly name?: string;
  /** The requirement. */
  readonly requirement: RetRequirement;
}

/** A branch of `advance_to`: the next stage when a gate has an outcome. */
export interface RetBranch {
  /** The `gate_id` of the gate that is asked. */
  readonly gate: string;
  /** The outcome: `true` is pass, `unknown` is hold, `false` is fail. */
  readonly outcome: Outcome;
  /** The `next_stage_id`. */
  readonly goto: string;
}

/** A stage with its branches. The first branch that matches is taken. */
export interface RetFlow {
  /** The `stage_id`. Absent when the document does not name the stage. */
  readonly stage?: string;
  /** The gates that the document defines; empty when it only names them. */
  readonly gates: readonly RetGate[];
  /** The branches, in order. */
  readonly branches: readonly RetBranch[];
  /** The stage for when no branch matches. Absent when there is none. */
  readonly default?: string;
  /** What may go wrong at run time: outcomes for which nothing matches (E540). */
  readonly warnings: readonly string[];
}

/** Options of {@link gateFromJson}, {@link gatesFromJson} and {@link flowFromJson}. */
export interface GateJsonOptions {
  /**
   * The names of the conditions that exist. A name alone that is not among them is an error. Default: every name is
   * accepted.
   */
  readonly conditions?: Iterable<string>;
}

/**
 * Reads the requirement of a RET document with one gate: a bare requirement, `{"requirement": …}` or
 * `{"gate_id": …, "requirement": …}`.
 *
 * @param json - The text of a JSON document, or what `JSON.parse` returned.
 * @throws {@link GateJsonError} E542 with the place of the mistake.
 *
 * @example
 * ```ts
 * const requirement = gateFromJson('{ "And": [{ "Condition": "tested" }, { "Condition": "approved" }] }');
 * evaluateGate(requirement, { tested: true }); // => undefined
 * evaluateGate(requirement, { tested: false }); // => false
 * ```
 */
export function gateFromJson(json: unknown, options: GateJsonOptions = {}): RetRequirement {
  const gates = gatesFromJson(json, options);
  const [gate, second] = gates;
  if (gate !== undefined && second === undefined) return gate.requirement;
  throw new GateJsonError("$", `expected one gate, found ${gates.length}; gatesFromJson reads them all`);
}

/**
 * Reads the gates of a RET document: one gate in any form that {@link gateFromJson} reads, or a list of gates, each with a
 * `gate_id`.
 *
 * @throws {@link GateJsonError} E542 with the place of the mistake.
 *
 * @example
 * ```ts
 * const gates = gatesFromJson([{ gate_id: "a", requirement: { Not: { Condition: "x" } } }]);
 * gates.map(({ name, requirement }) => [name, evaluateGate(requirement, { x: false })]); // => [["a", true]]
 * ```
 */
export function gatesFromJson(json: unknown, options: GateJsonOptions = {}): RetGate[] {
  return readDocument(json, (document) => {
    if (isObject(document) && Object.hasOwn(document, "advance_to")) {
      throw new GateJsonError("$", 'a stage with "advance_to" is a flow; flowFromJson reads it', "advance_to");
    }
    return readGates(document, "$", knownOf(options));
  });
}

/**
 * Reads a stage with `advance_to` and its branches. It may have a `stage_id`, and its own `gates`.
 *
 * @throws {@link GateJsonError} E542 with the place of the mistake.
 *
 * @example
 * ```ts
 * const branches = [{ gate_id: "env_gate", outcome: "true", next_stage_id: "ship" }];
 * const flow = flowFromJson({ advance_to: { kind: "branch", branches, default: "manual" } });
 * nextStage(flow, { env_gate: "pass" })?.stage; // => "ship"
 * nextStage(flow, { env_gate: "fail" })?.stage; // => "manual"
 * ```
 */
export function flowFromJson(json: unknown, options: GateJsonOptions = {}): RetFlow {
  return readDocument(json, (document) => readFlow(document, knownOf(options)));
}

function readFlow(json: unknown, known: Known): RetFlow {
  const document = fieldsOf(json, "$", ["advance_to"], ["stage_id", "gates"], "a stage");
  const gates = document["gates"] === undefined ? [] : readGates(document["gates"], "$.gates", known);
  if (gates.some(({ name }) => name === undefined))
    throw new GateJsonError("$.gates", 'a gate of a stage needs a "gate_id", which the branches name');
  const stage = document["stage_id"] === undefined ? {} : { stage: idOf(document["stage_id"], "$.stage_id") };
  const { branches, otherwise } = readAdvance(document["advance_to"], "$.advance_to");
  const byDefault = otherwise === undefined ? {} : { default: otherwise };
  return { ...stage, gates, branches, ...byDefault, warnings: otherwise === undefined ? unmatched(branches) : [] };
}

/** The step that {@link nextStage} finds. */
export interface RetStep {
  /** The next stage. */
  readonly stage: string;
  /** The branch that matches. Absent when it is the default. */
  readonly branch?: RetBranch;
}

/**
 * Returns the stage that follows: that of the first branch whose gate has its outcome, else the default. Undefined when
 * there is neither, which is the error E540 in a session.
 *
 * @param outcomes - The outcome of each gate by name. A gate that is absent holds, and only its own branches can be
 *   taken: past it there is no next stage.
 */
export function nextStage(flow: RetFlow, outcomes: Readonly<Record<string, Outcome>>): RetStep | undefined {
  const said = (gate: string): Outcome | undefined => (Object.hasOwn(outcomes, gate) ? outcomes[gate] : undefined);
  const branch = flow.branches.find(({ gate, outcome }) => (said(gate) ?? "hold") === outcome);
  const passed = branch === undefined ? flow.branches : flow.branches.slice(0, flow.branches.indexOf(branch));
  if (passed.some(({ gate }) => gate !== branch?.gate && said(gate) === undefined)) return undefined;
  if (branch !== undefined) return { stage: branch.goto, branch };
  return flow.default === undefined ? undefined : { stage: flow.default };
}

// ---------------------------------------------------------------- gates

type Known = ReadonlySet<string> | undefined;

function knownOf(options: GateJsonOptions): Known {
  refuseUnknownOptions(options, { conditions: true });
  const { conditions } = options;
  return conditions === undefined ? undefined : new Set(conditions);
}

function readGates(document: unknown, path: string, known: Known): RetGate[] {
  if (!Array.isArray(document)) return [readGate(document, path, known)];
  if (document.length === 0) throw new GateJsonError(path, "the list of gates is empty");
  const names = new Set<string>();
  return document.map((one: unknown, index) => {
    const at = `${path}[${index}]`;
    const gate = readGate(one, at, known);
    if (gate.name === undefined) throw new GateJsonError(at, 'a gate in a list needs a "gate_id"');
    if (names.has(gate.name)) throw new GateJsonError(`${at}.gate_id`, `two gates are called "${gate.name}"`);
    names.add(gate.name);
    return gate;
  });
}

function readGate(json: unknown, path: string, known: Known): RetGate {
  const isEnvelope = isObject(json) && (Object.hasOwn(json, "requirement") || Object.hasOwn(json, "gate_id"));
  if (!isEnvelope) return { requirement: readRequirement(json, path, known) };
  const gate = fieldsOf(json, path, ["requirement"], ["gate_id"], "a gate");
  const requirement = readRequirement(gate["requirement"], `${path}.requirement`, known);
  if (!Object.hasOwn(gate, "gate_id")) return { requirement };
  return { name: idOf(gate["gate_id"], `${path}.gate_id`), requirement };
}

// ---------------------------------------------------------------- branches

interface Advance {
  readonly branches: readonly RetBranch[];
  readonly otherwise: string | undefined;
}

function readAdvance(json: unknown, path: string): Advance {
  if (isObject(json) && json["kind"] !== "branch") {
    throw new GateJsonError(`${path}.kind`, `must be "branch": only branches become a flow`);
  }
  const advance = fieldsOf(json, path, ["kind", "branches"], ["default"], '"advance_to"');
  const list = advance["branches"];
  if (!Array.isArray(list) || list.length === 0) {
    throw new GateJsonError(`${path}.branches`, "must be a list with at least one branch");
  }
  const branches = list.map((one: unknown, index) => readBranch(one, `${path}.branches[${index}]`));
  const otherwise = advance["default"] ?? undefined;
  return { branches, otherwise: otherwise === undefined ? undefined : idOf(otherwise, `${path}.default`) };
}

function readBranch(json: unknown, path: string): RetBranch {
  const branch = fieldsOf(json, path, ["gate_id", "outcome", "next_stage_id"], [], "a branch");
  const { outcome } = branch;
  const known = typeof outcome === "string" && Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome] : undefined;
  if (known === undefined) throw new GateJsonError(`${path}.outcome`, 'must be "true", "unknown" or "false"');
  const gate = idOf(branch["gate_id"], `${path}.gate_id`);
  return { gate, outcome: known, goto: idOf(branch["next_stage_id"], `${path}.next_stage_id`) };
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  true: "pass",
  unknown: "hold",
  false: "fail",
  pass: "pass",
  hold: "hold",
  fail: "fail",
};

/** Returns a warning when no branch may match: when each gate has an outcome without a branch. */
function unmatched(branches: readonly RetBranch[]): string[] {
  const taken = new Map<string, Set<Outcome>>();
  for (const { gate, outcome } of branches) taken.set(gate, (taken.get(gate) ?? new Set()).add(outcome));
  const open = [...taken].map(([gate, outcomes]) => ({
    gate,
    outcomes: (["pass", "hold", "fail"] as const).filter((outcome) => !outcomes.has(outcome)),
  }));
  if (open.some(({ outcomes }) => outcomes.length === 0)) return [];
  const words = open.map(({ gate, outcomes }) => `gate "${gate}" has the outcome ${outcomes.join(" or ")}`);
  return [`no branch matches when ${words.join(" and ")}, and there is no default (E540)`];
}

// ---------------------------------------------------------------- objects

/** Returns an object that has all of `needed`, and of others only `optional`. */
function fieldsOf(
  json: unknown,
  path: string,
  needed: readonly string[],
  optional: readonly string[],
  what: string,
): Readonly<Record<string, unknown>> {
  const expected = `expected ${[...needed, ...optional].map((key) => `"${key}"`).join(", ")}`;
  if (!isObject(json)) throw new GateJsonError(path, `${what} must be an object; ${expected}`);
  const other = Object.keys(json).find((key) => !needed.includes(key) && !optional.includes(key));
  if (other !== undefined) throw new GateJsonError(path, `unknown key "${other}" in ${what}: ${expected}`, other);
  const missing = needed.find((key) => !Object.hasOwn(json, key));
  if (missing !== undefined) throw new GateJsonError(path, `${what} lacks "${missing}": ${expected}`);
  return json;
}

function idOf(json: unknown, path: string): string {
  if (typeof json === "string" && json.trim() !== "") return json;
  throw new GateJsonError(path, "must be a name");
}
