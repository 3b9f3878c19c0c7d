/** How W2 and W5 are measured: all facts, then one replacement after the other, each brought to rest. */
import type { Program, RuleSession } from "../../src/index.ts";
import { expectedOrders } from "../data/expected.ts";
import { changeWork, type Item, joinWork, type OrderWork } from "../data/order-work.ts";
import { Tally } from "../data/random.ts";
import { Orders } from "../hand/orders.ts";
import type { Answer, Figures } from "./benchmark.ts";
import { open, programNamed, runToRest } from "./open.ts";
import { repeat } from "./repeat.ts";

export type OrderName = "W2" | "W5";

/** A fact as the program by hand takes it, and as an engine takes it: who holds facts has them in the form they are needed in. */
export interface Given {
  readonly item: Item;
  readonly type: Item["type"];
  readonly fields: Omit<Item, "type">;
}

/** What an engine can do with the work. */
export interface Engine {
  add(given: Given): void;
  remove(type: Item["type"], id: number): void;
  toRest(): void;
}

export function orderWork(name: OrderName): OrderWork {
  return name === "W2" ? joinWork() : changeWork();
}

/** W2 is timed as a whole; of W5 the changes count, and the filling is shown beside them. */
export function ordersOnSluice(name: OrderName): Figures {
  const begin = performance.now();
  const program = programNamed(name === "W2" ? "orders" : "single-orders");
  const tally = new Tally();
  sluice(program, tally);
  const build = performance.now() - begin;
  return { build, ...measure(name, tally, () => sluice(program, tally)) };
}

export function ordersByHand(name: OrderName): Figures {
  const tally = new Tally();
  return { build: 0, ...measure(name, tally, () => byHand(tally, name === "W5")) };
}

function sluice(program: Program, tally: Tally): Engine {
  return sluiceEngine(open(program, { fire: tally.fire }));
}

export function sluiceEngine(session: RuleSession): Engine {
  return {
    add: ({ type, fields }) => session.assert(type, fields),
    remove: (type, id) => session.retract(`${type}~${id}`),
    toRest: () => runToRest(session),
  };
}

function byHand(tally: Tally, single: boolean): Engine {
  return handEngine(new Orders(tally.fire, single));
}

export function handEngine(orders: Orders): Engine {
  return {
    add: ({ item }) => orders.add(item),
    remove: (type, id) => orders.remove(type, id),
    toRest: () => undefined,
  };
}

function measure(name: OrderName, tally: Tally, make: () => Engine): Figures {
  const work = prepared(orderWork(name));
  const expected = expectedOrders(name);
  if (name === "W2") {
    const whole = (engine: Engine): Answer => {
      fill(engine, work);
      const inserted = tally.take();
      change(engine, work);
      return bothAnswers(inserted, tally.take());
    };
    return repeat({ make, work: whole, expected: bothAnswers(expected.inserts, expected.changes) });
  }
  let filling = Number.POSITIVE_INFINITY;
  const times = repeat({
    make: () => {
      const engine = make();
      const start = performance.now();
      fill(engine, work);
      filling = Math.min(filling, performance.now() - start);
      tally.take();
      return engine;
    },
    work: (engine) => {
      change(engine, work);
      return tally.take();
    },
    expected: expected.changes,
  });
  return { ...times, filling };
}

/** What came of the facts, and what of the changes. */
export function bothAnswers(inserted: Answer, changed: Answer): Answer {
  const behind = Object.entries(changed).map(([name, value]) => [`${name} of changes`, value] as const);
  return { ...inserted, ...Object.fromEntries(behind) };
}

export interface Prepared {
  readonly inserts: readonly Given[];
  readonly changes: readonly { readonly type: Item["type"]; readonly id: number; readonly by: Given }[];
}

export function prepared({ inserts, changes }: OrderWork): Prepared {
  return { inserts: inserts.map(given), changes: changes.map((one) => ({ ...one, by: given(one.by) })) };
}

function given(item: Item): Given {
  const { type, ...fields } = item;
  return { item, type, fields };
}

/** Adds all facts, and fires. */
export function fill(engine: Engine, { inserts }: Prepared): void {
  for (const one of inserts) engine.add(one);
  engine.toRest();
}

/** Replaces facts, and fires after each of them. */
export function change(engine: Engine, { changes }: Prepared): void {
  for (const { type, id, by } of changes) {
    engine.remove(type, id);
    engine.add(by);
    engine.toRest();
  }
}
