/** `sluice graph`: the network as a picture or as data. */
import { DEFAULT_BUDGETS, type Plan, type Program } from "../index.ts";
import { graphModel } from "./graph/build.ts";
import { collapsed, counted, sizeOf } from "./graph/collapse.ts";
import { dot } from "./graph/dot.ts";
import { layOut } from "./graph/layout.ts";
import { judgeName } from "./graph/judge-text.ts";
import type { GraphModel, Live } from "./graph/model.ts";
import { mermaid } from "./graph/mermaid.ts";
import { svg } from "./graph/svg.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { writeOutput } from "./output.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { countNodes } from "./run/counts.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { choice, unknownName, readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";

export const GRAPH_HELP: string = `sluice graph FILES [--format svg|dot|mermaid|json] [--rule NAME…] [--most N]
             [--live [--facts F…] [--policy F…]] [-o F]

Draws the network of a program: types on the left, then tests on single facts (alpha), joins, not, exists and
aggregates, and the rules on the right. Nodes that several rules share have a heavy border and say which rules these
are. A gate comes after its conditions and operators, and leads to the results it writes, as a guardian leads to its
verdicts; a flow shows its stages, and when it moves from one to the next. A pipeline is drawn below as a
state machine: InputReceived, each step, and the ends Rejected, DirectAnswer and Forwarded. Heavy arrows are what the
steps do, dashed ones what happens when a step fails, and pale ones are there because the machine is complete.

  --format F    svg (the default), dot for Graphviz, mermaid, or json: the boxes and arrows as data
  --rule NAME   only what this rule, gate, flow, guardian or pipeline depends on; may be given again
  --most N      draw at most N boxes and arrows (${DEFAULT_BUDGETS.graph}); a larger network is drawn with parts collapsed, and a line on
                the error stream says which. json is complete unless --most is given
  --live        run the rules first, and show how many facts and matches each node holds
  --facts F     with --live: more facts, as for run
  --policy F    with --live: facts that may also be of protected types
  --root DIR    let rules import files from this folder too; may be given again
  -o, --output F   write to a file instead of standard output

Exit: 0 fine, 1 the rules or facts are at fault, 2 wrong usage or a file that cannot be read or written.

Example:  sluice graph examples/orders/rules.tsd -o network.svg
`;

interface GraphOptions extends Inputs {
  readonly format: "svg" | "dot" | "mermaid" | "json";
  readonly rulesNamed: readonly string[];
  /** Boxes and arrows. */
  readonly most: number;
  readonly live: boolean;
  readonly output: string | undefined;
}

export async function graphCommand(io: Io, args: readonly string[]): Promise<number> {
  const valued = ["format", "rule", "most", ...FACTS_OPTIONS, "output"];
  const options = graphOptions(readArguments(args, ["live"], valued, { o: "output" }));
  const texts = new Texts();
  const { program, exit } = loadProgram(io, options.rules, texts, false);
  if (program === undefined) return exit;
  const plan = program.network();
  const only = rulesOnly(plan, options.rulesNamed);
  const ran = options.live ? liveCounts(io, program, options, texts) : { live: undefined };
  if ("exit" in ran) return ran.exit;
  const whole = graphModel(plan, only, ran.live);
  const { model, notes } = collapsed(whole, options.most);
  const fitted = { whole, model, notes };
  writeOutput(io, options.output, await written(fitted, plan, options));
  if (notes.length > 0) io.err(`${collapsedLines(fitted).join("\n")}\n`);
  return EXIT.fine;
}

function graphOptions(parsed: Arguments): GraphOptions {
  const inputs = inputsOf(parsed);
  const live = parsed.flags.has("live");
  if (inputs.facts.length + inputs.policy.length > 0 && !live)
    throw new UsageError("facts are looked at only with --live");
  const format = choice(parsed, "format", ["svg", "dot", "mermaid", "json"]) ?? "svg";
  return {
    ...inputs,
    format,
    most: wholeNumber(parsed, "most", 1) ?? (format === "json" ? Infinity : DEFAULT_BUDGETS.graph),
    rulesNamed: parsed.values.get("rule") ?? [],
    live,
    output: single(parsed, "output"),
  };
}

/** A rule by its name, a gate, flow, guardian or pipeline by its own; those are known to nodes as `gate "deploy"`. */
function rulesOnly(plan: Plan, names: readonly string[]): ReadonlySet<string> | undefined {
  if (names.length === 0) return undefined;
  const rules = plan.rules.map(({ name }) => name);
  const judges = plan.nodes.flatMap((node) => judgeName(node) ?? []);
  const found = names.map((name) => {
    const known = formsOf(name).find((one) => rules.includes(one) || judges.includes(one));
    if (known !== undefined) return known;
    throw unknownName("rule", name, [...rules, ...judges]);
  });
  return new Set(found);
}

async function written(fitted: Fitted, plan: Plan, { format, rules, rulesNamed }: GraphOptions): Promise<string> {
  const { model, whole, notes } = fitted;
  switch (format) {
    case "dot":
      return dot(model, notes);
    case "mermaid":
      return mermaid(model, notes);
    case "json":
      return `${JSON.stringify(dataOf(fitted, plan), undefined, 2)}\n`;
    default: {
      const title = [...rulesNamed.map((name) => titleOf(name, plan)), rules.join(" ")].join(" · ");
      return svg(await layOut(model), { title, line: summaryLine(whole, plan), notes });
    }
  }
}

function titleOf(name: string, plan: Plan): string {
  if (plan.rules.some((rule) => rule.name === name)) return `rule ${name}`;
  return formsOf(name).find((form) => plan.nodes.some((node) => judgeName(node) === form)) ?? name;
}

/** What somebody may mean by a name. */
function formsOf(name: string): string[] {
  return [name, ...["gate", "flow", "guardian", "pipeline"].map((kind) => `${kind} "${name}"`)];
}

interface Fitted {
  readonly whole: GraphModel;
  readonly model: GraphModel;
  readonly notes: readonly string[];
}

function collapsedLines({ whole, model, notes }: Fitted): string[] {
  const sizes = `${counted(sizeOf(whole))} boxes and arrows are drawn as ${counted(sizeOf(model))}`;
  return [`${sizes}:`, ...notes.map((note) => `  ${note}`), "  use --rule NAME for one part, or --most N to draw more"];
}

function dataOf({ model: { boxes, arrows }, notes }: Fitted, plan: Plan): object {
  const { nodes: counts, shared } = countNodes(plan);
  return { counts, shared, ...(notes.length === 0 ? {} : { collapsed: notes }), nodes: boxes, edges: arrows };
}

/** Boxes that are counted by themselves, or are no nodes of the network. */
const NO_NODES: ReadonlySet<GraphModel["boxes"][number]["kind"]> = new Set([
  "rule",
  "gate",
  "flow",
  "guardian",
  "pipeline",
  "stage",
  "state",
] as const);

function summaryLine({ boxes }: GraphModel, plan: Plan): string {
  const shown = boxes.filter(({ kind }) => kind === "rule").length;
  const shared = boxes.filter((box) => box.shared).length;
  const rules =
    shown === plan.rules.length ? plural(shown, "rule") : `${shown} of ${plural(plan.rules.length, "rule")}`;
  const sharing = shared === 0 ? "none shared" : `${shared} shared (heavy border)`;
  const judges = (["gate", "flow", "guardian", "pipeline"] as const).flatMap((kind) => {
    const count = boxes.filter((box) => box.kind === kind).length;
    return count === 0 ? [] : [plural(count, kind)];
  });
  const others = boxes.filter(({ kind }) => !NO_NODES.has(kind)).length;
  return [rules, ...judges, plural(others, "other node"), sharing].join(", ");
}

/** Runs the program and counts what is where; a run that fails is told, and what it left is shown. */
function liveCounts(
  io: Io,
  program: Program,
  options: GraphOptions,
  texts: Texts,
): { readonly live: Live } | { readonly exit: number } {
  const progress = new Progress(io, true);
  const session = program.session({ facts: "none" });
  const opened = openWithFacts(
    { io, program, texts, progress, json: false },
    { session, programFacts: true, files: options },
  );
  if (opened.exit !== undefined) return { exit: opened.exit };
  const fires = new Map<string, number>();
  session.on("fire", ({ rule }) => fires.set(rule, (fires.get(rule) ?? 0) + 1));
  try {
    session.run();
  } catch (error) {
    if (!isRunError(error)) throw error;
    showDiagnostics(io, [runDiagnostic(program, error)], texts, false);
  }
  showProblems({ io, program, texts, json: false }, sessionProblems(session.problems));
  const types = new Map<string, number>();
  for (const { type } of session.facts()) types.set(type, (types.get(type) ?? 0) + 1);
  const matches = new Map(program.network().rules.map(({ name }) => [name, session.matches(name).length]));
  return { live: { nodes: session.nodeCounts(), types, matches, fires } };
}
