/**
 * A decision pack: a decision with its rules, facts and reasons, in a form that cannot be changed unnoticed.
 *
 * It is canonical JSON. Each part has its SHA-256, and the root is the SHA-256 of all of them. A reader can take the
 * program and the facts out of it and decide again.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import type { Maybe, Value } from "../../base/value.ts";
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../../base/answers.ts";
import type { Decision, Effect, Fired, RunResult } from "../../session/results.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Explanation } from "../tell/step.ts";

export const PACK_FORMAT = "sluice-pack/1";

/** The sources and the options that affect the outcome. */
export interface PackProgram {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  /** The files that were added to a program with modules, and know its names as they are outside; absent without any. */
  readonly added?: readonly string[];
  /** Further paths by which files of the program are imported, and the files that they lead to; absent without any. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly strategy: string;
  readonly limit: number;
  /** The values of the program's parameters; absent when it has none. */
  readonly params?: Readonly<Record<string, Value>>;
}

/** The state in which the decision was made. */
export interface PackFacts {
  readonly facts: readonly {
    readonly id: string;
    readonly type: string;
    readonly fields: Readonly<Record<string, Value>>;
    /** When the fact was asserted, and when it was last changed. */
    readonly order: number;
    readonly tag: number;
  }[];
  /** The last number of each type without a key. */
  readonly counts: Readonly<Record<string, number>>;
  /** The matches that had fired already. */
  readonly done: readonly { readonly rule: string; readonly identity: string }[];
  /** The number of firings so far, and the active groups. */
  readonly fired: number;
  readonly groups: readonly string[];
  /** The requests that a pipeline had decided before: each is decided once. */
  readonly decided: readonly { readonly pipeline: string; readonly subject: string }[];
  /** What the clock showed; left out while it was not set. */
  readonly clock?: string;
}

export interface PackResults {
  /** The question to one gate, guardian or pipeline; null for a run. */
  readonly asked: PackQuestion | null;
  readonly fired: readonly Packed<Fired>[];
  readonly effects: readonly Packed<Effect>[];
  readonly gates: readonly Packed<Omit<GateAnswer, "tree">>[];
  readonly verdicts: readonly Packed<VerdictAnswer>[];
  /** The decisions without the time that steps took, which differs each time. */
  readonly decisions: readonly object[];
  readonly halted: boolean;
  /** What the clock showed in the end; left out while it was not set. */
  readonly clock?: string;
}

export interface PackQuestion {
  readonly of: "gate" | "verdict" | "decision";
  readonly name: string;
  readonly subject: string | null;
}

/** An answer that can be packed by itself. */
export type PackAnswer = GateAnswer | VerdictAnswer | PipelineDecision;

/** The data as JSON: a missing value is null, or left out. */
type Packed<Data> = { readonly [Name in keyof Data]: unknown };

export interface PackParts {
  readonly program: PackProgram;
  readonly facts: PackFacts;
  readonly results: PackResults;
  readonly reasoning: readonly Explanation[];
}

export type PartName = keyof PackParts;

export const PARTS: readonly PartName[] = ["program", "facts", "results", "reasoning"];

/** The signature of a decision pack. */
export interface PackSignature {
  /** The algorithm. */
  readonly algorithm: "Ed25519";
  /** The SHA-256 of the public key (SPKI, DER), in hexadecimal digits. */
  readonly key: string;
  /** The 64 bytes of the signature, in hexadecimal digits. */
  readonly value: string;
}

export interface Pack extends PackParts {
  readonly format: typeof PACK_FORMAT;
  readonly sha256: Readonly<Record<PartName, string>>;
  readonly root: string;
  readonly signature?: PackSignature;
}

export function packText(parts: PackParts): string {
  const hashes = Object.fromEntries(PARTS.map((name) => [name, hashOf(parts[name])])) as Record<PartName, string>;
  return canonicalJson({ format: PACK_FORMAT, ...parts, sha256: hashes, root: rootOf(hashes) });
}

export function hashOf(data: unknown): string {
  return hex(sha256(new TextEncoder().encode(canonicalJson(data))));
}

export function rootOf(hashes: unknown): string {
  return hashOf({ format: PACK_FORMAT, sha256: hashes });
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function packedResults(result: RunResult, clock?: string): PackResults {
  return {
    asked: null,
    fired: result.fired.map(({ n, rule, bindings, clock: at }) => ({
      n,
      rule,
      bindings: withNulls(bindings),
      ...clockPart(at),
    })),
    effects: result.effects.map(({ n, action, args, rule }) => ({ n, action, args: args.map(orNull), rule })),
    gates: result.gates.map(packedGate),
    verdicts: result.verdicts.map(packedVerdict),
    decisions: result.decisions.map(packedDecision),
    halted: result.halted,
    ...clockPart(clock),
  };
}

function clockPart(clock: string | undefined): { readonly clock?: string } {
  return clock === undefined ? {} : { clock };
}

export function packedAnswer(answer: PackAnswer, clock?: string): PackResults {
  return {
    asked: questionOf(answer),
    fired: [],
    effects: [],
    gates: "gate" in answer ? [packedGate(answer)] : [],
    verdicts: "guardian" in answer ? [packedVerdict(answer)] : [],
    decisions: "pipeline" in answer ? [packedDecision(answer)] : [],
    halted: false,
    ...clockPart(clock),
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
  const { guardian, subject, verdict, reasons, sentences, required_actions, would_fix } = answer;
  const { risk_level, attempt, flags, warnings } = answer;
  const asked = { guardian, subject, verdict, reasons, sentences, required_actions, would_fix };
  return { ...asked, risk_level, attempt, flags, warnings };
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
