/**
 * Keys of effects: a firing that is repeated has the key of before, in the same session, in a restored one, after a reload that
 * edits another rule, with a handler or in the result; another firing never has it.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ActionContext, compile, type Program, type Session } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const SOURCE = `
  type P(#id: string, v: number = 0)
  type R(#p: string)
  action pay(id: string)
  rule "pay" { when p: P(v >= 0) not R(p == p.id) then pay(p.id) log(p.id) pay(p.id) }
  rule "one" { when p: P then pay(p.id) }
  rule "none" { when not P(v > 1) then pay("none") }
  rule "unnamed" { when P() r: R then pay(r.p) }`;
const PLAIN = compile(SOURCE);
const EXTENDED = compile(`${SOURCE} rule "other" { when r: R then log(r.p) }`);

type Step =
  | { readonly is: "block" | "unblock" | "assert" | "retract"; readonly id: string }
  | { readonly is: "update"; readonly id: string; readonly v: number }
  | { readonly is: "run" | "fail" | "restore" | "reload" | "quick" | "reset" };

const id = fc.constantFrom("a", "b");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constantFrom("block", "unblock", "assert", "retract"), id }),
  fc.record({ is: fc.constant("update" as const), id, v: fc.nat({ max: 2 }) }),
  fc.record({ is: fc.constantFrom("run", "run", "fail", "restore", "reload", "quick", "reset") }),
);

class Driver {
  /** The keys of each firing that was made, in order, and the keys that handlers saw for the one that failed last. */
  readonly seen = new Set<string>();
  #session: Session;
  #program: Program = PLAIN;
  #fails = false;
  /** The calls of the firing that is under way. */
  #calls: { readonly rule: string; readonly n: number; readonly key: string }[] = [];
  #failed: { readonly rule: string; readonly keys: readonly string[] } | undefined;
  #reloads = 0;

  constructor() {
    this.#session = this.#program.session({ actions: this.#actions() });
  }

  do(one: Step): void {
    const session = this.#session;
    switch (one.is) {
      case "assert":
        session.upsert("P", { id: one.id });
        break;
      case "retract":
        session.retract(`P~${one.id}`);
        break;
      case "block":
        session.upsert("R", { p: one.id });
        break;
      case "unblock":
        session.retract(`R~${one.id}`);
        break;
      case "update":
        if (session.fact(`P~${one.id}`) !== undefined) session.update(`P~${one.id}`, { v: one.v });
        break;
      case "run":
        this.#run();
        return;
      case "quick":
        this.#quick();
        return;
      case "fail":
        this.#fail();
        return;
      case "restore": {
        const from = session.snapshot();
        this.#session = this.#program.session({ actions: this.#actions(), from });
        return;
      }
      case "reload":
        this.#reloads += 1;
        this.#program = this.#reloads % 2 === 0 ? PLAIN : EXTENDED;
        session.reload(this.#program);
        break;
      case "reset":
        session.reset();
        break;
    }
    this.#failed = undefined; // something may have changed: the next firing need not be the same
  }

  #actions(): Record<string, (this: ActionContext) => void> {
    const { ...driver } = { note: (context: ActionContext) => this.#note(context) };
    return {
      pay() {
        driver.note(this);
      },
    };
  }

  #note(context: ActionContext): void {
    this.#calls.push({ rule: context.rule, n: context.n, key: context.key });
    if (this.#fails) throw new Error("down");
  }

  /** Runs and compares the keys of handlers with those of the result. */
  #run(): void {
    this.#calls = [];
    const { effects } = this.#session.run();
    const keys = effects.filter(({ action }) => action === "pay").map(({ key }) => key);
    expect(this.#calls.map(({ key }) => key)).toEqual(keys);
    const [first] = this.#calls;
    if (this.#failed !== undefined) expect(first?.key).toBe(this.#failed.keys[0]);
    this.#failed = undefined;
    for (const { key = "" } of effects) this.#isNew(key);
  }

  #quick(): void {
    this.#calls = [];
    this.#session.run({ collect: false });
    if (this.#failed !== undefined) expect(this.#calls[0]?.key).toBe(this.#failed.keys[0]);
    this.#failed = undefined;
    for (const { key } of this.#calls) this.#isNew(key);
  }

  /** Lets the next firing fail: it is repeated later, with the same key. */
  #fail(): void {
    this.#calls = [];
    this.#fails = true;
    try {
      this.#session.run();
    } catch {
      const keys = this.#calls.map(({ key }) => key);
      if (this.#failed !== undefined) expect(keys).toEqual(this.#failed.keys);
      this.#failed = { rule: this.#calls[0]?.rule ?? "", keys };
    } finally {
      this.#fails = false;
    }
  }

  #isNew(key: string): void {
    expect(key).toMatch(/^[a-z2-7]{32}$/u);
    expect(this.seen.has(key)).toBe(false);
    this.seen.add(key);
  }
}

test(
  "a repeated firing has the same key, another one never",
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const driver = new Driver();
        for (const one of steps) driver.do(one);
        driver.do({ is: "run" });
      }),
      { numRuns: runs(5_000) },
    );
  },
  PATIENT,
);

test("an edited rule has other keys, a new layout of the source the same", () => {
  const keyOf = (source: string): string | undefined => {
    const session = compile(source).session({ id: "s" });
    session.assert("P", { id: "a" });
    return session.run().effects[0]?.key;
  };
  const source = 'type P(#id: string, v: number = 0) rule "r" { when p: P(v >= 0) then log(p.id) }';
  const first = keyOf(source);
  expect(keyOf(source.replaceAll(" { ", " {\n  "))).toBe(first);
  expect(keyOf(`${source} rule "s" { when p: P then log("other") }`)).toBe(first);
  expect(keyOf(source.replace(">= 0", ">= -1"))).not.toBe(first);
  expect(keyOf(source.replace("log(p.id)", 'log("x")'))).not.toBe(first);
  expect(keyOf(source.replace('"r"', '"q"'))).not.toBe(first);
});
