/** The network as a picture shows it: boxes and arrows, plain data for all formats. */

export type BoxKind =
  | "type"
  | "alpha"
  | "join"
  | "not"
  | "exists"
  | "aggregate"
  | "lookup"
  | "filter"
  | "condition"
  | "operator"
  | "gate"
  | "flow"
  | "guardian"
  | "pipeline"
  | "stage"
  | "state"
  | "rule";

export interface Box {
  readonly id: string;
  readonly kind: BoxKind;
  /** The name of the node, `alpha_…`; of a type or rule its own. */
  readonly name: string;
  /** What it stands for, in words. */
  readonly text: string;
  /** Of a node that is named by a hash: the text that decides sharing. */
  readonly canonical?: string;
  /** The rules that stand on it. */
  readonly rules: readonly string[];
  /** True when more than one rule does; types are always common to all. */
  readonly shared: boolean;
  /** How many facts (of a type or alpha node) or matches it holds after a run. */
  readonly count?: number;
  /** How often a rule fired. */
  readonly fires?: number;
  /** Of an alpha node: all tests of its chain, which the facts that leave it have passed. */
  readonly passed?: string;
  /** Of a state: the pipeline it belongs to. */
  readonly of?: string;
  /** Of a box that is drawn for several with the same words: how many. */
  readonly alike?: number;
  /** Of a box that others are drawn inside of: how many. */
  readonly inside?: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /**
   * `facts` into a type's or alpha node's successors, `matches` along a rule's chain, `inner` into a `not`, `exists`, aggregate or condition,
   * `values` up a requirement, `results` from a gate or guardian to the facts it writes or to who asks it, `moves` from stage
   * to stage.
   */
  readonly carries: "facts" | "matches" | "inner" | "values" | "results" | "moves";
  /** Of a move: when it is made. */
  readonly label?: string;
  /** Of a move: `error` when only a failure makes it, `never` when the program as it is written does not. */
  readonly how?: "error" | "never";
}

export interface GraphModel {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** What a run left behind. */
export interface Live {
  readonly nodes: ReadonlyMap<number, number>;
  readonly types: ReadonlyMap<string, number>;
  readonly matches: ReadonlyMap<string, number>;
  readonly fires: ReadonlyMap<string, number>;
}
