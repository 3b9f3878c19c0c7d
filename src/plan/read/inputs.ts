/** The inputs of each node of a plan, and the chains that they make. This is the only place that lists them. */
import type { AlphaPlan, GuardianPlan, NewNode, PipelinePlan, PlanNode } from "../plan.ts";

/** Returns the ids of the nodes that a node reads from; undefined is the root, or all facts of a type. */
export function inputsOf(node: NewNode): readonly (number | undefined)[] {
  switch (node.kind) {
    case "alpha":
      return [node.input];
    case "join":
      return [node.left, node.right];
    case "aggregate":
      return [node.left, ...node.inner];
    case "terminal":
      return [node.left, ...node.ends];
    case "condition":
      return [node.left, node.inner, ...node.gaps.map((gap) => gap.end), ...(node.asked ? [node.asked.condition] : [])];
    case "watch":
      return [node.left, node.inner, ...node.gaps.map((gap) => gap.end)];
    case "gate":
      return [node.left, ...node.leaves.map((leaf) => leaf.condition)];
    case "guardian":
      return [node.left, ...watchesOf(node)];
    case "pipeline":
      return [node.left, ...stepWatches(node)];
    default:
      return [node.left];
  }
}

/** Returns the watches of the settings and lines of a guardian. */
function watchesOf({ settings, checks }: Pick<GuardianPlan, "settings" | "checks">): number[] {
  const lines = checks.flatMap((check) => check.lines);
  const watches = lines.flatMap(({ watch, off, sentence }) => [watch, off?.watch, sentence?.watch]);
  return [settings.watch, ...watches.filter((watch) => watch !== undefined)];
}

/** Returns the watches of the steps of a pipeline. */
function stepWatches(plan: Pick<PipelinePlan, "before" | "steps" | "after" | "otherwise">): number[] {
  const steps = [...plan.before, ...plan.steps, ...plan.after, plan.otherwise];
  return steps.flatMap((step) => step.ways.map((way) => way.watch));
}

/** A node of a chain, which makes or takes matches: everything but alpha nodes. */
export type ChainNode = Exclude<PlanNode, AlphaPlan>;

/** Yields the nodes of a chain from its end to its beginning, as far as `stop`, which is left out; undefined: as far as the root. */
export function* chainFrom(
  end: number | undefined,
  stop: number | undefined,
  nodes: Pick<ReadonlyMap<number, PlanNode>, "get">,
): Generator<ChainNode, undefined> {
  for (let id = end; id !== undefined && id !== stop;) {
    const node = nodes.get(id);
    if (node === undefined || node.kind === "alpha") return;
    yield node;
    id = node.left;
  }
}
