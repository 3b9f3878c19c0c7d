/** Packs the result of a run, or one answer. */
import {
  type PackAnswer,
  packedAnswer,
  packedResults,
  type PackFacts,
  type PackProgram,
  packText,
} from "../explain/show/pack.ts";
import type { Explanation } from "../explain/tell/step.ts";
import { parametersOf } from "../language/check/parameters.ts";
import type { Strategy } from "../base/strategy.ts";
import { SessionError } from "../session/errors.ts";
import type { RunResult } from "../session/results.ts";
import { readPack } from "../explain/show/read-pack.ts";
import { explanationsOf, openFrom, requestKey } from "./pack-state.ts";
import type { Program } from "./program.ts";
import { replayFault } from "./replay-pack.ts";
import type { Session } from "./session.ts";

export interface PackOptions {
  readonly strategy: Strategy;
  readonly limit: number;
}

/** Throws E551 when the run cannot be told or repeated from its facts. */
export function packRun(session: Session, result: RunResult, options: PackOptions): string {
  const [failure] = result.failed ?? [];
  if (failure !== undefined) {
    const message = `this run cannot be packed, because something failed in it: ${failure.message}`;
    throw new SessionError("E551", message, "pack the result of a run in which nothing failed");
  }
  const parts = {
    program: programPart(session.program, options),
    facts: factsPart(session, result),
    results: packedResults(result, session.clock),
    reasoning: reasoningOf(session, result),
  };
  const hint = "only a run that depends on rules and facts alone can be packed: no handler may change facts";
  return repeatable(packText(parts), session, "this run", hint);
}

/** What one gate, guardian or pipeline says, with the facts of now. Throws E551 when it would say something else now. */
export function packAnswer(session: Session, answer: PackAnswer, options: PackOptions): string {
  const parts = {
    program: programPart(session.program, options),
    facts: factsNow(session, []),
    results: packedAnswer(answer, session.clock),
    reasoning: [session.why(answer)],
  };
  const hint = "pack an answer before the facts change";
  return repeatable(packText(parts), session, "this answer", hint);
}

const WITHOUT_LIMITS = { firings: Infinity, milliseconds: Infinity };

/** Returns the text of a pack; throws E551 when repeating it gives something else. */
function repeatable(text: string, session: Session, what: string, hint: string): string {
  const read = readPack(text);
  const fault = read.fault ?? replayFault(read.pack, () => session.program, session.functions, WITHOUT_LIMITS);
  if (fault === undefined) return text;
  const message = `${what} cannot be packed, because it is not repeatable: ${fault.message}`;
  throw new SessionError("E551", message, hint);
}

function reasoningOf(session: Session, result: RunResult): Explanation[] {
  return [...explanationsOf(session, result)];
}

function programPart(program: Program, { strategy, limit }: PackOptions): PackProgram {
  const files = program.checked.files.map(({ source }) => ({ file: source.file, text: source.text }));
  const params = parametersOf(program.checked.symbols);
  const given = Object.keys(params).length === 0 ? {} : { params };
  const { modules } = program.checked.symbols;
  const outside = program.checked.files.filter(({ source }) => modules?.isAdded(source) === true);
  const added = outside.length === 0 ? {} : { added: outside.map(({ source }) => source.file) };
  const further = program.checked.files.flatMap(({ source, otherPaths = [] }) =>
    otherPaths.map((path): [string, string] => [path, source.file]),
  );
  const paths = further.length === 0 ? {} : { paths: Object.fromEntries(further) };
  return { files, ...added, ...paths, strategy, limit: Math.min(limit, Number.MAX_SAFE_INTEGER), ...given };
}

// ---------------------------------------------------------------- the state before

function factsPart(session: Session, result: RunResult): PackFacts {
  const decided = decidedBefore(session, result);
  const first = result.fired[0];
  if (first === undefined) return factsNow(session, decided);
  const { counters, groups, facts: now } = session.snapshot();
  const past = session.past(first.n);
  if (past?.known !== true) {
    const hint = "pack it right after the run, or open the session with a larger `history`";
    throw new SessionError("E550", `the facts of firing ${first.n} are no longer in the history`, hint);
  }
  const facts = past.all();
  const known = new Set(facts.map(({ id }) => id));
  const later = [...now.map(({ id }) => id), ...past.later()].filter((id) => !known.has(id));
  const counts = countsBefore(counters.keyless, later);
  const clock = past.clock === undefined ? {} : { clock: past.clock };
  const state = { facts, counts, done: [], fired: first.n - 1, groups, decided, ...clock };
  return { ...state, done: doneBefore(session, result, state) };
}

function factsNow(session: Session, decided: PackFacts["decided"]): PackFacts {
  const { counters, groups, matches, facts: now, clock } = session.snapshot();
  const facts = now.map(({ id, type, fields, order, tag }) => ({ id, type, fields, order, tag }));
  const done = matches.map(({ rule, identity }) => ({ rule, identity }));
  const at = clock === undefined ? {} : { clock };
  return { facts, counts: counters.keyless, done, fired: counters.fired, groups, decided, ...at };
}

/** The requests that are there and that this run did not decide about. */
function decidedBefore(session: Session, { decisions }: RunResult): PackFacts["decided"] {
  const made = new Set(decisions.flatMap((one) => ("pipeline" in one ? [requestKey(one)] : [])));
  const all = session.decisions().map(({ pipeline, subject }) => ({ pipeline, subject }));
  return all.filter((one) => !made.has(requestKey(one)));
}

/** A fact without a key that came later had the next number. */
function countsBefore(now: Readonly<Record<string, number>>, later: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = { ...now };
  for (const id of later) {
    const [, type = "", number = ""] = /^([^~]*)~@(\d+)$/u.exec(id) ?? [];
    const before = counts[type];
    if (before !== undefined && number !== "") counts[type] = Math.min(before, Number(number) - 1);
  }
  return counts;
}

/** Matches that are there at the beginning and had fired before: those of earlier firings that this run does not have. */
function doneBefore(session: Session, result: RunResult, state: PackFacts): PackFacts["done"] {
  if (state.fired === 0) return [];
  const inRun = new Set(result.fired.map(({ rule, bindings }) => keyOf(rule, bindings)));
  const begin = openFrom(session.program, state, session.functions);
  const rules = [...session.program.checked.symbols.rules.names()];
  return rules.flatMap((rule) => {
    const earlier = new Set(session.firings(rule).map(({ bindings }) => keyOf(rule, bindings)));
    const fired = begin.matchStates(rule).filter(({ bindings }) => {
      const key = keyOf(rule, bindings);
      return earlier.has(key) && !inRun.has(key);
    });
    return fired.map(({ identity }) => ({ rule, identity }));
  });
}

function keyOf(rule: string, bindings: object): string {
  return JSON.stringify([rule, Object.entries(bindings)]);
}
