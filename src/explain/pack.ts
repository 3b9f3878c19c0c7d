/**
 * A decision pack: what was decided, by which rules, on which facts and why, in a form that cannot be changed unnoticed.
 *
 * It is canonical JSON. Each part has its SHA-256, and the root is that of all of them. Whoever reads it can take the program
 * and the facts out of it and decide again.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import type { Maybe, Value } from "../base/value.ts";
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../rete/keeper.ts";
import type { Decision, Effect, Fired, RunResult } from "../session/results.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Explanation } from "./step.ts";

const PACK_FORMAT = "sluice-pack/1";

/** The source texts and the options that matter for the outcome. */
export interface PackProgram {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly strategy: string;
  readonly limit: number;
}

/** The state that the decision was made in. */
export interface PackFacts {
  readonly facts: readonly {
    readonly id: string;
    readonly type: string;
    readonly fields: Readonly<Record<string, Value>>;
    /** When it was asserted, and when it was last changed. */
    readonly order: number;
    readonly tag: number;
  }[];
  /** The last number given to a fact of each type without a key. */
  readonly counts: Readonly<Record<string, number>>;
  /** Matches that had fired already. */
  readonly done: readonly { readonly rule: string; readonly identity: string }[];
  /** Firings so far, and active groups. */
  readonly fired: number;
  readonly groups: readonly string[];
  /** Requests that a pipeline had decided before: each is decided once. */
  readonly decided: readonly { readonly pipeline: string; readonly subject: string }[];
}

export interface PackResults {
  /** What one gate, guardian or pipeline was asked; null: this is a run. */
  readonly asked: PackQuestion | null;
  readonly fired: readonly Packed<Fired>[];
  readonly effects: readonly Packed<Effect>[];
  readonly gates: readonly Packed<Omit<GateAnswer, "tree">>[];
  readonly verdicts: readonly Packed<VerdictAnswer>[];
  /** Without the time that steps took: that is another one each time. */
  readonly decisions: readonly object[];
  readonly halted: boolean;
}

export interface PackQuestion {
  readonly of: "gate" | "verdict" | "decision";
  readonly name: string;
  readonly subject: string | null;
}

/** One answer that can be packed for itself. */
export type PackAnswer = GateAnswer | VerdictAnswer | PipelineDecision;

/** As JSON has it: a value that is missing is null, or left out. */
type Packed<Data> = { readonly [Name in keyof Data]: unknown };

export interface PackParts {
  readonly program: PackProgram;
  readonly facts: PackFacts;
  readonly results: PackResults;
  readonly reasoning: readonly Explanation[];
}

type PartName = keyof PackParts;

const PARTS: readonly PartName[] = ["program", "facts", "results", "reasoning"];

export interface Pack extends PackParts {
  readonly format: typeof PACK_FORMAT;
  readonly sha256: Readonly<Record<PartName, string>>;
  readonly root: string;
}

export function packText(parts: PackParts): string {
  const hashes = Object.fromEntries(PARTS.map((name) => [name, hashOf(parts[name])])) as Record<PartName, string>;
  return canonicalJson({ format: PACK_FORMAT, ...parts, sha256: hashes, root: rootOf(hashes) });
}

function hashOf(data: unknown): string {
  return hex(sha256(new TextEncoder().encode(canonicalJson(data))));
}

function rootOf(hashes: unknown): string {
  return hashOf({ format: PACK_FORMAT, sha256: hashes });
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function packedResults(result: RunResult): PackResults {
  return {
    asked: null,
    fired: result.fired.map(({ n, rule, bindings }) => ({ n, rule, bindings: withNulls(bindings) })),
    effects: result.effects.map(({ n, action, args, rule }) => ({ n, action, args: args.map(orNull), rule })),
    gates: result.gates.map(packedGate),
    verdicts: result.verdicts.map(packedVerdict),
    decisions: result.decisions.map(packedDecision),
    halted: result.halted,
  };
}

export function packedAnswer(answer: PackAnswer): PackResults {
  return {
    asked: questionOf(answer),
    fired: [],
    effects: [],
    gates: "gate" in answer ? [packedGate(answer)] : [],
    verdicts: "guardian" in answer ? [packedVerdict(answer)] : [],
    decisions: "pipeline" in answer ? [packedDecision(answer)] : [],
    halted: false,
  };
}

function questionOf(answer: PackAnswer): PackQuestion {
  if ("gate" in answer) return { of: "gate", name: answer.gate, subject: answer.subject };
  if ("guardian" in answer) return { of: "verdict", name: answer.guardian, subject: answer.subject };
  return { of: "decision", name: answer.pipeline, subject: answer.subject };
}

function packedGate({ gate, subject, outcome, status, missing }: GateAnswer): Packed<Omit<GateAnswer, "tree">> {
  return { gate, subject, outcome, status, missing: missing.map(({ text, needs }) => ({ text, needs })) };
}

function packedVerdict(answer: VerdictAnswer): Packed<VerdictAnswer> {
  const { guardian, subject, verdict, reasons, required_actions, would_fix } = answer;
  const { risk_level, attempt, flags, warnings } = answer;
  return { guardian, subject, verdict, reasons, required_actions, would_fix, risk_level, attempt, flags, warnings };
}

function packedDecision(decision: Decision): object {
  if ("gate" in decision) return { ...packedGate(decision), n: decision.n, rule: decision.rule };
  if ("guardian" in decision) return { ...packedVerdict(decision), n: decision.n, rule: decision.rule };
  const { pipeline, subject, value, flags, trace } = decision;
  const rules_executed = trace.rules_executed.map(({ rule, action, reason }) => ({ rule, action, reason }));
  return { pipeline, subject, decision: decision.decision, value, flags, rules_executed };
}

function withNulls(bindings: Readonly<Record<string, Maybe>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name, orNull(value)]));
}

function orNull(value: Maybe): unknown {
  return value ?? null;
}

// ---------------------------------------------------------------- reading

/** What is wrong with a pack: the part, and what was found. */
export interface PackFault {
  readonly part: PartName | "form" | "hashes" | "root";
  readonly message: string;
}

/** The pack, when its form and all its hashes are right. */
export function readPack(text: string): { readonly pack: Pack } | { readonly fault: PackFault } {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return formFault("this is not JSON");
  }
  if (!isPack(data)) return formFault(`this is not a decision pack of the form ${PACK_FORMAT}`);
  const rewritten = canonicalOrUndefined(data);
  if (rewritten !== text && `${rewritten}\n` !== text) return formFault("the text is not in its canonical form");
  return checkHashes(data);
}

function canonicalOrUndefined(data: unknown): string | undefined {
  try {
    return canonicalJson(data);
  } catch {
    return undefined;
  }
}

function formFault(message: string): { readonly fault: PackFault } {
  return { fault: { part: "form", message } };
}

/** The root says whether the hashes are those that were written; they say which part differs. */
function checkHashes(pack: Pack): { readonly pack: Pack } | { readonly fault: PackFault } {
  const differing = PARTS.filter((name) => hashOf(pack[name]) !== pack.sha256[name]);
  const rootFits = rootOf(pack.sha256) === pack.root;
  const [part] = differing;
  if (part !== undefined && rootFits) return fault(part, `the ${part} are not those that were packed`);
  if (part !== undefined) return fault("hashes", `the hash of the ${part} is not the one that was packed`);
  return rootFits ? { pack } : fault("root", "the root hash is not the one that was packed");
}

function fault(part: PackFault["part"], message: string): { readonly fault: PackFault } {
  return { fault: { part, message: part === "program" ? "the program is not the one that was packed" : message } };
}

function isPack(data: unknown): data is Pack {
  if (typeof data !== "object" || data === null) return false;
  const pack = data as Readonly<Record<string, unknown>>;
  const names = ["facts", "format", "program", "reasoning", "results", "root", "sha256"];
  return (
    pack["format"] === PACK_FORMAT &&
    Object.keys(pack).sort().join() === names.join() &&
    typeof pack["root"] === "string" &&
    hasHashes(pack["sha256"])
  );
}

function hasHashes(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  return Object.keys(data).sort().join() === [...PARTS].sort().join();
}

/** The first part of two that differs, with where. */
export function firstDifference(a: unknown, b: unknown, at = ""): string | undefined {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return undefined;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return `${at === "" ? "it" : at} is ${canonicalJson(b ?? null)}, and was ${canonicalJson(a ?? null)}`;
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    const inner = at === "" ? name : `${at}.${name}`;
    const [left, right] = [(a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]];
    const found = firstDifference(left, right, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
