/** The nodes of a network that were made for a plan. */
import type { ConditionNode } from "../gates/condition.ts";
import type { FlowNode } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { Network } from "../rete/network.ts";
import type { BetaNode, MatchInput } from "../rete/node.ts";
import type { TerminalNode } from "../rete/terminal.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { PlanNode } from "../plan/plan.ts";

export type Judge = ConditionNode | GateNode | FlowNode | WatchNode | GuardianNode | PipelineNode;
export type LiveNode = AlphaNode | BetaNode | DirectTerminal | TerminalNode | Judge;

/** A live node, with how to take it down again. */
export interface Live {
  readonly key: string;
  readonly node: LiveNode;
  readonly takeDown: () => void;
  /** What the node does, in words. */
  readonly pattern: string;
  /** The rules that stand on it, by the plan applied last. */
  rules: readonly string[];
}

/** What is there while the nodes of a plan are made. Inputs are made before the nodes that stand on them. */
export interface MakingContext {
  readonly network: Network;
  readonly expressions: ExpressionCompiler;
  /** Returns the node of the plan with this id; undefined when there is none. */
  planned(id: number): PlanNode | undefined;
  /** Returns the live node for an id of the plan. */
  alive(id: number): LiveNode;
  /** Returns the live node that a node stands on. */
  left(node: { readonly left: number | undefined }): BetaNode;
  /** Puts a node below another, and gives it the matches that are already there. */
  attach(left: BetaNode, input: MatchInput): void;
  /** Whether a `not` or `exists` is made as one node, without nodes for what is inside. */
  isAbsence(id: number): boolean;
}
