/**
 * Nothing acknowledged is lost: any interleaving of changes from outside, handlers that wait, reject or never settle, aborts,
 * queued changes and calls, listeners that throw, reloads, resets and closing gives what a sequential model says.
 */
import * as fc from "fast-check";
import { afterEach, beforeEach, test, vi } from "vitest";
import { type ActionContext, compile, type RunResult, type Session, SessionError } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { expectEqual } from "../support/equal.ts";
import { type Command, type Ended, type ModelFact, SessionModel } from "../support/session-model.ts";

const SOURCE = `
  type Item(#id: string, v: number)
  type Job(#id: string, v: number)
  type Done(#id: string, v: number)
  type Note(text: string)
  action work(id: string)
  rule "work" { when i: Item(v > 0) not Done(id == i.id) then work(i.id) insert Done(id: i.id, v: i.v) }
  rule "job" { when i: Job(v > 0) then work(i.id) i.v = 0 }
  gate "calm" { require not exists Done() }`;
const PLAIN = compile(SOURCE);
const EXTENDED = compile(`${SOURCE} rule "spare" { when n: Note(text == "none") then log(n.text) }`);
const TIMEOUT = 1000;

const type = fc.constantFrom("Item" as const, "Job" as const);
const id = fc.constantFrom("a", "b");
const v = fc.nat({ max: 2 });
const puts = fc.uniqueArray(fc.record({ type, id, v }), {
  minLength: 1,
  maxLength: 4,
  selector: (put) => `${put.type}~${put.id}`,
});
const bad = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const submit = fc.record({ is: fc.constant("submit" as const), puts, bad });
const is = (name: string): fc.Arbitrary<Command> => fc.constant({ is: name } as Command);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant("put" as const), type, id, v }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("delete" as const), type, id }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("undo" as const), id }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("own done" as const), id }) },
  { weight: 4, arbitrary: submit },
  { weight: 3, arbitrary: is("run") },
  { weight: 6, arbitrary: is("settle") },
  { weight: 2, arbitrary: fc.oneof(is("own note"), is("bad"), is("listen"), is("reload")) },
  { weight: 4, arbitrary: fc.oneof(is("reject"), is("timeout")) },
  { weight: 1, arbitrary: is("abort") },
  { weight: 1, arbitrary: is("reset") },
  { weight: 2, arbitrary: fc.oneof(is("queued save"), is("queued save"), is("queued reload"), is("queued reset")) },
  { weight: 1, arbitrary: is("queued error") },
  { weight: 1, arbitrary: fc.oneof({ weight: 4, arbitrary: is("settle") }, { weight: 1, arbitrary: is("close") }) },
);

interface Call {
  readonly context: ActionContext;
  readonly key: string;
  settle(): void;
  reject(error: Error): void;
}

/** A real session that follows the commands. */
class Follower {
  readonly calls: Call[] = [];
  readonly ended: Ended[] = [];
  readonly session: Session;
  #controller = new AbortController();
  #reloads = 0;

  constructor() {
    const { calls } = this;
    const actions = {
      async work(this: ActionContext) {
        const { key } = this;
        return new Promise<void>((settle, reject) => calls.push({ context: this, key, settle, reject }));
      },
    };
    this.session = PLAIN.session({ actions, id: "shared" });
  }

  /** Does a command; returns the code that it throws, if it does. */
  apply(one: Command, isAwaiting: boolean): string | undefined {
    try {
      this.#apply(one, isAwaiting ? this.calls.at(-1) : undefined);
      return undefined;
    } catch (error) {
      return codeOf(error);
    }
  }

  #apply(one: Command, call: Call | undefined): void {
    const { session } = this;
    switch (one.is) {
      case "put":
        session.upsert(one.type, { id: one.id, v: one.v });
        return;
      case "delete":
        session.retract(`${one.type}~${one.id}`);
        return;
      case "undo":
        session.retract(`Done~${one.id}`);
        return;
      case "bad":
        session.batch(() => {
          session.upsert("Item", { id: "a", v: 9 });
          session.assert("Item", { id: "d", v: "no number" });
        });
        return;
      case "run":
        if (session.counters().waiting < 0) return; // throws when the session is closed
        this.#note(session.runAsync(this.#waiting()), true);
        return;
      case "submit": {
        const good = one.puts.map(({ type: name, ...fields }) => ({ op: "upsert", type: name, fields }) as const);
        const changes = one.bad
          ? [...good, { op: "assert", type: "Item", fields: { id: "d", v: "no number" } } as const]
          : good;
        this.#note(session.submit(changes, this.#waiting()), false);
        return;
      }
      case "own note":
        call?.context.assert("Note", { text: "own" });
        return;
      case "own done":
        call?.context.assert("Done", { id: one.id, v: 7 });
        return;
      case "settle":
        call?.settle();
        return;
      case "reject":
        call?.reject(new Error("down"));
        return;
      case "timeout":
        vi.advanceTimersByTime(TIMEOUT);
        return;
      case "abort":
        this.#controller.abort();
        this.#controller = new AbortController();
        return;
      case "listen":
        session.on("fact", () => {
          throw new Error("a listener that throws");
        });
        return;
      case "reload":
        this.#reload();
        return;
      case "queued save":
        this.#noteCall(
          session.enqueue(() => {
            const copy = session.program.session({ from: session.snapshot() });
            return { saved: factsOf(copy), calm: copy.gate("calm").outcome };
          }),
        );
        return;
      case "queued reload":
        this.#noteCall(session.enqueue(() => this.#reload()).then(() => ({ called: one.is })));
        return;
      case "queued reset":
        this.#noteCall(session.enqueue(() => session.reset()).then(() => ({ called: one.is })));
        return;
      case "queued error":
        this.#noteCall(session.enqueue(() => session.subscribe(null as never)) as never);
        return;
      case "reset":
        session.reset();
        return;
      case "close":
        session.close();
        return;
    }
  }

  #reload(): void {
    this.#reloads += 1;
    this.session.reload(this.#reloads % 2 === 0 ? PLAIN : EXTENDED);
  }

  /** Runs and submissions share a signal until it is aborted. */
  #waiting(): { handlerTimeout: number; signal: AbortSignal } {
    const { signal } = this.#controller;
    return { handlerTimeout: TIMEOUT, signal };
  }

  #noteCall(promise: Promise<Ended>): void {
    void promise.then(
      (ended) => this.ended.push(ended),
      (error: unknown) => this.ended.push({ code: codeOf(error) }),
    );
  }

  #note(promise: Promise<RunResult>, throwsAtOnce: boolean): void {
    void promise.then(
      ({ fired, conflicts = [], failed = [], gates }) =>
        this.ended.push({
          done: fired.map(({ bindings }) => idOf(bindings["i"])),
          conflicts: conflicts.map(({ bindings }) => idOf(bindings["i"])),
          failed: failed.map(({ bindings, code }) => `${idOf(bindings?.["i"])} ${code}`),
          calm: gates.find(({ gate }) => gate === "calm")?.outcome ?? "",
        }),
      (error: unknown) => {
        const code = codeOf(error);
        if (!throwsAtOnce || code !== "E530") this.ended.push({ code });
      },
    );
  }
}

function factsOf(session: Session): ModelFact[] {
  const facts = session.facts().filter((fact) => ["Item", "Job", "Done"].includes(fact.type));
  return facts.map(({ id: key, fields }): ModelFact => [key, Number(fields["v"])]).sort(([a], [b]) => (a < b ? -1 : 1));
}

function idOf(bound: unknown): string {
  return typeof bound === "string" ? bound : "";
}

function codeOf(error: unknown): string {
  if (error instanceof SessionError) return error.code;
  throw error;
}

/** Lets everything go on that does not wait for the outside: all promises that are settled are followed before the next turn. */
async function rest(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

async function check(commands: readonly Command[]): Promise<void> {
  const model = new SessionModel();
  const real = new Follower();
  for (const one of commands) {
    if (one.is === "abort" && !model.isAwaiting) continue;
    const thrown = real.apply(one, model.isAwaiting);
    await rest();
    const expected = model.apply(one);
    expectEqual(thrown, one.is === "run" && expected === "E530" ? undefined : expected, one.is);
    expectEqual(real.ended, model.ended, one.is);
    if (model.closed) continue;
    expectEqual(factsOf(real.session), model.facts(), one.is);
    expectEqual(real.session.facts("Note").length, model.notes, one.is);
    expectEqual(real.session.gate("calm").outcome, model.calm, one.is);
    expectEqual(real.calls.length, model.calls.length, one.is);
  }
  sameKeys(model.calls, real.calls);
}

/** Two calls have the same key exactly when they are calls of the same firing. */
function sameKeys(identities: readonly string[], calls: readonly Call[]): void {
  const keys = new Map<string, string>();
  for (const [at, identity] of identities.entries()) {
    const key = calls[at]?.key ?? "";
    expectEqual(keys.get(identity) ?? key, key);
    keys.set(identity, key);
  }
  expectEqual(new Set(keys.values()).size, keys.size);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test(
  "a shared session does what the sequential model says, and keys tell firings apart",
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { maxLength: 25 }), check), { numRuns: runs() });
  },
  PATIENT,
);
