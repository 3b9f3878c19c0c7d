/**
 * Flows: a flow that looks only at changed subjects does the same as one that looks at all of them. A flow whose gate reads
 * through a reference of the subject cannot know when that changes, so it looks at all of them every time.
 *
 * The explanation of a stage tells what happened: a model of its own keeps the facts from the events of the session, decides
 * the gates by hand at every move, and must find the same path, with the same values of the facts at that moment.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FactEvent, type FlowAnswer, type Outcome, type RuleSession, type WhyFlow } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { checkForm, claim } from "../support/explained.ts";
import { STEADY, steadyAsLooking, steps, take } from "../support/flow-program.ts";

test(
  "a flow that looks only where something changed goes where one goes that looks everywhere",
  () => {
    fc.assert(fc.property(steps, steadyAsLooking), { numRuns: runs(2000) });
  },
  PATIENT,
);

// ---------------------------------------------------------------- explanations

/** What happened to a subject, by the model: the move, and the facts that its gate read. */
interface Moved {
  readonly stage: string;
  readonly from?: string;
  readonly branch?: string;
  readonly gate?: string;
  readonly outcome?: Outcome;
  /** What the explanation of the gate must mention; undefined when the subject is not one of the gate's. */
  readonly reads?: string | undefined;
}

/** The branches of the flow, written a second time. */
const BRANCHES: Readonly<Record<string, { gate: string; to: Partial<Record<Outcome | "otherwise", string>> }>> = {
  first: { gate: "g", to: { pass: "second", fail: "third" } },
  second: { gate: "h", to: { pass: "end", fail: "first" } },
  third: { gate: "g", to: { pass: "end", otherwise: "wait" } },
  wait: { gate: "h", to: { pass: "end" } },
};

class FlowModel {
  readonly facts = new Map<string, FactEvent["fields"]>();
  readonly paths = new Map<string, Moved[]>();

  follow(session: RuleSession): void {
    session.on("fact", (event) => this.#changed(event));
    session.on("flow", (answer) => this.#moved(answer));
  }

  /** A subject that goes loses its path, and so does one whose stage goes without a move. */
  #changed({ op, id, type, fields }: FactEvent): void {
    const about = type === "FlowStage" ? fields["subject"] : id;
    const subject = typeof about === "string" ? about : "";
    const isLeft = type === "S" || this.paths.get(subject)?.at(-1)?.stage === fields["stage"];
    if (op === "retract" && isLeft) this.paths.delete(subject);
    if (type !== "S" && type !== "Ev") return;
    if (op === "retract") this.facts.delete(id);
    else this.facts.set(id, fields);
  }

  #moved({ subject, stage }: FlowAnswer): void {
    const id = subject ?? "";
    const path = this.paths.get(id) ?? [];
    const from = path.at(-1)?.stage;
    this.paths.set(id, [...path, from === undefined ? { stage } : this.#move(id, from)]);
  }

  #move(id: string, from: string): Moved {
    const { gate, to } = BRANCHES[from] ?? { gate: "", to: {} };
    const { outcome, reads } = gate === "g" ? this.#g(id) : this.#h(id);
    const named = to[outcome];
    const stage = named ?? to.otherwise ?? "nowhere";
    return { stage, from, branch: named === undefined ? "otherwise" : `on ${outcome}`, gate, outcome, reads };
  }

  #g(id: string): { outcome: Outcome; reads: string | undefined } {
    const subject = this.facts.get(id);
    if (!(Number(subject?.["n"]) < 3)) return { outcome: "hold", reads: undefined };
    const oks = [...this.facts.values()].flatMap(({ s, ok }) => (s === subject?.["id"] && s !== undefined ? [ok] : []));
    if (oks.length === 0 || new Set(oks).size > 1) return { outcome: "hold", reads: "" };
    return { outcome: oks[0] === true ? "pass" : "fail", reads: `ok is ${oks[0] === true}` };
  }

  #h(id: string): { outcome: Outcome; reads: string } {
    const n = Number(this.facts.get(id)?.["n"]);
    return { outcome: n > 1 ? "pass" : "fail", reads: `n is ${n} ` };
  }
}

const VERBS: Readonly<Record<Outcome, string>> = { pass: "passes", hold: "is on hold", fail: "fails" };

/** Compares an explanation with what happened. */
function checkPath(told: WhyFlow, happened: readonly Moved[]): void {
  checkForm(told);
  claim(told.complete, "the path begins at the first stage");
  const moves = told.path.map(({ stage, from, branch, gate, outcome }) => ({ stage, from, branch, gate, outcome }));
  expect(moves).toEqual(
    happened.map(({ stage, from, branch, gate, outcome }) => ({ stage, from, branch, gate, outcome })),
  );
  const shown = happened.slice(-12);
  const steps = told.children.slice(-1 - shown.length, -1);
  for (const [index, { gate, outcome, reads, stage }] of shown.entries()) {
    const step = steps[index];
    const [below] = step?.children ?? [];
    if (gate === undefined || outcome === undefined) claim(below === undefined, "a first stage has no gate");
    else if (reads === undefined) claim(/not a subject/u.test(step?.upward_rationale ?? ""), `no subject: ${stage}`);
    else {
      claim(
        (below?.upward_rationale ?? "").startsWith(`Gate "${gate}" ${VERBS[outcome]} for S `),
        `${gate} ${outcome}`,
      );
      claim((below?.observation ?? "").includes(reads), `${reads} in ${below?.observation}`);
    }
  }
}

test(
  "the explanation of every stage tells the gates, the outcomes and the values of the moves that were made",
  () => {
    let explained = 0;
    fc.assert(
      fc.property(steps, (history) => {
        const session = STEADY.session();
        const model = new FlowModel();
        model.follow(session);
        for (const step of [...history, ["run", 0, 0] as const]) {
          take(session, step);
          if (step[0] !== "run" && step[0] !== "update") continue;
          for (const answer of session.flows("f")) {
            checkPath(session.why(answer), model.paths.get(answer.subject ?? "") ?? []);
            expect(session.why(answer.fact)).toEqual(session.why(answer));
            explained += 1;
          }
        }
        const restored = STEADY.session({ from: session.snapshot() });
        expect(restored.flows()).toEqual(session.flows());
        for (const answer of restored.flows()) {
          const { path, complete } = restored.why(answer);
          expect({ path, complete }).toEqual({ path: [answer], complete: answer.from === undefined });
        }
      }),
      { numRuns: runs(500) },
    );
    expect(explained).toBeGreaterThan(0);
  },
  PATIENT,
);
