/** The nodes of a network that were made for a plan. */
import type { LateMap } from "../base/late.ts";
import type { ConditionNode } from "../gates/condition.ts";
import type { FlowNode } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { Deadline, GuardianNode } from "../guardian/guardian.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { AlphaMemory } from "../rete/alpha-memory.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { FailureSite } from "../rete/failures.ts";
import type { Network } from "../rete/network.ts";
import type { BetaNode, MatchInput } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { RuleMatches } from "../rete/rule-matches.ts";
import type { TerminalNode } from "../rete/terminal.ts";
import type { Blindness } from "./blindness.ts";
import type { NodeSpec } from "./node-spec.ts";

/** A node that judges. */
export type Judge = ConditionNode | GateNode | FlowNode | WatchNode | GuardianNode | PipelineNode;
/** A node of any kind. */
export type LiveNode = AlphaNode | BetaNode | DirectTerminal | TerminalNode | Judge;

/** An input that listens to the matches of a node above it. */
export interface Attachment {
  readonly above: BetaNode;
  readonly input: MatchInput;
}

/** A node as it is made, before it listens to any match. */
export interface MadeNode {
  readonly node: LiveNode;
  /** What listens for the node, in the order in which it is attached and given the matches that are there. */
  readonly attachments: readonly Attachment[];
  /** Begins to listen to judges; called when the node has its matches. */
  readonly listen?: () => void;
  /** Undoes what else was done to the network for the node; called after the attachments are detached. */
  readonly forget?: () => void;
}

/** A node that is part of the network of a session. */
export interface Live {
  readonly made: MadeNode;
  /** Where the node calls functions; undefined when it calls none. It is that of the program for which the node was made. */
  readonly site: FailureSite | undefined;
  /** What the node is in the program that the session runs now. */
  readonly spec: NodeSpec;
}

/** The network of a session, as far as nodes that are made for it ask. What they ask for is made first. */
export interface LiveNetwork {
  readonly network: Network;
  readonly facts: FactLookup;
  readonly blindness: Blindness;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly deadline: Deadline | undefined;
  /** Hears of the matches of rules. */
  readonly listener: MatchListener;
  /** The matches of the rules whose terminals were made, by rule. */
  readonly ruleMatches: LateMap<string, RuleMatches>;
  /** Returns the node of a spec. */
  node(spec: NodeSpec): LiveNode;
  /** Returns the node of a spec whose matches others extend; that of the root for undefined. */
  beta(spec: NodeSpec | undefined): BetaNode;
  /** Returns the memory of an alpha node. */
  memory(alpha: AlphaNode, type: string): AlphaMemory;
}
