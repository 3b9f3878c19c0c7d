/** Decides the gates of a RET document from condition values on the command line, without rules and facts. */
import {
  decideGate,
  type GateAnswer,
  type GateTree,
  nearestName,
  type Outcome,
  type RetFlow,
  type RetGate,
} from "../../index.ts";
import { quotedList, UsageError } from "../arguments.ts";
import { wrongChoice } from "./gate-file.ts";
import type { RetDocument } from "./ret-file.ts";

export type Logic = "kleene" | "bochvar";
type Truth = boolean | undefined;

const VALUES: ReadonlyMap<string, Truth> = new Map([
  ["t", true],
  ["true", true],
  ["f", false],
  ["false", false],
  ["u", undefined],
  ["unknown", undefined],
  ["pass", true],
  ["fail", false],
  ["hold", undefined],
]);

/** Returns the values of `--condition NAME=VALUE`. */
export function givenValues(words: readonly string[]): Record<string, Truth> {
  const values = new Map<string, Truth>();
  for (const word of words) {
    const at = word.lastIndexOf("=");
    const [name, value] = [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    if (at < 1 || name === "" || !VALUES.has(value))
      throw new UsageError(
        `--condition must be NAME=true, NAME=false or NAME=unknown (for a gate also pass, fail, hold), not "${word}"`,
      );
    if (values.has(name)) throw new UsageError(`--condition ${name} appears twice; use it once`);
    values.set(name, VALUES.get(value));
  }
  return Object.fromEntries(values);
}

/** What a document says for given values: the answers of its gates, and the flow when it has one. */
export interface Given {
  readonly answers: readonly GateAnswer[];
  readonly flow: RetFlow | undefined;
}

/** Decides the gate that `wanted` names, or all gates. A gate that a flow only names is given as a condition. */
export function decideGiven(
  document: RetDocument,
  wanted: string | undefined,
  values: Readonly<Record<string, Truth>>,
  logic: Logic,
): Given {
  if (document.flow !== undefined && wanted !== undefined)
    throw new UsageError('a stage with "advance_to" asks all gates of its branches; remove --gate');
  const gates = document.flow === undefined ? chosen(document.gates, wanted) : gatesOfFlow(document.flow);
  const answers = gates.map((gate) => decideGate({ ...gate, name: gate.name ?? document.file }, values, { logic }));
  const known = new Set(answers.flatMap(({ tree }) => conditionsIn(tree)));
  const other = Object.keys(values).find((name) => !known.has(name));
  if (other !== undefined) {
    const meant = nearestName(other, known);
    const hint = meant === undefined ? `it has ${quotedList([...known])}` : `did you mean "${meant}"?`;
    throw new UsageError(`the document has no condition "${other}"; ${hint}`);
  }
  return { answers, flow: document.flow };
}

function chosen(gates: readonly RetGate[], wanted: string | undefined): readonly RetGate[] {
  const found = wanted === undefined ? gates : gates.filter(({ name }) => name === wanted);
  if (found.length === 0) throw wrongChoice(gates, wanted ?? "");
  return found;
}

function conditionsIn(tree: GateTree): string[] {
  return tree.kind === "leaf" ? [tree.text] : tree.items.flatMap(conditionsIn);
}

/** Returns the gates that a flow asks, in order; one that the document does not define is a condition of the same name. */
export function gatesOfFlow({ gates, branches }: RetFlow): RetGate[] {
  const defined = new Map(gates.map((gate) => [gate.name, gate]));
  const names = [...new Set(branches.map(({ gate }) => gate))];
  return names.map((name) => defined.get(name) ?? { name, requirement: { kind: "condition", name } });
}

/** Returns the outcomes of answers by gate. */
export function outcomesOf(answers: readonly GateAnswer[]): Record<string, Outcome> {
  return Object.fromEntries(answers.map(({ gate, outcome }) => [gate, outcome]));
}
