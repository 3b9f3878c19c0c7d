/** Explains gates: the outcome for each subject, what is missing, and what would open the gate. */
import type { GateAnswer, Outcome, Remedy, RuleSession, WhyGate } from "../../index.ts";
import { plural } from "../report.ts";
import { subjectNamed } from "../subject.ts";
import { UsageError } from "../arguments.ts";

/** Returns the outcomes of all subjects of a gate, or of the one with this key, id or label. */
export function gateAnswers(session: RuleSession, name: string, subject: string | undefined): GateAnswer[] {
  if (subject === undefined) return session.gates(name);
  const type = session.program.checked.symbols.gates.get(name)?.decl.subject?.type.name;
  if (type === undefined) throw new UsageError(`gate "${name}" has no subject; remove it`);
  return [session.gate(name, subjectNamed(session, type, subject) ?? subject)];
}

const VERBS: Readonly<Record<Outcome, string>> = { pass: "passes for", hold: "is on hold for", fail: "fails for" };

/** `Gate "deploy" passes for 1 subject, is on hold for 1, fails for 2.` */
export function gateSummary(name: string, answers: readonly GateAnswer[]): string {
  if (answers.length === 0) return `Gate "${name}" is on hold: there is no subject to decide about.`;
  const counts = (["pass", "hold", "fail"] as const).flatMap((outcome) => {
    const count = answers.filter((answer) => answer.outcome === outcome).length;
    return count === 0
      ? []
      : [`${VERBS[outcome]} ${count === answers.length ? "all " : ""}${plural(count, "subject")}`];
  });
  return `Gate "${name}" ${counts.join(", ")}.`;
}

/** The changes that would open a gate. */
interface Opening {
  readonly opening: readonly Remedy[];
  /** Why the search ended before everything was tried. */
  readonly stopped?: string;
  /** Why no change of facts can open it: a rule that it may depend on is disabled. */
  readonly doubt?: string;
}

export function withOpening(session: RuleSession, answer: GateAnswer): WhyGate & Opening {
  const { remedies: opening, ...stopped } = session.searchOpen(answer.gate, answer.subject ?? undefined);
  const doubt = session.uncertainty({ rule: `gate "${answer.gate}"` });
  return { ...session.why(answer), opening, ...stopped, ...(doubt === undefined ? {} : { doubt }) };
}

export function openingNotes({ says, missing, opening, stopped, doubt }: WhyGate & Opening): string[] {
  if (says === "pass") return [];
  const needs = missing.map(({ text, needs }) => `  ${text}: ${needs}`);
  const ways = opening.map(({ words }, index) => `  ${index === 0 ? "" : "or "}${words}`);
  return [
    ...(needs.length === 0 ? [] : ["Missing (at minimum)", ...needs, ""]),
    "What would open it",
    ...(ways.length === 0 ? [noWay(doubt)] : ways),
    ...(stopped === undefined ? [] : [`  ${stopped}: there may be others`]),
  ];
}

export function noWay(doubt: string | undefined): string {
  return doubt === undefined ? "  nothing was found within 3 changes" : `  no change of facts helps: ${doubt}`;
}
