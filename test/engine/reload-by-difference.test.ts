/** Reloads of programs that have a rule more or less: what sessions keep, what they fire, and what stays in memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { compile, type Program, type RuleSession } from "../../src/index.ts";

const TYPES = `type Stage(#id: string, name: string)
type Item(#id: number, group: number)
`;
/** Switches its control fact: sessions pair it late. */
const TAKES = `rule "takes" { when i: Item(group == 1) s: Stage(name == "on") then log(i.id) s.name = "off" }\n`;
/** Has the same join, which then has two users and is none with a control fact. */
const SHARES = `rule "shares" { when i: Item(group == 1) s: Stage(name == "on") then log(s.id) }`;

const ITEMS = 40; // pairs are made late from 4 on

function fill(session: RuleSession, from: number, to: number): void {
  for (let id = from; id < to; id++) session.assert("Item", { id, group: id % 2 });
}

/** Runs through several turns of the switch, and returns what fires in which order. */
function turns(session: RuleSession): string[] {
  const fired: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    fired.push(...firings(session));
    session.upsert("Stage", { id: "s", name: "on" });
  }
  return fired;
}

function firings(session: RuleSession): string[] {
  return session.run().fired.map(({ rule, bindings }) => `${rule} ${JSON.stringify(bindings)}`);
}

describe.each(["breadth", "depth"] as const)("a join with a control fact that stays, %s", (strategy) => {
  const alone = compile(`${TYPES}${TAKES}`);
  const both = alone.extend(SHARES);
  const changes = {
    "begins to be shared": [alone, both],
    "is shared no longer": [both, both.without("shares")],
  } as const;

  /** Without shortcuts there is no join with a control fact: all pairs are made at once. */
  const reloaded = (before: Program, after: Program, stage: "on" | "off", shortcuts: boolean): RuleSession => {
    const session = before.session({ strategy, shortcuts, actions: { log: () => undefined } });
    session.assert("Stage", { id: "s", name: stage });
    fill(session, 0, ITEMS);
    session.upsert("Stage", { id: "t", name: stage });
    session.reload(after);
    fill(session, ITEMS, ITEMS + 10);
    return session;
  };

  describe.each(Object.entries(changes))("and %s", (_, [before, after]) => {
    test.each(["on", "off"] as const)("fires as if all pairs were made at once, stage %s", (stage) => {
      const session = reloaded(before, after, stage, true);
      const other = reloaded(before, after, stage, false);
      expect(session.matches("takes")).toEqual(other.matches("takes"));
      const fired = turns(session);
      expect(fired).toEqual(turns(other));
      expect(fired.length).toBeGreaterThanOrEqual(3);
      expect(session.counters().matches).toBe(other.counters().matches);
    });
  });
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("rules that come and go for ever leave nothing of the programs before", () => {
  const rule = (name: string, n: number): string =>
    `rule ${name} { when i: Item(group == ${n}) s: Stage(name == "on") then log(i.id) }
     rule ${name}not { when i: Item(group == ${n}) not Stage(id == i.id) then log(i.id) }
     rule ${name}direct { when i: Item(group == ${-n}) then log(i.id) }\n`;
  const source = `type Stage(#id: number, name: string)\ntype Item(#id: number, group: number)\n`;
  const session = compile(source + Array.from({ length: 500 }, (_, n) => rule(`r${n}`, n)).join("")).session();
  fill(session, 0, 100);
  const turn = (n: number): void => {
    session.reload(session.program.extend(rule(`more${n}`, 1000 + n)));
    for (const kind of n === 0 ? [] : ["", "not", "direct"]) {
      session.reload(session.program.without(`more${n - 1}${kind}`));
    }
  };
  for (let n = 0; n < 40; n++) turn(n);
  const before = heap();
  for (let n = 40; n < 100; n++) turn(n);
  // The text of all rules that ever were stays, with the tree: about 10 kB for each turn. A blueprint is some hundred.
  expect((heap() - before) / 60).toBeLessThan(40_000);
});
