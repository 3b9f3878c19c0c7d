/** Reports on judges (gates, flows, guardians and pipelines), for one subject or all: explanations, and what would help. */
import {
  type Explanation,
  type FlowAnswer,
  nearestName,
  type PipelineDecision,
  type Program,
  type RuleSession,
  SessionError,
  together,
  type VerdictAnswer,
  type VerdictRemedy,
  type WhyVerdict,
} from "../../index.ts";
import { explanationText } from "../explanation-text.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../report.ts";
import { subjectNamed } from "../subject.ts";
import { visible } from "../visible.ts";
import { UsageError } from "../arguments.ts";
import type { Question } from "./answer.ts";
import { gateSummary, gateAnswers, noWay, openingNotes, withOpening } from "./gates.ts";

export type JudgeKind = "gate" | "guardian" | "pipeline" | "flow";

/** The explanation for one subject, and what would help. */
export interface SubjectReport {
  readonly explanation: Explanation;
  readonly notes: readonly string[];
}

export interface JudgeReport {
  /** One sentence for all subjects. */
  readonly summary: string;
  readonly subjects: readonly SubjectReport[];
}

const KINDS = ["gate", "guardian", "pipeline", "flow"] as const;

/** Returns the kind of judge with this name; undefined when a rule has the name too and no subject is given. */
export function judgeKind(session: RuleSession, { name, subject }: Question): JudgeKind | undefined {
  const { rules } = session.program.checked.symbols;
  const kind = KINDS.find((one) => judges(session, one).has(name));
  if (subject !== undefined && kind === undefined) throw new UsageError(noJudge(session, name));
  return subject === undefined && rules.get(name) !== undefined ? undefined : kind;
}

function noJudge(session: RuleSession, name: string): string {
  const meant = nearestName(
    name,
    KINDS.flatMap((kind) => [...judges(session, kind)]),
  );
  const hint = meant === undefined ? "--subject needs one" : `did you mean "${meant}"?`;
  return `no gate, guardian, pipeline or flow "${name}"; ${hint}`;
}

function judges({ program }: RuleSession, kind: JudgeKind): ReadonlySet<string> {
  return new Set(declared(program, kind).names());
}

/** Returns the declarations of a kind of judges, by name. */
function declared({ checked }: Program, kind: JudgeKind): JudgeNames {
  const { gates, guardians, pipelines, flows } = checked.symbols;
  return { gate: gates, guardian: guardians, pipeline: pipelines, flow: flows }[kind];
}

type Symbols = Program["checked"]["symbols"];
type JudgeNames = Symbols["gates"] | Symbols["guardians"] | Symbols["pipelines"] | Symbols["flows"];

export function judgeReport(session: RuleSession, kind: JudgeKind, asked: Question): JudgeReport {
  const subject = subjectOf(session, kind, asked);
  if (kind === "gate") return gateReport(session, asked.name, subject);
  if (kind === "flow") return flowReport(session, asked.name, subject);
  return kind === "guardian"
    ? guardianReport(session, asked.name, subject)
    : pipelineReport(session, asked.name, subject);
}

/** Merges the reports of all subjects into one, below the summary when there are several. */
export function mergedReport({ summary, subjects }: JudgeReport, name: string): SubjectReport {
  const [only, second] = subjects;
  if (only !== undefined && second === undefined) return only;
  const all = subjects.map(({ explanation }) => explanation);
  const notes = subjects.flatMap((one) => (one.notes.length === 0 ? [] : [one.explanation.unit_id, ...one.notes, ""]));
  return { explanation: together(summary, name, all), notes };
}

/** Returns the summary, and for each subject its headline, tree and what would help. */
export function judgeReportText({ summary, subjects }: JudgeReport, paint: Paint): string {
  const texts = subjects.map((one) => subjectReportText(one, paint));
  return texts.length === 1 ? texts.join("") : [`${visible(summary)}\n`, ...texts].join("\n");
}

/** Returns the headline, the tree, and what would help. */
export function subjectReportText({ explanation, notes }: SubjectReport, paint: Paint): string {
  const tree = explanationText(explanation, paint);
  return notes.length === 0 ? tree : `${tree}\n${notes.map(visible).join("\n")}\n`;
}

/** Returns the subject that `--subject` or the variable of `for` names. */
function subjectOf(
  { program }: RuleSession,
  kind: JudgeKind,
  { name, subject, bindings }: Question,
): string | undefined {
  const pattern = declared(program, kind).get(name)?.decl.subject;
  const variable = pattern?.variable?.name;
  const [other] = Object.keys(bindings).filter((one) => one !== variable);
  if (other !== undefined) {
    const known = variable === undefined ? "it has no variables" : `its variable is "${variable}"`;
    throw new SessionError("E205", `${kind} "${name}" has no variable "${other}"`, known);
  }
  return subject ?? (variable === undefined ? undefined : bindings[variable]);
}

/** Returns the answer about the subject with this key, id or label; all answers without a subject. */
function about<Answer extends { readonly subject: string | null }>(
  session: RuleSession,
  answers: readonly Answer[],
  kind: Exclude<JudgeKind, "gate">,
  name: string,
  subject: string | undefined,
): readonly Answer[] {
  if (subject === undefined) return answers;
  const type = declared(session.program, kind).get(name)?.decl.subject?.type.name;
  if (type === undefined) throw new UsageError(`${kind} "${name}" has no subject; remove it`);
  const id = subjectNamed(session, type, subject);
  const found = answers.find((one) => one.subject === id);
  if (found !== undefined) return [found];
  throw new SessionError("E541", `"${subject}" is not a subject of ${kind} "${name}"`);
}

function gateReport(session: RuleSession, name: string, subject: string | undefined): JudgeReport {
  const answers = gateAnswers(session, name, subject);
  const subjects = answers.map((answer) => {
    const explanation = withOpening(session, answer);
    return { explanation, notes: openingNotes(explanation) };
  });
  return { summary: gateSummary(name, answers), subjects };
}

// ---------------------------------------------------------------- flows

function flowReport(session: RuleSession, name: string, subject: string | undefined): JudgeReport {
  const answers = about(session, session.flows(name), "flow", name, subject);
  return {
    summary: flowSummary(name, answers),
    subjects: answers.map((answer) => ({ explanation: session.why(answer), notes: [] })),
  };
}

/** `Flow "release" has 2 subjects in stage ship, 1 in stage review.` */
function flowSummary(name: string, answers: readonly FlowAnswer[]): string {
  const stages = [...new Set(answers.map(({ stage }) => stage))];
  const counted = stages.map((stage, index) => {
    const count = answers.filter((answer) => answer.stage === stage).length;
    return `${index === 0 ? plural(count, "subject") : count} in stage ${stage}`;
  });
  return `Flow "${name}" has ${counted.length === 0 ? "no subject" : counted.join(", ")}.`;
}

// ---------------------------------------------------------------- guardians

function guardianReport(session: RuleSession, name: string, subject: string | undefined): JudgeReport {
  const answers = about(session, session.verdicts(name), "guardian", name, subject);
  const counted = (["PASS", "RETRY", "FAIL"] as const).flatMap((verdict) => countOf(answers, "verdict", verdict));
  const summary = `Guardian "${name}" ${counted.length === 0 ? "has nothing to judge" : `says ${counted.join(", ")}`}.`;
  return { summary, subjects: answers.map((answer) => verdictReport(session, answer)) };
}

export function verdictReport(
  session: RuleSession,
  answer: VerdictAnswer,
): SubjectReport & { readonly explanation: Passing } {
  const { remedies: passing, ...stopped } = session.searchPass(answer.guardian, answer.subject);
  const doubt = session.uncertainty({ rule: `guardian "${answer.guardian}"` });
  const explanation = { ...session.why(answer), passing, ...stopped, ...(doubt === undefined ? {} : { doubt }) };
  return { explanation, notes: passingNotes(explanation) };
}

/** An explanation with the changes that would improve the verdict. */
interface Passing extends WhyVerdict {
  readonly passing: readonly VerdictRemedy[];
  /** Why the search ended before everything was tried. */
  readonly stopped?: string;
  /** Why no change of facts can help: a rule that it may depend on is disabled. */
  readonly doubt?: string;
  /** Why no change is suggested: the check that decided is never retried. */
  readonly final?: string;
}

function passingNotes({ says, passing, stopped, doubt, final }: Passing): string[] {
  if (says === "PASS") return [];
  const ways = passing.map(({ words, verdict, reasons }, index) => {
    const then = verdict === "PASS" ? "" : ` (the verdict is then ${verdict}: ${reasons.join("; ")})`;
    return `  ${index === 0 ? "" : "or "}${words}${then}`;
  });
  const end = stopped === undefined ? [] : [`  ${stopped}: there may be others`];
  if (ways.length === 0) ways.push(final === undefined ? noWay(doubt) : `  no change is suggested: ${final}`);
  return ["What would help", ...ways, ...end];
}

function countOf<Name extends string, Value extends string>(
  answers: readonly Readonly<Record<Name, Value>>[],
  name: Name,
  value: Value,
): string[] {
  const count = answers.filter((answer) => answer[name] === value).length;
  return count === 0 ? [] : [`${value} for ${count === answers.length ? "all " : ""}${plural(count, "subject")}`];
}

// ---------------------------------------------------------------- pipelines

function pipelineReport(session: RuleSession, name: string, subject: string | undefined): JudgeReport {
  const answers = about(session, session.decisions(name), "pipeline", name, subject);
  const decisions = ["BLOCK", "ANSWER", "FORWARD", "ERROR"] as const;
  const counted = decisions.flatMap((decision) =>
    countOf<"decision", PipelineDecision["decision"]>(answers, "decision", decision),
  );
  const summary = `Pipeline "${name}" ${counted.length === 0 ? "has nothing to decide" : `decides ${counted.join(", ")}`}.`;
  return { summary, subjects: answers.map((answer) => ({ explanation: session.why(answer), notes: [] })) };
}
