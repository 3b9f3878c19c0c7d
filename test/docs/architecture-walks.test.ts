/**
 * docs/architecture.md is true to the code: its table of rooms is the one that test/house/architecture.test.ts enforces, and its
 * two walks are followed in a running program. Each step names a file and a function: the function must be called while the
 * example of the page runs, and the first calls must come in the order of the steps.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { followed, type Place } from "../support/walk.ts";

const text = readFileSync("docs/architecture.md", "utf8");

function section(title: string): string {
  const [, found = ""] = new RegExp(`^## ${title}$([^]*?)^## `, "mu").exec(text) ?? [];
  return found;
}

function stepsOf(title: string): Place[] {
  const steps = [...section(title).matchAll(/^\d+\. `([\w/-]+\.ts)` `(#?[\w.]+)` \S/gmu)];
  return steps.map(([, file = "", name = ""]) => ({ file, name }));
}

/** The block of the page, and the calls below it. */
const SOURCE = /```tsd\n([^]*?)```/u.exec(section("The walk of one rule"))?.[1] ?? "";

function open(program: Program): RuleSession {
  return program.session();
}

function useOrder(session: RuleSession): void {
  session.assert("Order", { num: "o1", buyer: "p1", total: 2500 });
  expect(session.run().effects.map(({ args }) => args)).toEqual([["o1"]]);
}

/** What was loaded and made ready by an earlier run is not part of a walk. */
function beforehand(): RuleSession {
  const session = open(compile(SOURCE));
  session.assert("Person", { id: "p1", age: 30 });
  return session;
}

describe.each([
  ["The walk of one rule", 25, () => void open(compile(SOURCE))],
  ["The walk of one fact", 20, undefined],
] as const)("%s", (title, least, work) => {
  const steps = stepsOf(title);

  test("has its steps numbered from 1", () => {
    const numbers = [...section(title).matchAll(/^(\d+)\. /gmu)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(steps).toHaveLength(numbers.length);
    expect(steps.length).toBeGreaterThan(least);
  });

  test("is the way that the code takes", () => {
    useOrder(beforehand());
    const session = beforehand();
    const reached = followed(steps, work ?? (() => useOrder(session)));
    expect(reached.map((index) => steps[index])).toEqual(steps);
  });
});

test("the example of the second walk is the one that is run", () => {
  expect(section("The walk of one fact")).toContain(
    'session.assert("Order", { num: "o1", buyer: "p1", total: 2500 });\nsession.run();',
  );
});

describe("the table of rooms", () => {
  const rooms = [...section("Rooms").matchAll(/^\| `(\w+)` +\|.*\| (.+?) +\|$/gmu)];
  const enforced = enforcedRooms();

  test("has every room that the architecture test knows", () => {
    expect(new Set(rooms.map(([, room]) => room))).toEqual(
      new Set([...enforced.keys()].filter((room) => room !== "index")),
    );
  });

  test.each(rooms.filter(([, room]) => room !== "engine").map(([, room = "", may = ""]) => [room, may] as const))(
    "says what %s may import",
    (room, may) => {
      const named = [...may.matchAll(/`([\w/]+)`/gu)].map(([, one]) => one);
      expect(new Set(named)).toEqual(new Set(enforced.get(room)));
    },
  );
});

/** The table of the architecture test, read from its text: each room and the strings behind it. */
function enforcedRooms(): Map<string, readonly string[]> {
  const source = readFileSync("test/house/architecture.test.ts", "utf8");
  const [, table = ""] = /MAY_IMPORT[^=]*= \{([^]*?)^\};/mu.exec(source) ?? [];
  return new Map(
    table
      .split(/^ {2}(?=\w+: )/mu)
      .slice(1)
      .map((row) => {
        const strings = [...row.matchAll(/"([^"]+)"/gu)].map(([, one = ""]) => one);
        return [row.slice(0, row.indexOf(":")), strings];
      }),
  );
}
