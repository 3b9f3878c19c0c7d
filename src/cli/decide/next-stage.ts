/**
 * Shows the stage that follows from the outcomes of the gates of a flow. A gate without a subject counts for every subject. A
 * gate that has no outcome for a subject leads nowhere: no branch after it is taken, nor the default.
 */
import { type Diagnostic, type GateAnswer, nextStage, type RetFlow } from "../../index.ts";
import { factName } from "../fact-names.ts";
import { EXIT, type Io } from "../io.ts";
import { painter } from "../paint.ts";
import { type Place, showDiagnostics, type Texts } from "../report.ts";
import { oneLine } from "../visible.ts";
import { outcomesOf } from "./given.ts";

interface StageContext {
  readonly io: Io;
  readonly texts: Texts;
  readonly json: boolean;
  /** Where the document has its branches. */
  readonly place: Place;
  readonly flow: RetFlow;
}

type Outcomes = ReturnType<typeof outcomesOf>;

/** Prints the next stage of each subject; returns an exit code that is not 0 when one of them has none (E540). */
export function showStage(
  { io, texts, json, place, flow }: StageContext,
  answers: readonly GateAnswer[],
  /** The subjects of the gates; null when they have none. */
  subjects: readonly (string | null)[],
): number {
  const bySubject = new Map<string | null, GateAnswer[]>([[null, []]]);
  for (const subject of subjects) bySubject.set(subject, []);
  for (const answer of answers) bySubject.get(answer.subject)?.push(answer);
  const ofAll = outcomesOf(bySubject.get(null) ?? []);
  const stuck: Diagnostic[] = [];
  const lines = [...new Set(subjects)].flatMap((subject) => {
    const outcomes = { ...ofAll, ...outcomesOf(bySubject.get(subject) ?? []) };
    const step = nextStage(flow, outcomes);
    if (step === undefined) {
      stuck.push(noStage(place, flow, subject, outcomes));
      return [];
    }
    if (json) return [JSON.stringify({ event: "stage", subject, ...step })];
    const paint = painter(io.outColor);
    const whose = subject === null ? "" : ` for ${paint("cyan", factName(subject))}`;
    const { branch, stage } = step;
    const why =
      branch === undefined ? "no branch matches, so the default" : `gate "${oneLine(branch.gate)}": ${branch.outcome}`;
    return [`next stage${whose}: ${paint("bold", oneLine(stage))} (${why})`];
  });
  if (subjects.length === 0 && !json) lines.push("next stage: none (no subject to decide about)");
  if (lines.length > 0) io.out(`${json ? "" : "\n"}${lines.join("\n")}\n`);
  showDiagnostics(io, stuck, texts, json);
  if (stuck.length > 0) return EXIT.fault;
  return subjects.length === 0 ? EXIT.hold : EXIT.fine;
}

function noStage(place: Place, flow: RetFlow, subject: string | null, outcomes: Outcomes): Diagnostic {
  const whose = subject === null ? "" : ` for ${factName(subject)}`;
  const gates = [...new Set(flow.branches.map(({ gate }) => gate))];
  const silent = gates.find((gate) => !Object.hasOwn(outcomes, gate));
  const at = { ...place, severity: "error", code: "E540" } as const;
  if (silent !== undefined) {
    const message = `no next stage${whose}: gate "${silent}" does not decide about this subject`;
    return { ...at, message, hint: "let the gates of the branches have the same subjects" };
  }
  const words = gates.map((gate) => `gate "${gate}" has the outcome ${outcomes[gate]}`).join(" and ");
  const message = `no branch matches${whose}: ${words}, and there is no default`;
  return { ...at, message, hint: 'add a "default", or a branch for the outcome' };
}
