/** `sluice graph`: draws the network as a picture, or prints it as data. */
import { DEFAULT_BUDGETS, type Plan, type Program } from "../index.ts";
import { graphModel } from "./graph/build.ts";
import { collapsed, counted, sizeOf } from "./graph/collapse.ts";
import { dot } from "./graph/dot.ts";
import { layOut } from "./graph/layout.ts";
import { judgeName } from "./graph/judge-text.ts";
import type { GraphModel, Live } from "./graph/model.ts";
import { mermaid } from "./graph/mermaid.ts";
import { svg } from "./graph/svg.ts";
import { networkText, type TextOptions } from "./graph/text.ts";
import { treesOf } from "./graph/tree.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { joinedRules } from "./joined-text.ts";
import { openWithFacts } from "./open.ts";
import { writeOutput } from "./output.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { countNodes } from "./run/counts.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { choice, unknownName, readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";

export const GRAPH_HELP: string = `Usage: sluice graph FILES [options]

Draws the network of a program: types on the left, then tests on single facts
(alpha nodes), joins, not, exists and aggregates, and rules on the right. A node
that several rules share has a heavy border and names these rules.

A gate comes after its conditions and operators; arrows lead from gates and
guardians to the facts they write. A flow shows its stages and transitions. A
pipeline is drawn below the network as a state machine: heavy arrows are what
its steps do, dashed arrows what happens when a step fails, and pale arrows
complete the machine.

Options:
  --format FORMAT   svg (default), text (trees for the terminal, with the name
                    and canonical text of every node, the rules that share it,
                    and what sharing saves), dot (Graphviz), mermaid, or json
                    (boxes and arrows as data)
  --rule NAME       only draw what this rule, gate, flow, guardian or pipeline
                    depends on (repeatable)
  --most N          draw at most N boxes and arrows (default ${DEFAULT_BUDGETS.graph}); in text, at
                    most N nodes. A larger network is collapsed, and standard
                    error says how. json is complete unless you set --most
  --live            run the rules first; show how many facts and matches each
                    node holds
  --facts FILE      with --live: load more facts (repeatable)
  --policy FILE     with --live: load facts that may also be of protected types
  --root DIR        also allow imports from DIR (repeatable)
  --functions FILE  a JavaScript module with the functions that the rules
                    declare (repeatable)
  -o, --output FILE
                    write to FILE; the default is standard output

Exit codes:
  0  success
  1  errors in the rules or facts
  2  wrong usage, or a file cannot be read or written

Examples:
  sluice graph examples/orders/rules.tsd -o network.svg
  sluice graph examples/orders/rules.tsd --format text
`;

interface GraphOptions extends Inputs {
  readonly format: "svg" | "text" | "dot" | "mermaid" | "json";
  readonly rulesNamed: readonly string[];
  /** The most boxes and arrows to draw. */
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
  if (options.format === "text") return writeTrees(io, program, options, { only, live: ran.live });
  const whole = graphModel(plan, only, ran.live);
  const { model, notes } = collapsed(whole, options.most);
  const fitted = { whole, model, notes };
  writeOutput(io, options.output, await written(fitted, program, options));
  if (notes.length > 0) io.err(`${collapsedLines(fitted).join("\n")}\n`);
  return EXIT.fine;
}

function graphOptions(parsed: Arguments): GraphOptions {
  const inputs = inputsOf(parsed);
  const live = parsed.flags.has("live");
  if (inputs.facts.length + inputs.policy.length > 0 && !live) throw new UsageError("--facts and --policy need --live");
  const format = choice(parsed, "format", ["svg", "text", "dot", "mermaid", "json"]) ?? "svg";
  return {
    ...inputs,
    format,
    most: wholeNumber(parsed, "most", 1) ?? (format === "json" ? Infinity : DEFAULT_BUDGETS.graph),
    rulesNamed: parsed.values.get("rule") ?? [],
    live,
    output: single(parsed, "output"),
  };
}

/** Returns the rules to draw. A gate, flow, guardian or pipeline may be named by its own name; nodes know it as `gate "deploy"`. */
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

/** Writes the trees of the network, and what sharing saves. Colours are for terminals, not for files. */
function writeTrees(
  io: Io,
  program: Program,
  { most, output }: GraphOptions,
  { only, live }: Pick<TextOptions, "only" | "live">,
): number {
  const sharing = program.sharing();
  const network = sharing.network.filter(({ rules }) => only === undefined || rules.some((rule) => only.has(rule)));
  const paint = painter(io.outColor && (output === undefined || output === "-"));
  const trees = treesOf(program.network(), network, most);
  const columns = io.columns ?? COLUMNS;
  const joined = joinedRules(program);
  writeOutput(io, output, networkText(trees, sharing, { paint, columns, live, only, joined }));
  if (network.length > most) {
    io.err(`the network has ${counted(network.length)} nodes; the ${counted(most)} that most rules share are shown.\n`);
    io.err("  Use --rule NAME to show one part, or --most N to show more.\n");
  }
  return EXIT.fine;
}

/** The width of what is not printed to a terminal. */
const COLUMNS = 80;

async function written(fitted: Fitted, program: Program, options: GraphOptions): Promise<string> {
  const { format, rules, rulesNamed } = options;
  const { model, whole, notes } = fitted;
  const plan = program.network();
  switch (format) {
    case "dot":
      return dot(model, notes);
    case "mermaid":
      return mermaid(model, notes);
    case "json":
      return `${JSON.stringify(dataOf(fitted, program), undefined, 2)}\n`;
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

/** Returns the names that nodes may have for a name on the command line. */
function formsOf(name: string): string[] {
  return [name, ...["gate", "flow", "guardian", "pipeline"].map((kind) => `${kind} "${name}"`)];
}

interface Fitted {
  readonly whole: GraphModel;
  readonly model: GraphModel;
  readonly notes: readonly string[];
}

function collapsedLines({ whole, model, notes }: Fitted): string[] {
  const sizes = `the network has ${counted(sizeOf(whole))} boxes and arrows; ${counted(sizeOf(model))} are drawn`;
  return [
    `${sizes}:`,
    ...notes.map((note) => `  ${note}`),
    "  Use --rule NAME to draw one part, or --most N to draw more.",
  ];
}

function dataOf({ model: { boxes, arrows }, notes }: Fitted, program: Program): object {
  const { nodes: counts, shared } = countNodes(program.network());
  const { nodes, without, saved, kinds } = program.sharing();
  const sharing = { nodes, without, saved, kinds };
  return { counts, shared, sharing, ...(notes.length === 0 ? {} : { collapsed: notes }), nodes: boxes, edges: arrows };
}

/** Boxes that are counted separately, or are not nodes of the network. */
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

/** Runs the program and counts the facts and matches in each node. A failed run is reported, and its state is shown. */
function liveCounts(
  io: Io,
  program: Program,
  options: GraphOptions,
  texts: Texts,
): { readonly live: Live } | { readonly exit: number } {
  const progress = new Progress(io, true);
  const session = program.session({ facts: "none", functions: io.functions, missingFunctions: "unknown" });
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
