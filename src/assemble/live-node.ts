/** The nodes of a network that were made for a plan. */
import type { ConditionNode } from "../gates/condition.ts";
import type { FlowNode } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { BetaNode, MatchInput } from "../rete/node.ts";
import type { TerminalNode } from "../rete/terminal.ts";

/** A node that judges. */
export type Judge = ConditionNode | GateNode | FlowNode | WatchNode | GuardianNode | PipelineNode;
/** A node of any kind. */
export type LiveNode = AlphaNode | BetaNode | DirectTerminal | TerminalNode | Judge;

/** An input that listens to the matches of a node above it. */
export interface Attachment {
  readonly above: BetaNode;
  readonly input: MatchInput;
}

/**
 * A node as it is made, before it listens to any match. Its functions keep no reference to the `MakingContext`: a node may
 * live longer than the plan that it was made for.
 */
export interface MadeNode {
  readonly node: LiveNode;
  /** What listens for the node, in the order in which it is attached and given the matches that are there. */
  readonly attachments: readonly Attachment[];
  /** Begins to listen to judges; called when the node has its matches. */
  readonly listen?: () => void;
  /** Undoes what else was done to the network for the node; called after the attachments are detached. */
  readonly forget?: () => void;
}

/** A node that is part of the network. */
export interface Live {
  readonly made: MadeNode;
  /** What it does to which inputs. */
  readonly key: string;
  /** What the node does, in words. */
  readonly pattern: string;
  /** The live nodes that it depends on; undefined is the root, or all facts of a type. */
  readonly inputs: readonly (LiveNode | undefined)[];
  /** The rules that depend on it, by the plan applied last; none for the nodes of a question. */
  rules: readonly string[];
}
