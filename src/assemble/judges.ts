/** The gates, flows, guardians and pipelines of a session by name. They are made when a subject first comes, or when asked for. */
import type { FlowNode } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { Named } from "../gates/named.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import type { LiveNode } from "./live-node.ts";
import type { NodeSpec } from "./node-spec.ts";

/** The kinds of judges that have names. */
type NamedKind = "gate" | "flow" | "guardian" | "pipeline";

/** The specs of the judges of a program by name, for each kind in the order of the program. */
export type JudgeSpecs = Readonly<Record<NamedKind, ReadonlyMap<string, NodeSpec>>>;

/** Makes the node of a spec, or returns the one that is there. */
type Make = (spec: NodeSpec) => LiveNode;

/** What judges in a session by name. There is a new one for each program that the session runs. */
export class Judges {
  readonly gates: Named<GateNode>;
  readonly flows: Named<FlowNode>;
  readonly guardians: Named<GuardianNode>;
  readonly pipelines: Named<PipelineNode>;
  readonly #kinds: Readonly<Record<NamedKind, JudgesOfKind>>;

  constructor(specs: JudgeSpecs, make: Make) {
    const { gate, flow, guardian, pipeline } = specs;
    this.#kinds = {
      gate: kindOf(gate, make),
      flow: kindOf(flow, make),
      guardian: kindOf(guardian, make),
      pipeline: kindOf(pipeline, make),
    };
    // The specs of a kind make nodes of that kind.
    this.gates = this.#kinds.gate as Named<LiveNode> as Named<GateNode>;
    this.flows = this.#kinds.flow as Named<LiveNode> as Named<FlowNode>;
    this.guardians = this.#kinds.guardian as Named<LiveNode> as Named<GuardianNode>;
    this.pipelines = this.#kinds.pipeline as Named<LiveNode> as Named<PipelineNode>;
  }

  /** Whether the program has any. */
  get any(): boolean {
    return this.gates.size + this.flows.size + this.guardians.size + this.pipelines.size > 0;
  }

  /** Notes a node that was made, or that stays from the program before. */
  add({ kind, number }: NodeSpec, node: LiveNode): void {
    if (kind === "gate" || kind === "flow" || kind === "guardian" || kind === "pipeline") {
      this.#kinds[kind].add(number, node);
    }
  }
}

class JudgesOfKind implements Named<LiveNode> {
  readonly #specs: ReadonlyMap<string, NodeSpec>;
  readonly #make: Make;
  /** The nodes that were made, with their numbers. */
  readonly #made: { readonly number: number; readonly node: LiveNode }[] = [];

  constructor(specs: ReadonlyMap<string, NodeSpec>, make: Make) {
    this.#specs = specs;
    this.#make = make;
  }

  get size(): number {
    return this.#specs.size;
  }

  has(name: string): boolean {
    return this.#specs.has(name);
  }

  get(name: string): LiveNode | undefined {
    const spec = this.#specs.get(name);
    return spec === undefined ? undefined : this.#make(spec);
  }

  keys(): Iterable<string> {
    return this.#specs.keys();
  }

  made(): readonly LiveNode[] {
    return this.#made.map(({ node }) => node);
  }

  add(number: number, node: LiveNode): void {
    let place = this.#made.length;
    while (place > 0 && (this.#made[place - 1]?.number ?? 0) > number) place -= 1;
    this.#made.splice(place, 0, { number, node });
  }
}

/** Most programs have no judges of a kind: their sessions share what says so. */
const NONE = new JudgesOfKind(new Map(), () => {
  throw new Error("there is no judge to make");
});

function kindOf(specs: ReadonlyMap<string, NodeSpec>, make: Make): JudgesOfKind {
  return specs.size === 0 ? NONE : new JudgesOfKind(specs, make);
}

const NO_SPECS: JudgeSpecs = { gate: new Map(), flow: new Map(), guardian: new Map(), pipeline: new Map() };

/** The judges of a program that has none. */
export const NO_JUDGES: Judges = new Judges(NO_SPECS, () => {
  throw new Error("there is no judge to make");
});
