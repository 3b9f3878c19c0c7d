/**
 * The network of one session, kept through changes of its program: the nodes that were touched so far (live-nodes.ts), what happens
 * to them when the session continues with another program (program-change.ts), and the questions it is asked (questions.ts).
 */
import type { FailedCall } from "../rete/failures.ts";
import { LONGEST_MADE_STRING } from "../base/limits.ts";
import { Clock } from "../rete/clock.ts";
import { Failures } from "../rete/failures.ts";
import type { Network } from "../rete/network.ts";
import type { BetaNode } from "../rete/node.ts";
import type { Production } from "../rete/production.ts";
import type { AssemblyOptions } from "./assembly-options.ts";
import type { Blindness } from "./blindness.ts";
import type { Blueprint, HostCall } from "./blueprint.ts";
import { FailedCalls } from "./expression-compiler.ts";
import { JudgeQueries } from "./gate-queries.ts";
import { Judges } from "./judges.ts";
import { LiveNodes } from "./live-nodes.ts";
import { changeProgram } from "./program-change.ts";
import { Questions } from "./questions.ts";

const TOO_LONG: FailedCall = {
  function: "+",
  args: ["…", "…"],
  how: `gives a string of more than ${LONGEST_MADE_STRING.toLocaleString("en")} characters`,
  hint: "join shorter strings",
};

/** The network of a session. */
export class Assembly {
  readonly network: Network;
  /** The functions that failed. */
  readonly failures: Failures;
  /** Conditions and lines that can no longer be relied on. */
  readonly blindness: Blindness;
  readonly questions: Questions;
  /** The nodes that were made. */
  readonly nodes: LiveNodes;

  constructor(options: AssemblyOptions) {
    const { functions, facts, dividedByZero, deadline, shapes } = options;
    this.failures = new Failures(facts, options.functionFailed);
    const site = {
      functions,
      facts,
      clock: new Clock(),
      gates: new JudgeQueries(this),
      dividedByZero,
      tooLong: (rules: readonly string[]) => options.functionFailed(rules, TOO_LONG),
      failures: this.failures,
      failedCalls: new FailedCalls(),
      stopwatch: deadline?.stopwatch,
    };
    shapes.site = site;
    this.nodes = new LiveNodes(options, site, (node) => this.#switchedOff(node));
    this.network = this.nodes.network;
    this.blindness = this.nodes.blindness;
    this.questions = new Questions(this.nodes);
  }

  get productions(): ReadonlyMap<string, readonly Production[]> {
    return this.nodes.blueprint?.productions ?? new Map();
  }

  /** The calls of functions of the host. */
  get hostCalls(): readonly HostCall[] {
    return this.nodes.blueprint?.hostCalls ?? [];
  }

  /** Makes unknown what depends on a rule in doubt. Called before anything that judges is asked. */
  refresh(): void {
    this.blindness.refresh();
  }

  /** Returns why a rule was switched off; undefined when it was not. */
  whySwitchedOff(rule: string): string | undefined {
    return this.blindness.whySwitchedOff(rule);
  }

  /** Returns why what a rule or judge reads cannot be relied on; undefined when it can. */
  uncertainReads(rule: string): string | undefined {
    return this.blindness.uncertainReads(rule);
  }

  /** Returns why facts of a type, or what a rule or judge reads, cannot be relied on; undefined when they can. */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.blindness.uncertainty(of);
  }

  get gates(): Judges["gates"] {
    return this.nodes.judges.gates;
  }

  get flows(): Judges["flows"] {
    return this.nodes.judges.flows;
  }

  get guardians(): Judges["guardians"] {
    return this.nodes.judges.guardians;
  }

  get pipelines(): Judges["pipelines"] {
    return this.nodes.judges.pipelines;
  }

  /** Returns whether anything in the plan judges. */
  get judges(): boolean {
    return this.nodes.judges.any;
  }

  /** Returns what judges, with everything unknown that depends on a rule in doubt. */
  refreshed(): Judges {
    this.refresh();
    return this.nodes.judges;
  }

  /** Makes the network that of a program. */
  apply(next: Blueprint): void {
    this.network.moment.pass();
    this.network.makeDeferred();
    this.questions.dropStanding();
    this.blindness.begin();
    if (this.nodes.blueprint === undefined) this.#open(next);
    else changeProgram(this.nodes, next);
    this.blindness.planned(next.plan);
  }

  #open(next: Blueprint): void {
    this.nodes.blueprint = next;
    this.nodes.judges = new Judges(next.judges, (spec) => this.nodes.node(spec));
    this.network.alpha = next.alpha;
    const { functions } = this.nodes.options;
    const lacksSome = [...next.hostFunctions].some((name) => typeof functions.get(name) !== "function");
    if (lacksSome) for (const { name, site } of next.hostCalls) this.nodes.noteCall(name, site);
    for (const spec of next.bornAwake) {
      this.nodes.node(spec);
      this.network.flushQueue.run();
    }
  }

  #switchedOff(node: BetaNode): void {
    this.nodes.hasSwitchedOff = true;
    const { standing: all, asking, live, options } = this.nodes;
    const standing = [...all].find(({ nodes }) => nodes.includes(node));
    const lives = [...(standing?.lives ?? []), ...(asking?.made.values() ?? []), ...live.values()];
    const { rules = [], pattern = "" } = lives.find(({ made }) => made.node === node)?.spec ?? {};
    if (asking !== undefined) {
      asking.tooManyAt ??= pattern;
      return;
    }
    if (standing !== undefined) {
      standing.heard.switchedOff(pattern);
      return;
    }
    this.blindness.switchedOff({ node, rules, pattern });
    options.overflow(rules, pattern);
  }
}
