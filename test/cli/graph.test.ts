/** Tests `sluice graph`: nodes, shared nodes, gates, flows, guardians and pipelines in every format. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphModel } from "../../src/cli/graph/build.ts";
import { crossings } from "../../src/cli/graph/crossings.ts";
import { dot } from "../../src/cli/graph/dot.ts";
import { layOut } from "../../src/cli/graph/layout.ts";
import { mermaid } from "../../src/cli/graph/mermaid.ts";
import type { GraphModel } from "../../src/cli/graph/model.ts";
import type { Picture } from "../../src/cli/graph/picture.ts";
import { svg } from "../../src/cli/graph/svg.ts";
import { compile } from "../../src/index.ts";
import { runs } from "../support/cases.ts";
import { runCliAsync } from "../support/io.ts";

const RULES = `
type Person(#id: string, age: number, status: string)
type Order(#num: string, buyer: Person, total: number)
type Refund(order: Order)
Person("a", 30, "VIP")
Person("b", 12, "Regular")
Order("1", "a", 200)
rule adult { when p: Person(age > 18) then log(p.id) }
rule buyer salience 5 { when p: Person(age > 18) o: Order(buyer == p, total > 100) then log(o.num) }
rule kept { when p: Person(age > 18) o: Order(buyer == p, total > 100) not Refund(order == o) then log(o.num) }
rule spender { when p: Person spent: sum(o.total) from o: Order(o.buyer == p) where spent > 10 then log(spent) }
rule either { when (p: Person(age > 65) or p: Person(status == "VIP")) then log(p.id) }
`;

function modelOf(source: string): GraphModel {
  return graphModel(compile(source).network(), undefined, undefined);
}

/** Rules over a few types, with the same beginnings again and again. */
function manyRules(count: number): string {
  const tests = ["age > 18", 'tier == "gold"', "age > 65", 'tier != "gold", age > 18', 'age > 18 or tier == "gold"'];
  const rules = Array.from({ length: count }, (_, index) => {
    const customer = `c: Customer(${tests[index % tests.length]})`;
    const more = [
      "",
      `a: Account(owner == c, balance > ${index % 3})`,
      `a: Account(owner == c) not Alert(account == a, level >= ${index % 2})`,
      `a: Account(owner == c) total: sum(p.amount) from p: Payment(p.account == a) where total > ${index % 4}`,
    ][index % 4];
    return `rule "rule ${index}" { when ${customer} ${more} then log("x") }`;
  });
  return `type Customer(#id: string, tier: string, age: number)
    type Account(#id: string, owner: Customer, balance: number)
    type Payment(account: Account, amount: number)
    type Alert(account: Account, level: number)
    ${rules.join("\n")}`;
}

test("every type is one box, and a rule's first pattern has no join of its own", () => {
  const { boxes } = modelOf(RULES);
  const kinds = (kind: string): string[] => boxes.filter((box) => box.kind === kind).map((box) => box.text || box.name);
  expect(kinds("type")).toEqual(["Person", "Order", "Refund"]);
  expect(kinds("alpha")).toEqual([
    "Person(age > 18)",
    "Order(total > 100)",
    "Person(age > 65)",
    'Person(status == "VIP")',
  ]);
  expect(kinds("join")).toEqual(["o: Order(buyer == p)"]);
  expect(kinds("not")).toEqual(["not Refund(order == o)"]);
  expect(kinds("aggregate")).toEqual(["spent: sum(o.total) from o: Order(buyer == p)"]);
  expect(kinds("filter")).toEqual(["where spent > 10"]);
  expect(boxes.filter((box) => box.kind === "rule").map((box) => box.name)).toEqual([
    "adult",
    "buyer",
    "kept",
    "spender",
    "either",
  ]);
});

test("shared nodes say which rules share them", () => {
  const shared = modelOf(RULES).boxes.filter((box) => box.shared);
  expect(shared.map(({ text, rules }) => [text, rules])).toEqual([
    ["Person(age > 18)", ["adult", "buyer", "kept"]],
    ["Order(total > 100)", ["buyer", "kept"]],
    ["o: Order(buyer == p)", ["buyer", "kept"]],
  ]);
});

test("levels inside not, exists and aggregates are called by the names that are seen there", () => {
  const { boxes } = modelOf(`type P(#id: string, n: number) type Q(of: P, n: number) type S(n: number)
    rule r { when p: P total: sum(q.n * p.n) from q: Q(q.of == p) not (q: Q(of == p) S(n > q.n)) then log(total) }
    rule x : {p: P} / NOT(EXISTS(q: Q / q.n > p.n)) ==> log(p.n)`);
  expect(boxes.map((box) => box.text).filter((text) => text !== "")).toEqual([
    "total: sum(q.n * p.n) from q: Q(of == p)",
    "q: Q(of == p)",
    "S(n > q.n)",
    "not q: Q, S",
    "exists q: Q(n > p.n)",
    "where not (exists q: Q(n > p.n))",
  ]);
});

const GATED = `
type Draft(#id: string, tries: number, kind: string)
type Check(draft: string, by: string, ok: bool, at: number)
type Ban(draft: string)
condition good(d: Draft, who: string) : c.ok from every c: Check(c.draft == d.id, c.by == who)
condition fresh(d: Draft) : c.ok from latest c: Check(c.draft == d.id) by c.at
condition banned(d: Draft) : exists Ban(draft == d.id)
gate accept for d: Draft(d.kind == "text") {
    require fresh(d) and at least 1 of (good(d, "ann"), good(d, "bob")) and not banned(d) and d.tries < 5
    on pass then log("yes")
}
gate single for d: Draft { require fresh(d) }
flow review for d: Draft {
    stage write { always }
    stage check { decide accept(d) on pass goto done on hold goto write on fail goto drop otherwise goto drop }
    stage drop final
    stage done final
}
`;

test("a gate stands behind its operators and conditions, which are called what their author calls them", () => {
  const { boxes, arrows } = modelOf(GATED);
  const kinds = (kind: string): string[] => boxes.filter((box) => box.kind === kind).map((box) => box.text);
  expect(kinds("condition")).toEqual([
    "fresh(d): c.ok from latest c: Check(draft == d.id) by c.at",
    'good(d, "ann"): c.ok from every c: Check(draft == d.id)',
    'good(d, "bob"): c.ok from every c: Check(draft == d.id)',
    "banned(d): exists Ban(draft == d.id)",
    "d.tries < 5",
    "fresh(d): c.ok from latest c: Check(draft == d.id) by c.at",
  ]);
  expect(kinds("operator")).toEqual(["at least 1 of", "not"]);
  expect(kinds("gate")).toEqual(['gate "accept": all of', 'gate "single"']);
  expect(kinds("join")).toEqual([]);
  expect(kinds("lookup").concat(kinds("filter"))).toEqual([]);
  const text = new Map(boxes.map((box) => [box.id, box.text || box.name]));
  const into = (to: string): string[] =>
    arrows.filter((arrow) => text.get(arrow.to) === to).map((arrow) => `${arrow.carries} ${text.get(arrow.from)}`);
  expect(into('gate "accept": all of')).toEqual([
    "values fresh(d): c.ok from latest c: Check(draft == d.id) by c.at",
    "values at least 1 of",
    "values not",
    "values d.tries < 5",
  ]);
  expect(into("not")).toEqual(["values banned(d): exists Ban(draft == d.id)"]);
  expect(into("GateResult")).toEqual(['results gate "accept": all of', 'results gate "single"']);
  expect(into('gate "accept" on pass')).toEqual(['matches GateResult(outcome == "pass")']);
});

test("gates that look at results are drawn without the circle", () => {
  const { arrows } = modelOf(`${GATED} gate later for d: Draft { require exists GateResult(subject == d.id) }`);
  expect(arrows.some(({ carries }) => carries === "results")).toBe(false);
});

test("a gate shows what it leaves out, and where it cannot look", () => {
  const { boxes, arrows } = modelOf(`type R(#id: string, team: string?) type B(team: string, level: number?)
    gate "g" for r: R { require not exists b: B(b.team == r.team, b.level > 5) }`);
  const text = new Map(boxes.map((box) => [box.id, box.text]));
  expect([...text.values()]).toContain("B(not true: level <= 5)");
  const gaps = arrows.filter(({ from }) => text.get(from) === "where r.team cannot be told");
  expect(gaps.map(({ to }) => text.get(to))).toEqual(["exists b: B(b.team == r.team, b.level > 5)"]);
});

test("a flow is a machine: its stages, and when it moves", () => {
  const { boxes, arrows } = modelOf(GATED);
  const name = new Map(boxes.map((box) => [box.id, box.kind === "stage" ? box.name : box.text]));
  const moves = arrows
    .filter(({ carries }) => carries === "moves")
    .map(({ from, to, label }) => `${name.get(from)} -> ${name.get(to)}${label === undefined ? "" : ` on ${label}`}`);
  expect(moves).toEqual([
    'flow "review" -> write',
    "write -> check on always",
    "check -> done on pass",
    "check -> write on hold",
    "check -> drop on fail, otherwise",
  ]);
  expect(boxes.filter((box) => box.kind === "stage").map((box) => box.text)).toEqual([
    "",
    "decide accept",
    "final",
    "final",
  ]);
});

test("gates and flows are in every format, with the words on their arrows", async () => {
  const model = modelOf(GATED);
  expect(mermaid(model)).toMatch(/n\d+ -->\|"fail, otherwise"\| n\d+/u);
  expect(mermaid(model)).toMatch(/n\d+ -\.-> n\d+/u);
  expect(dot(model)).toContain('[label="fail, otherwise"]');
  expect(dot(model)).toContain("[style=dotted]");
  const picture = await layOut(model);
  expect(overlaps(picture)).toEqual([]);
  expect(crossings(picture.arrows)).toBeLessThanOrEqual(3 + picture.boxes.length * 0.12);
  const drawn = svg(picture, { title: "t", line: "l" });
  for (const words of [">fail, otherwise<", ">at least 1 of<", ">stage, decide accept<"])
    expect(drawn).toContain(words);
  const json = await runCliAsync(["graph", "a.tsd", "--format", "json"], { "a.tsd": GATED });
  const { edges } = JSON.parse(json.out) as { edges: { label?: string }[] };
  expect(edges.flatMap(({ label }) => label ?? [])).toContain("hold");
});

test("a move back leaves on the left and arrives on the right; one to the same stage stays where it is", async () => {
  const { boxes, arrows } = await layOut(modelOf(GATED));
  const at = new Map(boxes.map((box) => [box.box.id, box]));
  const back = arrows.find(({ label }) => label === "hold");
  const [from, to] = [at.get(back?.from ?? ""), at.get(back?.to ?? "")];
  if (back === undefined || from === undefined || to === undefined) return expect.unreachable("it moves back");
  expect(from.x).toBeGreaterThan(to.x);
  expect(back.points[0]?.x).toBeCloseTo(from.x - from.width / 2);
  expect(back.points.at(-1)?.x).toBeCloseTo(to.x + to.width / 2);
  const waits = GATED.replace("on hold goto write", "on hold goto check");
  expect((await layOut(modelOf(waits))).arrows.find(({ label }) => label === "hold")?.points.length).toBeGreaterThan(2);
});

test("a gate or flow can be drawn alone", async () => {
  const drawn = async (name: string): Promise<string> =>
    (await runCliAsync(["graph", "a.tsd", "--format", "dot", "--rule", name], { "a.tsd": GATED })).out;
  expect(await drawn("single")).toContain('gate \\"single\\"');
  expect(await drawn("single")).not.toContain("accept");
  expect(await drawn("review")).toContain("decide accept");
  expect(await drawn('gate "accept" on pass')).toContain("on pass");
  const wrong = await runCliAsync(["graph", "a.tsd", "--rule", "nope"], { "a.tsd": GATED });
  expect(wrong).toMatchObject({ exit: 2, err: expect.stringContaining('no rule "nope"') as string });
});

describe("a pipeline", () => {
  const PIPED = `type Request(#id: string, content: string?, topic: string, tokens: number = 0)
    type Kb(topic: string, text: string, public: bool = true)
    gate "budget" for q: Request { require q.tokens < 1000 }
    guardian "polite" for q: Request { check words never retry { forbid q.content == "!" as "rude" do SAFE_REFUSAL } }
    pipeline "request" for q: Request {
      before q.content is present else BLOCK "empty"
      step safety BLOCK "no" when q.content contains "bomb"
      step mood NOTE "stressed" unless guardian polite(q) passes
      step know ANSWER k.text when k: Kb(k.topic == q.topic, k.public)
      step budget BLOCK "over budget" unless gate budget(q) passes
      after q.tokens < 5000 else BLOCK "late"
      otherwise FORWARD "legacy"
    }`;

  test("is a machine: complete, and every step says what it does", () => {
    const program = compile(PIPED);
    const { boxes, arrows } = graphModel(program.network(), undefined, undefined);
    const states = boxes.filter(({ kind }) => kind === "state");
    expect(states.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'InputReceived: before q.content is present else BLOCK "empty"',
      'safety: BLOCK "no" when q.content contains "bomb"',
      'mood: NOTE "stressed" unless guardian polite passes',
      "know: ANSWER k.text when k: Kb(topic == q.topic, public)",
      'budget: BLOCK "over budget" unless gate budget passes',
      "Rejected: final",
      'DirectAnswer: final after q.tokens < 5000 else BLOCK "late"',
      'Forwarded: final after q.tokens < 5000 else BLOCK "late"',
    ]);
    const name = new Map(states.map((box) => [box.id, box.name]));
    const moves = arrows.filter(({ from }) => name.has(from));
    const shown = moves.map(({ from, to }) => ({ from: name.get(from), to: name.get(to) }));
    const [machine] = program.stateMachines();
    expect(states.map((box) => box.name)).toEqual(machine?.states);
    expect(shown).toEqual(machine?.edges);
    const taken = moves.filter(({ how }) => how === undefined);
    expect(taken.map(({ from, to, label }) => `${name.get(from)} -> ${name.get(to)}: ${label}`)).toEqual([
      "InputReceived -> safety: goes on",
      "InputReceived -> Rejected: before",
      "safety -> mood: goes on",
      "safety -> Rejected: BLOCK",
      "mood -> know: goes on",
      "know -> budget: goes on",
      "know -> DirectAnswer: ANSWER",
      "budget -> Rejected: BLOCK",
      "budget -> Forwarded: otherwise FORWARD",
    ]);
    const failing = moves.filter(({ how }) => how === "error");
    expect(failing.map(({ from, to }) => `${name.get(from)} -> ${name.get(to)}`)).toEqual([
      "mood -> Rejected",
      "know -> Rejected",
    ]);
  });

  test("without steps, or with a step that is called like an end, is still a machine", () => {
    const items = (steps: string): GraphModel =>
      modelOf(`type R(#id: string) pipeline "p" for r: R { ${steps} otherwise ERROR }`);
    const none = items("");
    expect(none.arrows.filter(({ label }) => label !== undefined).map(({ label }) => label)).toEqual([
      "otherwise ERROR",
    ]);
    const odd = items('step Rejected BLOCK "x" step InputReceived ANSWER "y"');
    expect(odd.boxes.filter(({ kind }) => kind === "state")).toHaveLength(6);
  });

  test("is asked for what it asks gates and guardians, and a guardian leads to its verdicts", () => {
    const { boxes, arrows } = modelOf(`${PIPED} rule told { when v: Verdict(verdict == "FAIL") then log(v.subject) }`);
    const text = new Map(boxes.map((box) => [box.id, box.text || box.name]));
    const results = arrows.filter(({ carries }) => carries === "results");
    expect(results.map(({ from, to }) => `${text.get(from)} -> ${text.get(to)}`)).toEqual([
      'gate "budget" -> GateResult',
      'guardian "polite": words -> Verdict',
      'gate "budget" -> pipeline "request"',
      'guardian "polite": words -> pipeline "request"',
    ]);
    const into = arrows.filter(({ to }) => text.get(to) === 'guardian "polite": words');
    expect(into.map(({ from, carries }) => `${text.get(from)} ${carries}`)).toEqual(["Request matches"]);
    const circle = modelOf(`${PIPED} guardian "again" for v: Verdict { check c never retry {
      forbid v.verdict == "FAIL" as "r" do SAFE_REFUSAL } }`);
    const verdict = circle.boxes.find(({ name }) => name === "Verdict");
    expect(circle.arrows.some(({ to }) => to === verdict?.id)).toBe(false);
  });

  test("stands below the network in a picture: nothing overlaps, and all is inside", async () => {
    const picture = await layOut(modelOf(PIPED));
    expect(overlaps(picture)).toEqual([]);
    expect(picture.headings.map(({ words }) => words)).toEqual(['pipeline "request"']);
    const states = picture.boxes.filter(({ box }) => box.kind === "state");
    const highest = Math.min(...states.map(({ y, height }) => y - height / 2));
    const others = picture.boxes.filter(({ box }) => box.kind !== "state");
    for (const { y, height } of others) expect(y + height / 2).toBeLessThan(highest);
    for (const { x, y, width, height } of picture.boxes) {
      expect(x - width / 2).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(picture.width);
      expect(y + height / 2).toBeLessThanOrEqual(picture.height);
    }
    const drawn = svg(picture, { title: "t", line: "l" });
    expect(illFormed(drawn)).toBeUndefined();
    for (const words of [">InputReceived<", ">safety<", ">Rejected<", ">DirectAnswer<", ">Forwarded<"])
      expect(drawn).toContain(words);
  });

  test("of many steps, some with long words, overlaps nothing either", async () => {
    const actions = ["BLOCK", "ANSWER", "NOTE", "FORWARD"];
    const steps = Array.from({ length: 40 }, (_, index) => {
      const terms = `["${"word ".repeat(index)}"]`;
      return `step s${index} ${actions[index % 4]} "${"because ".repeat(index % 7)}" when q.content contains any ${terms}`;
    });
    const long = PIPED.replace(/step safety[^]*?after/u, `${steps.join("\n")} after`);
    const picture = await layOut(modelOf(long));
    expect(picture.boxes.filter(({ box }) => box.kind === "state")).toHaveLength(44);
    expect(overlaps(picture)).toEqual([]);
  });

  test("is in every format, and can be drawn alone", async () => {
    const drawn = async (...args: string[]): Promise<string> =>
      (await runCliAsync(["graph", "a.tsd", ...args], { "a.tsd": PIPED })).out;
    const dotted = await drawn("--format", "dot");
    expect(dotted).toMatch(/n\d+ -> n\d+ \[label="otherwise FORWARD"\]/u);
    expect(dotted).toContain("constraint=false");
    const mermaids = await drawn("--format", "mermaid");
    expect(mermaids).toMatch(/n\d+ -->\|"goes on"\| n\d+/u);
    expect(mermaids).toMatch(/n\d+ -\.->\|"error"\| n\d+/u);
    const { nodes, edges } = JSON.parse(await drawn("--format", "json")) as {
      nodes: { kind: string; name: string }[];
      edges: { label?: string; how?: string }[];
    };
    expect(nodes.filter(({ kind }) => kind === "state").map(({ name }) => name)).toContain("Forwarded");
    expect(edges.filter(({ how }) => how === "never")).toHaveLength(6);
    const alone = await drawn("--format", "dot", "--rule", "request");
    expect(alone).toContain("InputReceived");
    expect(alone).not.toContain("GateResult");
    expect(await drawn("--rule", "polite")).toContain("<title>guardian &quot;polite&quot; · a.tsd</title>");
  });
});

describe("a picture", () => {
  test.each([3, 12, 50])("of %i rules has few crossings, and no box touches another or the edge", async (count) => {
    const picture = await layOut(modelOf(manyRules(count)));
    expect(crossings(picture.arrows)).toBeLessThanOrEqual(3 + picture.boxes.length * 0.12);
    expect(overlaps(picture)).toEqual([]);
    for (const { x, y, width, height } of picture.boxes) {
      expect(x - width / 2).toBeGreaterThanOrEqual(0);
      expect(y - height / 2).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(picture.width);
      expect(y + height / 2).toBeLessThanOrEqual(picture.height);
    }
  });

  test("that would be full of crossings says in words where the facts of joins come from", async () => {
    const small = await layOut(modelOf(manyRules(3)));
    const large = await layOut(modelOf(manyRules(50)));
    const words = (picture: Picture): string[] =>
      picture.boxes.flatMap(({ small: lines }) =>
        lines.filter(({ look }) => look === "facts").map((line) => line.words),
      );
    expect(words(small)).toEqual([]);
    expect(words(large)).toContain("from Account(balance > 1)");
  });

  test("is the same on every run", async () => {
    const [one, two] = [await layOut(modelOf(manyRules(12))), await layOut(modelOf(manyRules(12)))];
    expect(svg(one, { title: "a", line: "b" })).toBe(svg(two, { title: "a", line: "b" }));
  });
});

function overlaps({ boxes }: Picture): string[] {
  const found: string[] = [];
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const apart = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
      if (!apart) found.push(`${a.box.id} and ${b.box.id}`);
    }
  }
  return found;
}

describe("any text can stand in a picture", () => {
  const names = fc.string({
    unit: fc.constantFrom(..."ab<>&\"'\\#;`|[]{}()\n\r\u0000\u0007\u202e-->%%é漢😀".split(/(?:)/u)),
    maxLength: 40,
  });

  function model(name: string): GraphModel {
    const box = { kind: "alpha", name, text: name, rules: [name, `${name}2`], shared: true } as const;
    return {
      boxes: [
        { ...box, id: `a${name}` },
        { ...box, id: "b", kind: "rule" },
      ],
      arrows: [{ from: `a${name}`, to: "b", carries: "matches" }],
    };
  }

  test("as SVG it is well-formed XML", async () => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const text = svg(await layOut(model(name)), { title: name, line: name });
        expect(illFormed(text)).toBeUndefined();
      }),
      { seed: 8, numRuns: runs(500) },
    );
  });

  test("as DOT every text is one quoted string", () => {
    fc.assert(
      fc.property(names, (name) => {
        const rest = dot(model(name)).replace(/"(?:[^"\\\n]|\\[^\n])*"/gu, "S");
        expect(rest).toMatch(/^digraph network \{\n(?: {2}[\w =[\],.>-]+;\n)+\}\n$/u);
      }),
      { seed: 8, numRuns: runs(500) },
    );
  });

  test("as Mermaid every text is plain", () => {
    fc.assert(
      fc.property(names, (name) => {
        const labels = [...mermaid(model(name)).matchAll(/\["(.*)"\]:::/gu)].map((found) => found[1] ?? "");
        expect(labels).toHaveLength(2);
        for (const label of labels) {
          expect(label.replaceAll("<br/>", "").replace(/#\d+;/gu, "")).toMatch(/^[\p{L}\p{N} _.,:=+*/()-]*$/u);
        }
      }),
      { seed: 8, numRuns: runs(500) },
    );
  });
});

/** What is wrong with a text as XML: tags that do not match, characters that cannot stand there. */
function illFormed(text: string): string | undefined {
  const open: string[] = [];
  // oxlint-disable-next-line no-control-regex -- control characters cannot stand in XML
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/u.test(text)) return "control character";
  const rest = text.replace(
    /<(\/?)([\w]+)((?:\s[\w-]+="[^"<]*")*)\s*(\/?)>/gu,
    (_, closing: string, name: string, attributes: string, empty: string) => {
      if (closing === "/" && open.pop() !== name) open.push(`!${name}`);
      if (closing === "" && empty === "") open.push(name);
      return attributes;
    },
  );
  if (open.length > 0) return `not closed: ${open.join(", ")}`;
  return /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/u.exec(rest)?.[0];
}

describe("the command", () => {
  const files = { "a.tsd": RULES };

  test("draws a program without anything as a picture with a size", async () => {
    const ran = await runCliAsync(["graph", "a.tsd"], { "a.tsd": "// nothing yet\n" });
    const [, width = "", height = ""] = /<svg [^>]*width="([^"]*)" height="([^"]*)"/u.exec(ran.out) ?? [];
    expect(Number(width)).toBeGreaterThan(0);
    expect(Number(height)).toBeGreaterThan(0);
    expect(Number(height)).toBeLessThan(200);
  });

  test("draws SVG, and writes it to a file", async () => {
    const ran = await runCliAsync(["graph", "a.tsd"], files);
    expect(ran).toMatchObject({ exit: 0, err: "" });
    expect(illFormed(ran.out)).toBeUndefined();
    expect(ran.out).toContain("3 rules: adult, buyer, kept");
    const written = await runCliAsync(["graph", "a.tsd", "-o", "n.svg"], files);
    expect(written.out).toBe("");
    expect(written.written.get("n.svg")).toBe(ran.out);
  });

  test("gives the network as data, with names and canonical texts", async () => {
    const { out } = await runCliAsync(["graph", "a.tsd", "--format", "json"], files);
    const data = JSON.parse(out) as { nodes: { kind: string; name: string; canonical?: string }[]; shared: object };
    expect(data.shared).toEqual({ alpha: 2, join: 1 });
    const alpha = data.nodes.find((node) => node.kind === "alpha");
    expect(alpha?.canonical).toBe(".age > 18");
    expect(alpha?.name).toMatch(/^alpha_[0-9a-f]{16}$/u);
  });

  test("with --rule shows what that rule stands on and nothing else", async () => {
    const { out } = await runCliAsync(["graph", "a.tsd", "--format", "json", "--rule", "spender"], files);
    const { nodes } = JSON.parse(out) as { nodes: { kind: string; name: string }[] };
    expect(nodes.map(({ kind }) => kind).sort()).toEqual(["aggregate", "filter", "rule", "type", "type"]);
  });

  test("with --live counts facts, matches and firings after a run", async () => {
    const more = '{"Order": {"num": "2", "buyer": "b", "total": 5}}';
    const { out } = await runCliAsync(["graph", "a.tsd", "--format", "json", "--live", "--facts", "more.json"], {
      ...files,
      "more.json": more,
    });
    const { nodes } = JSON.parse(out) as { nodes: { text: string; name: string; count: number; fires?: number }[] };
    const counts = nodes.map(
      ({ text, name, count, fires }) => `${text || name} ${count}${fires === undefined ? "" : ` ${fires}`}`,
    );
    expect(counts).toEqual(
      expect.arrayContaining([
        "Person 2",
        "Order 2",
        "Person(age > 18) 1",
        "Order(total > 100) 1",
        "o: Order(buyer == p) 1",
        "not Refund(order == o) 1",
        "spent: sum(o.total) from o: Order(buyer == p) 2",
        "where spent > 10 1",
        "spender 1 1",
        "salience 5 1 1",
      ]),
    );
  });

  test.each([
    [["graph", "a.tsd", "--format", "png"], "--format must be svg, text, dot, mermaid or json"],
    [["graph", "a.tsd", "--rule", "nobody"], 'no rule "nobody": this program defines "adult", "buyer"'],
    [["graph", "a.tsd", "--facts", "x.json"], "--facts and --policy need --live"],
    [["graph"], "no files;"],
  ])("%j is wrong usage and says what was expected", async (args, words) => {
    const ran = await runCliAsync(args, files);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(words);
  });
});
