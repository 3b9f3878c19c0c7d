/**
 * A node of a program before any session has it: everything that is the same in all sessions. A session makes its node from it
 * when the node is first touched.
 */
import { AlphaNode } from "../rete/alpha.ts";
import type { MemorySpec } from "../rete/alpha-memory.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { FailureSite } from "../rete/failures.ts";
import type { Production } from "../rete/production.ts";
import type { PlanNode } from "../plan/plan.ts";
import type { LiveNetwork, MadeNode } from "./live-node.ts";

/** Makes the node of a session. */
export type MakeNode = (live: LiveNetwork) => MadeNode;

/** What a maker says of a node: the node itself when all sessions share it, or how a session makes its own. */
export type Making =
  { readonly shared: AlphaNode | DirectTerminal } | { readonly make: MakeNode; readonly production?: Production };

/** A node of a program. */
export interface NodeSpec {
  /** Its place among the nodes of the program; below 0 for a node of a question. */
  readonly number: number;
  /** Its id in the plan. */
  readonly id: number;
  readonly kind: PlanNode["kind"];
  /** What it does to which inputs. */
  readonly key: string;
  /** What the node does, in words. */
  readonly pattern: string;
  /** The rules that depend on it; none for the nodes of a question. */
  readonly rules: readonly string[];
  /** The length of the longest path from the root; 0 for alpha nodes. */
  readonly rank: number;
  /** The nodes that it depends on; undefined is the root, or all facts of a type. */
  readonly inputs: readonly (NodeSpec | undefined)[];
  /** The node whose matches it extends; undefined is the root. */
  readonly left: NodeSpec | undefined;
  readonly making: Making;
  /** Where it calls functions; undefined when it calls none. */
  readonly site: FailureSite | undefined;
  /** Of a join with the root: the memory with which it is made. */
  readonly rootMemory: MemorySpec | undefined;
  /** Of a join that pairs every match with every fact of a type: the type. */
  readonly allOf: string | undefined;
  /** The numbers of the nodes that extend its matches. They are made when it sends its first match. */
  readonly dependents: number[];
}

/** Returns the alpha node that a spec is of, which all sessions share. */
export function alphaNodeOf({ making }: NodeSpec): AlphaNode {
  if ("shared" in making && making.shared instanceof AlphaNode) return making.shared;
  throw new Error("facts come from alpha nodes");
}
