/** What a session uses of a program, whether it was compiled from source or loaded from a saved plan. */
import type { Limits } from "../base/limits.ts";
import type { Regex } from "../base/regex.ts";
import type { Plan } from "../plan/plan.ts";
import type { SessionSpec } from "../session/options.ts";
import type { OpenOptions } from "./program.ts";
import type { QuestionPlans } from "./question-plans.ts";

/** A program that sessions can run: {@link Program}, or {@link SavedProgram} of `sluice/runtime`. */
export interface RunnableProgram {
  /** The limits that the program was compiled with. */
  readonly limits: Limits;
  /** The hash of the program, which snapshots carry. */
  readonly hash: string;
  /**
   * Compiles the patterns of `matches`; undefined when the program has none.
   *
   * @internal
   */
  readonly regex: Regex | undefined;
  /**
   * Returns the network as plain data, planned with or without sharing of nodes and arranging of patterns.
   *
   * @internal
   */
  plan(sharing: boolean, arrange?: boolean): Plan;
  /**
   * Returns what a session needs besides the network.
   *
   * @internal
   */
  data(): SessionSpec;
  /**
   * Returns the options of sessions that the program itself states.
   *
   * @internal
   */
  sessionOptions(): Pick<OpenOptions, "strategy" | "limit">;
  /**
   * Returns where a rule, query, gate, flow, guardian or pipeline is declared.
   *
   * @internal
   */
  declaredAt(name: string): DeclaredAt | undefined;
  /**
   * Returns the actions that rules can call; undefined when the program declares none, so that every name is one.
   *
   * @internal
   */
  actionNames(): readonly string[] | undefined;
  /**
   * Returns the functions that the program declares and the host provides.
   *
   * @internal
   */
  hostFunctions(): readonly DeclaredFunction[];
  /**
   * Returns the plans of the questions that its sessions are asked.
   *
   * @internal
   */
  questionPlans(sharing: boolean): QuestionPlans;
}

/** A function that a program declares. */
export interface DeclaredFunction {
  readonly name: string;
  /** `risk(country: string, amount: number): number`. */
  readonly words: string;
}

/** Where something is declared. The span ends before `endColumn` in line `endLine`. */
export interface DeclaredAt {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly isRule: boolean;
}
