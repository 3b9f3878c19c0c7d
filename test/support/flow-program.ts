/** A flow of five stages and two gates, rules that read where its subjects are, and random histories of these. */
import * as fc from "fast-check";
import { expect } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

/** Returns the program; the gates are asked about `s`, or about what a path from it leads to. */
export function flowProgram(about: string): string {
  return `type S(#id: string, n: number, me: S?)
type Ev(#id: string, s: string, ok: bool)
action said(stage: string, s: string)
condition c(s: S) : e.ok from e: Ev(e.s == s.id)
gate g for s: S(s.n < 3) { require c(s) }
gate h for s: S { require s.n > 1 }
flow f for s: S(s.n < 4) {
    stage first { decide g(${about}) on pass goto second on fail goto third }
    stage second { decide h(${about}) on pass goto end on fail goto first }
    stage third { decide g(${about}) on pass goto end otherwise goto wait }
    stage wait { decide h(${about}) on pass goto end }
    stage end final
}
rule stages { when f: FlowStage(flow == "f") then said(f.stage, f.subject) }
rule help { when f: FlowStage(stage == "wait") e: Ev(ok == false) then retract(e) }`;
}

export const STEADY = compile(flowProgram("s"));
const LOOKING = compile(flowProgram("s.me"));

type Step = readonly [
  what: "subject" | "evidence" | "update" | "retract" | "drop" | "run",
  which: number,
  value: number,
];

export const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>("subject", "subject", "evidence", "evidence", "update", "retract", "drop", "run", "run"),
    fc.nat(3),
    fc.nat(4),
  ),
  { maxLength: 30 },
);

export function take(session: RuleSession, [what, which, value]: Step): unknown {
  const id = `s${which}`;
  switch (what) {
    case "subject":
      return session.upsert("S", { id, n: value, me: `S~${id}` });
    case "evidence":
      return session.upsert("Ev", { id: `e${which}`, s: `s${value % 4}`, ok: value > 1 });
    case "update":
      return session.fact(`S~${id}`) === undefined ? undefined : session.update(`S~${id}`, { n: value });
    case "retract":
      return session.retract(`S~${id}`);
    case "drop":
      return session.retract(`Ev~e${which}`);
    case "run":
      return ran(session);
  }
}

function ran(session: RuleSession): unknown {
  try {
    const { effects, problems } = session.run({ limit: 60 });
    return { effects, problems };
  } catch (error) {
    return String(error).split("\n")[0];
  }
}

const places = (session: RuleSession): string[] =>
  session
    .facts("FlowStage")
    .map(({ fields }) => JSON.stringify(fields))
    .sort();

/** Plays a history to a flow that looks at changed subjects, and to one that looks at all; throws at the first difference. */
export function steadyAsLooking(history: readonly Step[]): void {
  const [steady, looking] = [STEADY.session(), LOOKING.session()];
  for (const step of [...history, ["run", 0, 0] as const]) {
    const [one, other] = [take(steady, step), take(looking, step)];
    if (step[0] === "run") expect(one).toEqual(other);
    expect(places(steady)).toEqual(places(looking));
  }
}
