/** Tests how `sluice graph` and `sluice why` show the order in which patterns are joined, and that formatting keeps `option order`. */
import { expect, test } from "vitest";
import { runCli, runCliAsync } from "../support/io.ts";

const RULES = `type A(k: number)
type B(k: number, j: number)
type C(j: number, tag: string)
A(1)
B(1, 2)
C(2, "t")
rule "row" { when a: A b: B(k == a.k) c: C(j == b.j, tag == "t") then log("row") }
rule "pair" { when a: A b: B(k == a.k) then log("pair") }
`;
const WHY = "c is compared with a constant";

test("graph as text says it at the end of the rule", async () => {
  const { out } = await runCliAsync(["graph", "rules.tsd", "--format", "text"], { "rules.tsd": RULES });
  const lines = out.split("\n");
  const row = lines.findIndex((line) => line.includes('rule "row"'));
  const said = lines.slice(row + 1, row + 3).map((line) => line.replaceAll(/[│├└─]/gu, "").trim());
  expect(said.join(" ")).toContain(`joined in the order c, b, a because ${WHY}`);
  expect(out.split("joined in the order")).toHaveLength(2);
});

test("graph as json has it with the rule", async () => {
  const { out } = await runCliAsync(["graph", "rules.tsd", "--format", "json"], { "rules.tsd": RULES });
  const { nodes } = JSON.parse(out) as { nodes: { id: string; joined?: unknown }[] };
  const joined = nodes.flatMap((node) => (node.joined === undefined ? [] : [[node.id, node.joined]]));
  expect(joined).toEqual([["rule row", { order: ["c", "b", "a"], because: WHY }]]);
});

test("why says it below the explanation, which is the same as in the written order", () => {
  const why = (source: string, ...args: string[]): string =>
    runCli(["why", "rules.tsd", "row", ...args], { "rules.tsd": source }).out;
  const written = `option order written\n${RULES}`;
  const line = `It is joined in the order c, b, a because ${WHY}.\n`;
  expect(why(RULES)).toBe(`${why(written)}\n${line}`);
  expect(why(RULES, "--format", "html")).toContain(line.trim());
  expect(why(written, "--format", "html")).not.toContain("joined");
  const { joined, ...said } = JSON.parse(why(RULES, "--json")) as Record<string, unknown>;
  expect(joined).toEqual({ order: ["c", "b", "a"], because: WHY });
  expect(said).toEqual(JSON.parse(why(written, "--json")));
});

test("why says nothing of rules that are joined as written, and of facts", () => {
  const out = (name: string): string => runCli(["why", "rules.tsd", name], { "rules.tsd": RULES }).out;
  expect(out("pair")).not.toContain("joined");
  expect(out("A~@1")).not.toContain("joined");
});

test("fmt writes the option as any other", () => {
  const { out } = runCli(["fmt", "-"], { "-": 'option   order   "written"\ntype A(k: number)\n' });
  expect(out).toContain('option order "written"\n');
});
