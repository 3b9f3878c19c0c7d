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
  | "let"
  | "items"
  | "timer"
  | "last"
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
  /** The name of the node (`alpha_…`), type or rule. */
  readonly name: string;
  /** The condition or element as source text. */
  readonly text: string;
  /** The canonical text of a node, which decides sharing and names it by its hash. */
  readonly canonical?: string;
  /** The rules that depend on it. */
  readonly rules: readonly string[];
  /** Whether more than one rule depends on it; false for types, which are common to all. */
  readonly shared: boolean;
  /** The number of facts (of a type or alpha node) or matches after a run. */
  readonly count?: number;
  /** The number of firings of a rule. */
  readonly fires?: number;
  /** All tests of the chain of an alpha node: its facts have passed them. */
  readonly passed?: string;
  /** The order in which the patterns of a rule are joined, and why; absent where it is the written one. */
  readonly joined?: { readonly order: readonly string[]; readonly because: string };
  /** The pipeline of a state. */
  readonly of?: string;
  /** The number of boxes with the same text that are drawn as this one. */
  readonly alike?: number;
  /** The number of boxes that are drawn inside this one. */
  readonly inside?: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /**
   * `facts` into a type's or alpha node's successors, `matches` along a rule's chain, `inner` into a `not`, `exists`, aggregate or condition,
   * `values` up a requirement, `results` from a gate or guardian to the facts it writes or to a pipeline that reads it, `moves` from stage
   * to stage.
   */
  readonly carries: "facts" | "matches" | "inner" | "values" | "results" | "moves";
  /** The condition of a move. */
  readonly label?: string;
  /** `error` for a move that only a failure makes, `never` for one that this program never makes. */
  readonly how?: "error" | "never";
}

export interface GraphModel {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** Counts of facts, matches and firings after a run. */
export interface Live {
  readonly nodes: ReadonlyMap<number, number>;
  readonly types: ReadonlyMap<string, number>;
  readonly matches: ReadonlyMap<string, number>;
  readonly fires: ReadonlyMap<string, number>;
}
