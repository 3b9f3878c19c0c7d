/**
 * Nothing is carried over: a session that was reset does what a new one does, whatever happened in it, and `evaluate` returns what
 * a new session would, whatever was evaluated before.
 */
import { test } from "vitest";
import {
  compile,
  type FactInput,
  type Program,
  type RunResult,
  type Session,
  SeededRandom,
  SessionError,
} from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { History, type Step } from "../support/history.ts";
import { ProgramWriter } from "../support/judged-programs.ts";
import { forAllCases } from "../support/minimise.ts";
import { programOfRules } from "../support/rig.ts";
import { expectEqual } from "../support/equal.ts";
import { withoutId } from "../support/snapshots.ts";

/** Counters of steps go on when a session is used again. */
const STEPS = { supportSteps: 0, timerSteps: 0 };
const LIMIT = 40;

/** Returns what the work returns, or the code of the error that it throws. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof SessionError) return { code: error.code, message: error.message };
    throw error;
  }
}

function perform(session: Session, step: Step): unknown {
  switch (step.is) {
    case "assert":
    case "refuse":
      return session.assert(step.type, step.fields).id;
    case "retract":
      return session.retract(step.id);
    case "update":
      return session.update(step.id, step.changes);
    case "run":
      return shown(session.run({ limit: LIMIT }));
    default:
      return undefined;
  }
}

function shown({ fired, effects, gates, verdicts, decisions, problems, count }: RunResult): unknown {
  return { fired, effects, gates: gates.map((gate) => ({ ...gate })), verdicts, decisions, problems, count };
}

test(
  "a session that was reset does what a new one does",
  () => {
    forAllCases(SMALL, runs(4_000), (one) => {
      const history = new History(SMALL, one.rules);
      const program = programOfRules(history.rules);
      const steps: Step[] = [];
      for (const operation of History.operations(one)) {
        const step = history.plan(operation);
        if (step === undefined || step.is === "add" || step.is === "remove") continue;
        history.note(step);
        steps.push(step, { is: "run" });
      }
      const used = program.session();
      for (const step of steps) outcomeOf(() => perform(used, step));
      used.reset();
      const fresh = program.session();
      expectEqual(withoutId(used.snapshot()), withoutId(fresh.snapshot()));
      for (const step of steps) {
        expectEqual(
          outcomeOf(() => perform(used, step)),
          outcomeOf(() => perform(fresh, step)),
        );
      }
      expectEqual(withoutId(used.snapshot()), withoutId(fresh.snapshot()));
      expectEqual(used.warnings, fresh.warnings);
      expectEqual({ ...used.counters(), ...STEPS }, { ...fresh.counters(), ...STEPS });
    });
  },
  PATIENT,
);

const takesText = (kind: "bool" | "number" | "string") =>
  ({ params: [{ name: "x", type: { kind: "string" }, optional: false }], result: { kind } }) as const;
const signatures = {
  ok: takesText("bool"),
  num: takesText("number"),
  txt: takesText("string"),
  both: {
    params: [
      { name: "x", type: { kind: "string" }, optional: false },
      { name: "n", type: { kind: "number" }, optional: false },
    ],
    result: { kind: "bool" },
  },
} as const;

/** Writes the facts of a request; one of many is refused. */
function requestOf(random: SeededRandom): FactInput[] {
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const row = (): Record<string, unknown> => ({
    ...(below(3) === 0 ? {} : { k: below(2) === 0 ? "a" : below(3) }),
    ...(below(4) === 0 ? {} : { n: below(4) }),
    text: ["one", "two", "no"][below(3)],
  });
  const facts: FactInput[] = [];
  for (let count = 1 + below(2); count > 0; count--) facts.push({ type: "R", fields: { id: `r${count}`, ...row() } });
  for (let count = below(5); count > 0; count--) {
    facts.push({ type: "E", fields: { rel: `r${1 + below(2)}`, ...row() } });
  }
  for (let count = below(3) === 0 ? 7 : 0; count > 0; count--) facts.push({ type: "X", fields: { id: count } });
  if (below(12) === 0) facts.push({ type: "X", fields: { id: "no number" } });
  return facts;
}

/** What a host gives for one request; the functions may fail. */
function hostOf(random: SeededRandom): NonNullable<Parameters<Program["evaluate"]>[1]> {
  const fails = random.next() < 0.2;
  const at = Math.floor(random.next() * 1000);
  const given =
    <Result>(result: Result) =>
    (): Result => {
      if (fails) throw new Error("down");
      return result;
    };
  return {
    functions: {
      ok: given(random.next() < 0.7),
      num: given(Math.floor(random.next() * 4)),
      txt: given(random.next() < 0.7 ? "two" : "one"),
      both: given(random.next() < 0.3),
    },
    actions: { log: () => undefined },
    now: () => at,
    limit: LIMIT,
  };
}

test(
  "evaluate returns what a new session would, whatever was evaluated before",
  () => {
    for (let seed = 1; seed <= runs(400); seed++) {
      const random = new SeededRandom(seed);
      const options = { derives: true, searchesText: true, calls: seed % 2 === 0, asksMissing: true };
      const program = compile(new ProgramWriter(seed, options).program(), {
        functions: signatures,
        limits: { liveMatches: seed % 3 === 0 ? 30 : 1000 },
      });
      for (let call = 0; call < 6; call++) {
        const request = requestOf(random);
        const host = hostOf(random);
        const expected = outcomeOf(() => {
          const session = program.session({ ...host, history: 0 });
          for (const { type, fields } of request) session.assert(type, fields);
          return { ...(shown(session.run()) as object), facts: session.facts() };
        });
        const actual = outcomeOf(() => {
          const { facts, ...result } = program.evaluate(request, host);
          return { ...(shown(result) as object), facts };
        });
        expectEqual(actual, expected, `seed ${seed}, call ${call}`);
        expectEqual(JSON.stringify(actual), JSON.stringify(expected));
      }
    }
  },
  PATIENT,
);
