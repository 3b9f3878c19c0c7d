/** Tests `sluice graph --format text`: the trees at several widths, what sharing saves, and how a large network is cut. */
import { expect, test } from "vitest";
import { widthOf } from "../../src/cli/columns.ts";
import type { Io } from "../../src/cli/io.ts";
import { wrapped } from "../../src/cli/graph/wrap.ts";
import { gainSentence } from "../../src/cli/sharing-text.ts";
import { compile } from "../../src/index.ts";
import { type Ran, runCli, runCliAsync } from "../support/io.ts";

const RULES = `type Person(#id: string, age: number, status: string)
type Order(#num: string, buyer: Person, total: number)
type Refund(order: Order)
Person("a", 30, "VIP")
rule adult { when p: Person(age > 18) then log(p.id) }
rule buyer { when p: Person(age > 18) o: Order(buyer == p, total > 100) then log(o.num) }
rule kept { when p: Person(age > 18) o: Order(buyer == p, total > 100) not Refund(order == o) then log(o.num) }
`;

async function text(args: readonly string[] = [], source = RULES, more: Partial<Io> = {}): Promise<Ran> {
  const ran = await runCliAsync(["graph", "rules.tsd", "--format", "text", ...args], { "rules.tsd": source }, more);
  expect(ran.exit).toBe(0);
  return ran;
}

/** The lines with names replaced by their kinds. */
function lines({ out }: Ran): string[] {
  return out.split("\n").map((line) => line.replace(/_[0-9a-f]{16}/gu, "_"));
}

test("each node is shown once, below what it takes facts or matches from", async () => {
  expect(lines(await text())).toEqual([
    "Person",
    "└─ .age > 18                                alpha_",
    "   │ shared by 3 rules: adult, buyer, kept",
    "   └─ entry Person[]                        join_",
    "      │ shared by 3 rules: adult, buyer, kept",
    '      ├─ rule "adult"                       terminal_',
    "      └─ join Order[$2.buyer == $1#id]      join_",
    "         │ joins alpha_  Order[.total > 100]",
    "         │ shared by 2 rules: buyer, kept",
    '         ├─ rule "buyer"                    terminal_',
    "         ├─ join Refund[$3.order == $2#id]  join_",
    "         └─ not()                           not_",
    "            │ looks at join_  Refund[$3.order == $2#id]",
    '            └─ rule "kept"                  terminal_',
    "",
    "Order",
    "└─ .total > 100                             alpha_",
    "     joined by join_",
    "     shared by 2 rules: buyer, kept",
    "",
    "9 nodes instead of 15: sharing saves 40 %",
    "",
    "            nodes  without sharing  saved",
    "  alpha         2                5   60 %",
    "  entry         1                3   67 %",
    "  join          2                3   33 %",
    "  not           1                1    0 %",
    "  terminal      3                3    0 %",
    "",
    "Every node counts but the types, which all rules have in common. Without",
    "sharing, each rule has nodes of its own. An entry makes matches of the facts of",
    "a first pattern; $1, $2 … are the facts and values of a match, in order.",
    "",
  ]);
});

test("nothing is wider than the terminal, and nothing is left out", async () => {
  const long = `${RULES}rule "${"a long name ".repeat(9)}" { when p: Person(age > 18, status in ["${"words ".repeat(20)}", "日本語日本語日本語日本語日本語日本語"]) then halt }`;
  for (const columns of [80, 100, 160, 400]) {
    const { out } = await text([], long, { columns });
    for (const line of out.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    for (const { name } of compile(long).network().nodes) expect(out).toContain(name);
    const words = out.replaceAll(/[│├└─ ]|alpha_\w+/gu, "").replaceAll("\n", "");
    expect(words).toContain(`["${"words".repeat(20)}","日本語日本語日本語日本語日本語日本語"]`);
  }
});

test("a width that is too small still shows everything", async () => {
  const { out } = await text([], RULES, { columns: 1 });
  for (const { name } of compile(RULES).network().nodes) expect(out).toContain(name);
});

test("--rule shows the nodes of one rule, with all that share them", async () => {
  const shown = lines(await text(["--rule", "adult"]));
  expect(shown).toEqual([
    "Person",
    "└─ .age > 18           alpha_",
    "   │ shared by 3 rules: adult, buyer, kept",
    "   └─ entry Person[]   join_",
    "      │ shared by 3 rules: adult, buyer, kept",
    '      └─ rule "adult"  terminal_',
    "",
    "3 nodes, 2 of them shared with other rules",
    "",
  ]);
});

test("--most shows the nodes that most rules share, and counts the others", async () => {
  const { out, err } = await text(["--most", "3"]);
  expect(lines({ out } as Ran).slice(0, 9)).toEqual([
    "Person",
    "└─ .age > 18          alpha_",
    "   │ shared by 3 rules: adult, buyer, kept",
    "   └─ entry Person[]  join_",
    "      │ shared by 3 rules: adult, buyer, kept",
    "      └─ … 6 more nodes",
    "",
    "Order",
    "└─ .total > 100       alpha_",
  ]);
  expect(out).toContain("9 nodes instead of 15");
  expect(err).toBe(
    "the network has 9 nodes; the 3 that most rules share are shown.\n  Use --rule NAME to show one part, or --most N to show more.\n",
  );
});

test("--live says what each node holds", async () => {
  const { out } = await text(["--live"]);
  expect(out).toMatch(/^Person · 1 fact$/mu);
  expect(out).toMatch(/\.age > 18 +alpha_\w+ · 1 fact$/mu);
  expect(out).toMatch(/entry Person\[\] +join_\w+ · 1 match$/mu);
});

test("colours are for terminals, and not for files", async () => {
  expect((await text([], RULES, { outColor: true })).out).toContain("\u001b[33mshared by 3 rules");
  expect((await text([], RULES, { outColor: false })).out).not.toContain("\u001b");
  const { written } = await text(["-o", "network.txt"], RULES, { outColor: true });
  expect(written.get("network.txt")).toContain("shared by 3 rules: adult");
  expect(written.get("network.txt")).not.toContain("\u001b");
});

test("a rule that begins with no fact, and an empty program", async () => {
  const { out } = await text([], 'type A(#id: string) rule none { when not A(id == "x") then halt }');
  expect(out).toContain("without a first fact\n");
  expect((await text([], "type A(#id: string)")).out).toMatch(/^0 nodes/mu);
});

test("2,000 rules are shown within the budget", async () => {
  const rules = Array.from({ length: 2_000 }, (_, n) => `rule r${n} { when p: Person(age > ${n % 50}) then halt }`);
  const { out } = await text([], `type Person(#id: string, age: number)\n${rules.join("\n")}`);
  expect(out.split("\n").length).toBeLessThan(2000);
  expect(out).toContain("2,100 nodes instead of 6,000: sharing saves 65 %");
  expect(out).toContain("shared by 40 rules: r0, r50, r100");
});

test("the sentence never rounds to none or all", () => {
  expect(gainSentence({ nodes: 12, without: 31 })).toBe("12 nodes instead of 31: sharing saves 61 %");
  expect(gainSentence({ nodes: 999, without: 1000 })).toContain("sharing saves less than 1 %");
  expect(gainSentence({ nodes: 1, without: 1000 })).toContain("1 node instead of 1,000: sharing saves more than 99 %");
  expect(gainSentence({ nodes: 7, without: 7 })).toContain("7 nodes: sharing saves none");
});

test("a line is broken at a blank, or anywhere when there is none", () => {
  expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapped("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapped("日本語日本語", 4)).toEqual(["日本", "語日", "本語"]);
  expect(wrapped("", 4)).toEqual([""]);
});

test("run --log-network says who creates and who shares, apart from what the run prints", () => {
  const files = { "rules.tsd": RULES };
  const { out, err } = runCli(["run", "rules.tsd", "--log-network"], files);
  expect(out).toBe(runCli(["run", "rules.tsd"], files).out);
  expect(err.replaceAll(/_[0-9a-f]{16} +/gu, "_  ").split("\n")).toEqual([
    'rule "adult"  created  alpha_  Person[.age > 18]',
    'rule "adult"  created  join_  entry Person[]',
    'rule "adult"  created  terminal_  rule "adult"',
    'rule "buyer"  shared   alpha_  Person[.age > 18]  (with "adult")',
    'rule "buyer"  shared   join_  entry Person[]  (with "adult")',
    'rule "buyer"  created  alpha_  Order[.total > 100]',
    'rule "buyer"  created  join_  Order[$2.buyer == $1#id]',
    'rule "buyer"  created  terminal_  rule "buyer"',
    'rule "kept"   shared   alpha_  Person[.age > 18]  (with "adult" and 1 more)',
    'rule "kept"   shared   join_  entry Person[]  (with "adult" and 1 more)',
    'rule "kept"   shared   alpha_  Order[.total > 100]  (with "buyer")',
    'rule "kept"   shared   join_  Order[$2.buyer == $1#id]  (with "buyer")',
    'rule "kept"   created  join_  Refund[$3.order == $2#id]',
    'rule "kept"   created  not_  not()',
    'rule "kept"   created  terminal_  rule "kept"',
    "9 nodes instead of 15: sharing saves 40 %",
    "",
  ]);
});

const CONDITIONS = `type Release(#id: string, team: string)
type Reviewer(#id: string, team: string)
type Approval(release: string, by: string, ok: bool)
type Check(release: string, name: string, at: number, ok: bool)
condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.by == who)
condition checks(r: Release) : c.ok from every latest c: Check(c.release == r.id) by c.at per c.name
condition byDay(r: Release) : c.ok from every latest c: Check(c.release == r.id) by c.at per c.at
condition newest(r: Release) : c.ok from latest c: Check(c.release == r.id) by c.at
gate deploy for r: Release { require all(
    checks(r), byDay(r), newest(r),
    at least 1 of all v: Reviewer(v.team == r.team) : approved(r, v.id),
    at least 2 of a: Approval(a.release == r.id) : a.ok,
    not exists Approval(release == r.id, ok == false)) }
gate strict for r: Release { logic bochvar require at least 2 of a: Approval(a.release == r.id) : a.ok }
`;

test("a condition is shown with all that it reads, in the words of its author", () => {
  const { network } = compile(CONDITIONS).sharing();
  expect(network.filter(({ kind }) => kind === "condition").map(({ text: shown }) => shown)).toEqual([
    "$2.ok from every latest $2 by $2.at per $2.name",
    "$2.ok from every latest $2 by $2.at per $2.at",
    "$2.ok from latest $2 by $2.at",
    "$3.ok from $3",
    "at least 1 of all $2 : approved(r, v.id)",
    "at least 2 of $2 : $2.ok",
    "exists $2",
    "at least 2 of $2 : $2.ok logic bochvar",
  ]);
});

test("a gate that shares a node is not counted as a rule", async () => {
  const gate = 'gate "grown" for p: Person(age > 18) { require p.status == "VIP" }';
  const { out } = await text([], RULES + gate);
  expect(out).toContain('shared by 4: adult, buyer, kept, gate "grown"');
  expect(out).toContain("shared by 2 rules: buyer, kept");
});
