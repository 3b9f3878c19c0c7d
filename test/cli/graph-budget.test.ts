/** Tests the limits of a drawn network: boxes and arrows above the limit are drawn as one, and a note says so. */
import { describe, expect, test } from "vitest";
import { graphModel } from "../../src/cli/graph/build.ts";
import { collapsed, sizeOf } from "../../src/cli/graph/collapse.ts";
import { layOut } from "../../src/cli/graph/layout.ts";
import type { GraphModel } from "../../src/cli/graph/model.ts";
import { compile, type Plan } from "../../src/index.ts";
import { deepGate, longPipeline, manyRules, manyTypes, orGroups, wideGate } from "../attacks/programs.ts";
import { runCliAsync } from "../support/io.ts";

function modelOf(source: string): GraphModel {
  return graphModel(compile(source).network(), undefined, undefined);
}

describe.each<[string, () => string]>([
  ["or groups", () => orGroups(8)],
  ["many rules", () => manyRules(60)],
  ["many types", () => manyTypes(60)],
  ["a wide gate", () => wideGate(60)],
  ["a deep gate", () => deepGate(20)],
  ["a long pipeline", () => longPipeline(60)],
])("%s", (_, source) => {
  test.each([1, 10, 20, 50, 100, 300])("fit a budget of %i, as far as there is a box for each kind", (most) => {
    const whole = modelOf(source());
    const { model, notes } = collapsed(whole, most);
    const kinds = new Set(model.boxes.map(({ kind }) => kind));
    expect(sizeOf(model) <= most || model.boxes.length === kinds.size).toBe(true);
    expect(notes.length > 0).toBe(sizeOf(whole) > most);
    const ids = new Set(model.boxes.map(({ id }) => id));
    expect(ids.size).toBe(model.boxes.length);
    for (const { from, to } of model.arrows) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
  });

  test("nothing is lost without being counted, and every rule is still in some box", () => {
    const whole = modelOf(source());
    const { model } = collapsed(whole, 30);
    const held = model.boxes.reduce((sum, { alike = 1, inside = 0 }) => sum + Math.max(alike, 1) + inside, 0);
    expect(held).toBe(whole.boxes.length);
    const rules = (of: GraphModel): string[] => [...new Set(of.boxes.flatMap((box) => box.rules))].sort();
    expect(rules(model)).toEqual(rules(whole));
  });
});

test("a model that fits stays as it is", () => {
  const whole = modelOf(orGroups(2));
  expect(collapsed(whole, 600)).toEqual({ model: whole, notes: [] });
});

test("alternatives with the same words are one box that says how many", async () => {
  const { model } = collapsed(modelOf(orGroups(8)), 100);
  expect(model.boxes.filter(({ kind }) => kind === "join").map(({ alike }) => alike)).toEqual([
    4, 8, 16, 32, 64, 128, 256,
  ]);
  const { boxes } = await layOut(model);
  expect(boxes.flatMap(({ small }) => small.map(({ words }) => words))).toContain("join · 256 alike");
});

test("the layouts of a rule are not read again for every node of its alternatives", () => {
  const readsOf = (groups: number): number => {
    const plan = compile(orGroups(groups)).network();
    let reads = 0;
    const rules = plan.rules.map(
      (rule) =>
        new Proxy(rule, {
          get: (of, key) => {
            if (key === "layouts") reads += 1;
            return Reflect.get(of, key) as unknown;
          },
        }),
    );
    graphModel({ ...plan, rules } satisfies Plan, undefined, undefined);
    return reads;
  };
  expect(readsOf(6)).toBe(readsOf(3));
});

test("the command says what was drawn together, and --most draws more", async () => {
  const files = { "a.tsd": orGroups(7) };
  const small = await runCliAsync(["graph", "a.tsd", "--format", "json", "--most", "60"], files);
  expect(small.err).toContain("boxes are merged into boxes with the same text");
  expect((JSON.parse(small.out) as { collapsed: unknown[] }).collapsed).toHaveLength(1);
  const all = await runCliAsync(["graph", "a.tsd", "--format", "json"], files);
  expect(all.err).toBe("");
  expect((JSON.parse(all.out) as { nodes: unknown[] }).nodes.length).toBeGreaterThan(200);
  expect((await runCliAsync(["graph", "a.tsd", "--most", "0"], files)).exit).toBe(2);
});
