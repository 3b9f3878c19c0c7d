/**
 * Queries answered by nodes that stand give the rows, and the order, of queries that are assembled while they are answered. And
 * the deltas of a subscription, applied one after the other, give these rows after every change: with random programs,
 * histories, batches, reloads, and subscribers that throw, leave, or are slow.
 */
import { test } from "vitest";
import { compile, type Program, type QueryRow, type RowDelta, type RuleSession } from "../../src/index.ts";
import { mergedDelta, type LiveRow } from "../../src/engine/row-delta.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { Difference } from "../support/difference.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { InvalidProgram, sourceOf } from "../support/engine-program.ts";
import { History, type Step } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectEqual } from "../support/equal.ts";

const ARGUMENTS: readonly Readonly<Record<string, unknown>>[] = [{ given: 1 }, { given: 0 }, {}];

/** The rules as they are, and a query for the condition of each: where it compares with a number, with a parameter. */
function withQueries(rules: History["rules"]): { program: Program; queries: string[]; source: string } {
  const source = sourceOf(rules);
  const conditions = [...source.matchAll(/\bwhen\b([^]*?)\bthen\b/gu)].map(([, elements = ""]) => elements);
  const queries = conditions.map((elements, at) => {
    const asked = elements.replace(/(==|!=|<=|>=|<|>) [0-3]\b/u, "$1 given");
    return `query q${at}(given: number) { ${asked} }`;
  });
  try {
    const program = compile(`${source}\n${queries.join("\n")}`);
    return { program, queries: queries.map((_, at) => `q${at}`), source: queries.join("\n") };
  } catch {
    throw new InvalidProgram("a condition that is no query");
  }
}

function perform(session: RuleSession, step: Step): string | undefined {
  switch (step.is) {
    case "assert":
      return session.assert(step.type, step.fields).id;
    case "retract":
      return void session.retract(step.id);
    case "update":
      return void session.update(step.id, step.changes);
    default:
      return undefined;
  }
}

/** Follows a subscription by its deltas alone. */
class Table {
  readonly rows = new Map<string, { order: readonly number[]; row: unknown }>();

  readonly apply = ({ added, removed, changed }: RowDelta<unknown>): void => {
    for (const { key, row } of removed) {
      expectEqual(this.rows.get(key)?.row, row);
      this.rows.delete(key);
    }
    for (const { before, after } of changed) {
      expectEqual(this.rows.get(before.key)?.row, before.row);
      this.rows.set(after.key, after);
    }
    for (const one of added) {
      expectEqual(this.rows.has(one.key), false);
      this.rows.set(one.key, one);
    }
  };

  texts(): string[] {
    return [...this.rows.values()].map(({ row }) => JSON.stringify(row)).sort();
  }

  /** The rows in the order of their numbers, as far as these tell them apart. */
  ordered(): string[] {
    return [...this.rows.values()].sort((a, b) => compare(a.order, b.order)).map(({ row }) => JSON.stringify(row));
  }

  get hasTies(): boolean {
    const orders = [...this.rows.values()].map(({ order }) => JSON.stringify(order.slice(0, order.indexOf(-1))));
    return new Set(orders).size < orders.length;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  if (at < 0) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? -Infinity);
}

/** Follows a history in both sessions, some steps as batches. `checkAll` is called after every change, and at the end. */
function follow(one: Case, checkAll: (context: Context) => void, indexing = false): void {
  const history = new History(SMALL, one.rules);
  let { program, queries, source } = withQueries(history.rules);
  const indexed = program.session({ facts: "none" });
  const plain = program.session({ facts: "none", indexing });
  const told: string[] = [source];
  const context: Context = { indexed, plain, queries, turn: 0, isLast: false, story: () => told.join("\n") };
  for (const [index, operation] of History.operations(one).entries()) {
    const step = history.plan(operation);
    if (step === undefined || step.is === "refuse") continue;
    told.push(JSON.stringify(step));
    if (step.is === "run") {
      for (const session of [indexed, plain]) session.run({ limit: 1000 });
      continue;
    }
    const ids = [indexed, plain].map((session) =>
      index % 3 === 0 ? session.batch(() => perform(session, step)) : perform(session, step),
    );
    history.note(step, ...(ids[0] === undefined ? [] : [ids[0]]));
    if (step.is === "add" || step.is === "remove") {
      ({ program, queries, source } = withQueries(history.rules));
      told.push(source);
      context.queries = queries;
      indexed.reload(program);
      plain.reload(program);
    }
    context.turn += 1;
    checkAll(context);
  }
  context.isLast = true;
  checkAll(context);
}

interface Context {
  readonly indexed: RuleSession;
  readonly plain: RuleSession;
  queries: readonly string[];
  /** The number of changes so far. */
  turn: number;
  /** Whether the history has ended. */
  isLast: boolean;
  readonly story: () => string;
}

/** Whether arguments are asked with now: in turn, and all of them at the end, because a question that is assembled takes long. */
function isTurnOf(args: Readonly<Record<string, unknown>>, { turn, isLast }: Context): boolean {
  return isLast || ARGUMENTS.indexOf(args) === turn % ARGUMENTS.length;
}

const isSame = (a: LiveRow<unknown>, b: LiveRow<unknown>): boolean => JSON.stringify(a) === JSON.stringify(b);
const textsOf = (rows: readonly QueryRow[]): string[] => rows.map((row) => JSON.stringify(row));

function differ(what: string, found: unknown, expected: unknown, story: () => string): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Difference(`${what}\nfound ${JSON.stringify(found)}\nexpected ${JSON.stringify(expected)}\n${story()}`);
}

test(
  "queries answered through indexes are those answered without",
  () => {
    forAllCases(SMALL, runs(4000), (one) =>
      follow(one, (context) => {
        const { indexed, plain, queries, story } = context;
        for (const query of queries)
          for (const args of ARGUMENTS)
            if (isTurnOf(args, context))
              differ(query, textsOf(indexed.query(query, args)), textsOf(plain.query(query, args)), story);
      }),
    );
  },
  PATIENT,
);

/** A subscription with what it should give. */
interface Followed {
  /** What its deltas come to when they are merged before they are applied. */
  readonly merged: Table;
  readonly waiting: RowDelta<unknown>[];
  readonly query: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly table: Table;
  readonly subscription: { readonly closed: boolean; rows(): unknown[]; close(): void };
}

function subscribeAll({ indexed, queries }: Context): Followed[] {
  return queries.flatMap((query) =>
    ARGUMENTS.flatMap((args) => {
      indexed.subscribe({ query }, args, () => {
        throw new Error("a listener that fails");
      });
      let calls = 0;
      const leaving = indexed.subscribe({ query }, args, () => {
        calls += 1;
        if (calls > 3) leaving.close();
      });
      const table = new Table();
      const waiting: RowDelta<unknown>[] = [];
      const subscription = indexed.subscribe({ query }, args, (delta) => {
        table.apply(delta);
        waiting.push(delta);
      });
      return [{ query, args, table, merged: new Table(), waiting, subscription }];
    }),
  );
}

test(
  "deltas applied one after the other give the rows of the query after every change",
  () => {
    forAllCases(SMALL, runs(3000), (one) => {
      let followed: Followed[] = [];
      follow(one, (context) => {
        if (followed.length === 0) followed = subscribeAll(context);
        followed = followed.filter(({ subscription }) => !subscription.closed);
        const { turn, isLast } = context;
        for (const { query, args, table, merged, waiting, subscription } of followed) {
          if (!isTurnOf(args, context)) continue;
          const rows = textsOf(context.plain.query(query, args));
          differ(`deltas of ${query} ${JSON.stringify(args)}`, table.texts(), [...rows].sort(), context.story);
          differ(
            `rows of ${query}`,
            textsOf(subscription.rows() as QueryRow[]).sort(),
            [...rows].sort(),
            context.story,
          );
          if ((isLast || turn % 2 === 0) && waiting.length > 0) {
            merged.apply(waiting.splice(0).reduce((first, second) => mergedDelta(first, second, isSame)));
            differ(`merged deltas of ${query}`, merged.texts(), [...rows].sort(), context.story);
          }
          if (!table.hasTies) differ(`order of ${query}`, table.ordered(), rows, context.story);
        }
      });
    });
  },
  PATIENT,
);

test(
  "closing gives back what subscriptions took",
  () => {
    forAllCases(SMALL, runs(1500), (one) => {
      let open: { close(): void }[] = [];
      const step = ({ indexed, plain, queries, story }: Context): void => {
        if (open.length === 0) {
          open = queries.flatMap((query) => ARGUMENTS.map((args) => indexed.subscribe({ query }, args)));
          open.push(
            indexed.subscribe({ type: "B" }, { n: 1 }),
            indexed.subscribe({ type: "A" }, {}, () => undefined),
          );
          return;
        }
        for (const subscription of open) subscription.close();
        open = [];
        differ("counters", indexed.counters(), plain.counters(), story);
      };
      follow(one, step, true);
    });
  },
  PATIENT,
);
