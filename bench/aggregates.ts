/**
 * Aggregates over facts that change.
 *
 *   npm run bench -- aggregates
 *
 * W6: payments come one by one, and 50 rules count them or add them up by account, from ten least amounts on. W14: 1,000 changes in one
 * group, of which the least and the greatest value are known; the size is that of the group. CLIPS has no aggregates.
 */
import { type ExtremesWork, extremesWork } from "./data/extremes-work.ts";
import { type FraudWork, fraudWork } from "./data/fraud-work.ts";
import { Extremes } from "./hand/extremes.ts";
import { Fraud } from "./hand/fraud.ts";
import { programOf, runToRest } from "./lib/open.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";
import { fraudRules } from "./sluice/fraud-rules.ts";

const CHANGES = 1000;

const fraud: Task<FraudWork> = {
  work: "W6",
  sizes: [12_500, 25_000, 50_000, 100_000],
  given: fraudWork,
  program: () => programOf(fraudRules()),
  onSluice: (session, { accounts, payments }) => {
    for (let id = 0; id < accounts; id++) session.assert("Account", { id });
    runToRest(session);
    return {
      work: () => {
        for (const payment of payments) {
          session.assert("Payment", payment);
          runToRest(session);
        }
      },
    };
  },
  byHand: ({ accounts, payments }, fire) => ({
    work: () => {
      const all = new Fraud(accounts, fire);
      for (const payment of payments) all.add(payment);
    },
  }),
};

const EXTREMES_RULES = `type Group(#id: number)
type Item(#id: number, group: number, value: number)
action fire(rule: number, id: number)
rule least { when g: Group n: min(i.value) from i: Item(i.group == g.id) then fire(0, n) }
rule greatest { when g: Group n: max(i.value) from i: Item(i.group == g.id) then fire(1, n) }
`;

const extremes: Task<ExtremesWork> = {
  work: "W14",
  sizes: [4000, 8000, 16_000, 32_000],
  given: (size) => extremesWork(size, CHANGES),
  program: () => programOf(EXTREMES_RULES),
  onSluice: (session, { values, changes }) => {
    session.assert("Group", { id: 0 });
    for (const [id, value] of values.entries()) session.assert("Item", { id, group: 0, value });
    runToRest(session);
    return {
      work: () => {
        for (const { id, value } of changes) {
          session.update(`Item~${id}`, { value });
          runToRest(session);
        }
      },
    };
  },
  byHand: ({ values, changes }, fire) => {
    const all = new Extremes(values, fire);
    return {
      work: () => {
        for (const { id, value } of changes) all.change(id, value);
      },
    };
  },
};

export const tasks = { fraud, extremes };

export const benchmark = benchmarkOf(
  "counts, sums, least and greatest values (size: payments in W6, facts of the group in W14)",
  [...casesOf(fraud), ...casesOf(extremes)],
);
