/** Turns the branches of a RET document into a flow of a program. */
import { refuseUnknownOptions } from "../base/known-options.ts";
import type { RetBranch, RetFlow } from "../gates/ret-document.ts";
import { GateJsonError } from "../gates/ret-json.ts";
import { formatSource } from "../language/format.ts";
import { judgedWords, textWords } from "../language/print-words.ts";
import { authorText } from "../plan/author-text.ts";
import { unknownName } from "../session/errors.ts";
import type { Program } from "./program.ts";

/** Options of {@link flowSource}. */
export interface FlowSourceOptions {
  /** The name of the new flow. */
  readonly name: string;
}

/**
 * Returns the source text of a flow with the branches of a RET document. Pass it to {@link Program.extend} to add the flow
 * to a program that has the gates. The subject is that of the gates. The stage that decides has the `stage_id`, or is
 * called `start`; a stage to which the branches lead is final.
 *
 * A stage of a flow decides one gate. Branches of several gates become several stages, one after the other, and need a
 * `default`: without it a subject would wait in one of them and miss what the gates before say later. They must not lead back to the stage.
 *
 * @throws {@link GateJsonError} E542 when the branches cannot be a flow, or the program lacks gates of the document, {@link SessionError} E213 when the program lacks a
 *   gate.
 *
 * @example
 * ```ts
 * const program = compile('gate "env" { require true }');
 * const branches = [{ gate_id: "env", outcome: "true", next_stage_id: "ship" }];
 * const flow = flowFromJson({ advance_to: { kind: "branch", branches, default: "manual" } });
 * const session = program.extend(flowSource(program, flow, { name: "release" })).session();
 * session.run();
 * session.facts("FlowStage").map(({ fields }) => fields["stage"]); // => ["ship"]
 * ```
 */
export function flowSource(program: Program, flow: RetFlow, options: FlowSourceOptions): string {
  refuseUnknownOptions(options, { name: true });
  const { name } = options;
  const steps = stepsOf(flow.branches);
  const several = steps.find(({ gate }) => gate !== steps[0]?.gate);
  if (several !== undefined && flow.default === undefined) {
    const message = `the branches ask gate "${steps[0]?.gate ?? ""}" and gate "${several.gate}", and there is no default`;
    throw new GateJsonError("$.advance_to.branches", `${message}; add a default, or ask one gate`);
  }
  refuseNotAdded(program, flow);
  const { about, argument } = subjectOf(program, steps);
  const names = stageNames(flow, steps.length);
  refuseCircles(flow, steps, names);
  const stages = steps.map(({ gate, branches }, index) => {
    const next = names[index + 1] ?? flow.default;
    const lines = branches.map(({ outcome, goto }) => `on ${outcome} goto ${textWords(goto)}`);
    const otherwise = next === undefined ? [] : [`otherwise goto ${textWords(next)}`];
    const body = [`decide ${gateWords(gate)}(${argument})`, ...lines, ...otherwise].join(" ");
    return `stage ${textWords(names[index] ?? "")} { ${body} }`;
  });
  const ends = new Set([
    ...flow.branches.map(({ goto }) => goto),
    ...(flow.default === undefined ? [] : [flow.default]),
  ]);
  const finals = [...ends].filter((end) => !names.includes(end)).map((end) => `stage ${textWords(end)} final`);
  return formatSource(`flow ${textWords(name)}${about} { ${[...stages, ...finals].join("\n")} }`).text;
}

/**
 * Throws E542 when a branch after the first gate leads back to the deciding stage: as stages that follow each other, such a
 * flow would go round for ever, where the document says to stay.
 */
function refuseCircles(
  { default: otherwise }: RetFlow,
  [, ...later]: readonly Step[],
  [first]: readonly string[],
): void {
  const back = later.flatMap(({ branches }) => branches).some(({ goto }) => goto === first);
  if (later.length === 0 || (!back && otherwise !== first)) return;
  const path = back ? "$.advance_to.branches" : "$.advance_to.default";
  const message = `stage "${first ?? ""}" asks several gates and leads back to itself, which a flow cannot do`;
  throw new GateJsonError(path, `${message}; lead to another stage, ask one gate, or decide the document as it is`);
}

/** Throws E542 when the program lacks a gate that the document defines. */
function refuseNotAdded(program: Program, { gates, branches }: RetFlow): void {
  const known = program.checked.symbols.gates;
  const asked = new Set(branches.map(({ gate }) => gate));
  const lacking = gates.find(({ name = "" }) => asked.has(name) && known.get(name) === undefined);
  if (lacking === undefined) return;
  const message = `gate "${lacking.name ?? ""}" is only in the document: first extend the program with gateSource of each of its gates`;
  throw new GateJsonError("$.gates", message);
}

/** Prints the name of a gate, in quotes only where it needs them. */
function gateWords(name: string): string {
  return judgedWords({ name, quoted: false, span: { start: 0, end: 0 } });
}

interface Step {
  readonly gate: string;
  readonly branches: readonly RetBranch[];
}

/** Returns the branches in runs that ask the same gate. A branch that an earlier one of its run hides is left out. */
function stepsOf(branches: readonly RetBranch[]): Step[] {
  const steps: { readonly gate: string; readonly branches: RetBranch[] }[] = [];
  for (const branch of branches) {
    const last = steps.at(-1);
    if (last?.gate !== branch.gate) steps.push({ gate: branch.gate, branches: [branch] });
    else if (!last.branches.some(({ outcome }) => outcome === branch.outcome)) last.branches.push(branch);
  }
  return steps;
}

/** Returns a name for each deciding stage that no stage of the document has, but for the first, which may be led back to. */
function stageNames({ stage, branches, default: otherwise }: RetFlow, count: number): string[] {
  const taken = new Set([...branches.map(({ goto }) => goto), otherwise]);
  const first = stage ?? freeName("start", taken);
  const others = Array.from({ length: count - 1 }, (_, at) => freeName(`${first} ${at + 2}`, taken));
  return [first, ...others];
}

function freeName(name: string, taken: ReadonlySet<string | undefined>): string {
  let one = name;
  while (taken.has(one)) one += "'";
  return one;
}

/** Returns the subject of the flow, that of its gates, and what is passed to them. */
function subjectOf(program: Program, steps: readonly Step[]): { readonly about: string; readonly argument: string } {
  const { gates } = program.checked.symbols;
  const decided = steps.map(({ gate }) => {
    const found = gates.get(gate);
    if (found === undefined) throw unknownName("gate", "gates", gate, gates.names());
    return found;
  });
  const types = new Set(decided.map(({ decl }) => decl.subject?.type.name));
  if (types.size > 1) {
    const words = [...types].map((type) => (type === undefined ? "no subject" : type)).join(" and ");
    throw new GateJsonError(
      "$.advance_to.branches",
      `the gates of one flow need the same subject; these have ${words}`,
    );
  }
  const [first] = decided;
  const subject = first?.decl.subject ?? null;
  if (first === undefined || subject === null) return { about: "", argument: "" };
  const variable = subject.variable?.name ?? "subject";
  const same = new Set(decided.map((one) => authorText(one.source, (one.decl.subject ?? subject).span))).size === 1;
  const pattern = same ? authorText(first.source, subject.span) : `${variable}: ${subject.type.name}`;
  return { about: ` for ${subject.variable === null ? `${variable}: ${pattern}` : pattern}`, argument: variable };
}
