/** Snapshots are not trusted: whatever was done to one, opening it gives a session or a coded error, never another exception. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, SessionError, type Snapshot } from "../../src/index.ts";
import { withChecksum } from "../../src/session/snapshot-format.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { asVersion1, throughJson } from "../support/snapshots.ts";

const PROGRAM = compile(`
  type A(#id: number, x: number?, more: any?, tags: string[] = [])
  type B(n: number, of: A?)
  action log(what: any)
  xuple-space jobs { selection: fifo consumption: per-agent }
  rule make { when a: A(x > 1) then insert logical B(n: a.x, of: a) }
  rule late group "late" { when b: B then log(b.n) }
  rule put { when a: A(x == 3) then xuple("jobs", B(n: 3)) focus("late") }
  gate "open" for a: A { require a.x > 2 }
  flow "way" for a: A { stage first { decide open(a) on pass goto last } stage last final }`);

function taken(): Snapshot {
  const session = PROGRAM.session({ now: () => 0 });
  for (let id = 1; id <= 4; id++) session.assert("A", { id, x: id, more: { deep: [1, { a: "x" }] } });
  session.run();
  session.assert("A", { id: 9, x: 5 });
  session.takeXuple("jobs", "me");
  return throughJson(session.snapshot());
}

const SNAPSHOT = taken();

/** Everything that a path can lead to, as a list of paths. */
function pathsIn(data: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof data !== "object" || data === null) return [path];
  return [path, ...Object.entries(data).flatMap(([name, value]) => pathsIn(value, [...path, name]))];
}

const PATHS = pathsIn(SNAPSHOT);

type Damage = (parent: Record<string, unknown>, name: string) => void;

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc
    .oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(
        null,
        -1,
        1.5,
        1e300,
        "",
        "__proto__",
        "A~1",
        "B~@99",
        [],
        {},
        { length: 3 },
        [null],
        true,
      ),
    )
    .map(
      (value): Damage =>
        (parent, name) =>
          void (parent[name] = value),
    ),
  fc.constant<Damage>((parent, name) => {
    delete parent[name];
  }),
  fc.constant<Damage>((parent, name) => {
    if (Array.isArray(parent)) parent.push(parent[Number(name)]);
    else parent[`${name}2`] = parent[name];
  }),
  fc.constant<Damage>((parent, name) => {
    const value = parent[name];
    parent[name] = typeof value === "number" ? value + 1 : typeof value === "string" ? `${value}x` : [value];
  }),
);

function damaged(snapshot: Snapshot, damages: readonly (readonly [number, Damage])[]): unknown {
  const root: Record<string, unknown> = { it: throughJson(snapshot) };
  for (const [at, change] of damages) {
    const path = ["it", ...(PATHS[at % PATHS.length] ?? [])];
    let parent: unknown = root;
    for (const name of path.slice(0, -1)) {
      if (typeof parent !== "object" || parent === null) break;
      parent = (parent as Record<string, unknown>)[name];
    }
    if (typeof parent === "object" && parent !== null) change(parent as Record<string, unknown>, path.at(-1) ?? "it");
  }
  return root["it"];
}

const SHAPES: Readonly<Record<string, (snapshot: Snapshot) => Snapshot>> = {
  "of version 2": (snapshot) => snapshot,
  "of version 1": asVersion1,
};

test.each(Object.entries(SHAPES))(
  "a snapshot %s with any damage opens or is refused with a code",
  (name, shape) => {
    let opened = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 9_999 }), damage), { minLength: 1, maxLength: 3 }), (damages) => {
        const from = damaged(shape(SNAPSHOT), damages) as Snapshot;
        if (from === undefined) return;
        try {
          const session = PROGRAM.session({ now: () => 0, from });
          opened += 1;
          expect(JSON.stringify(from), name).not.toBe("");
          session.assert("B", { n: 1 });
          session.run({ limit: 200 });
          PROGRAM.session({ now: () => 0, from: throughJson(session.snapshot()) });
        } catch (error) {
          if (!(error instanceof SessionError)) throw error;
          refused += 1;
        }
      }),
      { numRuns: runs(4_000) },
    );
    expect(refused).toBeGreaterThan(0);
    if (name === "of version 1") expect(opened).toBeGreaterThan(0);
  },
  PATIENT,
);

test(
  "a damaged snapshot with the right checksum opens or is refused with a code",
  () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 9_999 }), damage), { minLength: 1, maxLength: 2 }), (damages) => {
        const from = damaged(SNAPSHOT, damages);
        try {
          PROGRAM.session({ now: () => 0, from: summed(from) }).run({ limit: 200 });
        } catch (error) {
          if (!(error instanceof SessionError)) throw error;
        }
      }),
      { numRuns: runs(2_000) },
    );
  },
  PATIENT,
);

/** The data with a checksum that fits, where it has the parts of a snapshot. */
function summed(data: unknown): Snapshot {
  try {
    return withChecksum(data as Snapshot);
  } catch {
    return data as Snapshot;
  }
}

test("one changed value anywhere in a snapshot changes its checksum", () => {
  for (const [at, path] of PATHS.entries()) {
    if (path.length === 0 || path[0] === "checksum") continue;
    const from = damaged(SNAPSHOT, [
      [at, (parent, name) => void (parent[name] = parent[name] === 7 ? 8 : 7)],
    ]) as Snapshot;
    expect(() => PROGRAM.session({ now: () => 0, from }), path.join(".")).toThrow(SessionError);
  }
});

test("the order of names in a snapshot does not matter", () => {
  const turned = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(turned);
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(
      Object.entries(data)
        .toReversed()
        .map(([name, value]) => [name, turned(value)]),
    );
  };
  const session = PROGRAM.session({ now: () => 0, from: turned(SNAPSHOT) as Snapshot });
  expect(session.facts()).toEqual(PROGRAM.session({ now: () => 0, from: SNAPSHOT }).facts());
});
