/**
 * Sharing that is shown is the sharing that happens: `sluice hash`, `sluice graph --format text` and `sluice run --log-network`
 * agree with the network. Names, sharing and gain are computed a second time here, from the plan alone.
 */
import xxhash from "xxhash-wasm";
import { expect, test, vi } from "vitest";
import { Assembly } from "../../src/assemble/assembly.ts";
import { compile, type Plan, planInputs, type PlanNode, type Program, testNodes } from "../../src/index.ts";
import type { AlphaNode } from "../../src/rete/alpha.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { sourceOf } from "../support/engine-program.ts";
import { History } from "../support/history.ts";
import { runCli, runCliAsync, type Ran } from "../support/io.ts";
import { ProgramWriter } from "../support/judged-programs.ts";
import { forAllCases } from "../support/minimise.ts";

const wasm = await xxhash();

// ---------------------------------------------------------------- the second computation

/** The string that a node is named by, written down apart from the code that is tested. */
function hashed(node: PlanNode, nodes: readonly PlanNode[]): string {
  if (node.kind === "alpha") {
    const before = node.input === undefined ? undefined : nodes[node.input];
    return before === undefined ? `${node.type}: ${node.text}` : `${hashed(before, nodes)} AND ${node.text}`;
  }
  const inputs = planInputs(node).map((id) => (id === undefined || id < 0 ? "root" : nodes[id]?.name));
  return `${node.kind} ${node.text} of ${inputs.join(", ")}`;
}

function digits(text: string): string {
  return wasm.h64(text).toString(16).padStart(16, "0");
}

/** Who reaches a node: rules from their terminals, and what judges from itself. */
function reaching({ nodes }: Plan): Map<string, Set<string>> {
  const reached = new Map(nodes.map(({ name }) => [name, new Set<string>()]));
  const walk = (node: PlanNode | undefined, who: string): void => {
    const found = node === undefined ? undefined : reached.get(node.name);
    if (node === undefined || found === undefined || found.has(who)) return;
    found.add(who);
    for (const id of planInputs(node)) if (id !== undefined) walk(nodes[id], who);
  };
  for (const node of nodes) {
    const who = ownerOf(node);
    if (who !== undefined) walk(node, who);
  }
  return reached;
}

function ownerOf(node: PlanNode): string | undefined {
  switch (node.kind) {
    case "terminal":
      return node.rule;
    case "gate":
      return `gate "${node.gate}"`;
    case "flow":
      return `flow "${node.flow}"`;
    case "guardian":
      return `guardian "${node.guardian}"`;
    case "pipeline":
      return `pipeline "${node.pipeline}"`;
    default:
      return undefined;
  }
}

interface Truth {
  /** By the name of a node, who reaches it, sorted. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
  readonly nodes: number;
  readonly without: number;
}

function truthOf(program: Program): Truth {
  const plan = program.network();
  expect(new Set(plan.nodes.map(({ name }) => name)).size, "no two nodes have one name").toBe(plan.nodes.length);
  for (const node of plan.nodes) expect(node.name.slice(-17)).toBe(`_${digits(hashed(node, plan.nodes))}`);
  const rules = new Map([...reaching(plan)].map(([name, found]) => [name, [...found].sort()]));
  return { rules, nodes: plan.nodes.length, without: program.plan(false).nodes.length };
}

// ---------------------------------------------------------------- what is shown

const WIDE = { columns: 100_000 };

/** What the trees say: the rules at each name, and the gain. */
function shownInTrees({ out }: Ran): Truth {
  const rules = new Map<string, readonly string[]>();
  let last = "";
  for (const line of out.split("\n")) {
    const [, name] = /[├└]─ .* {2}([a-z]+_[0-9a-f]{16})$/u.exec(line) ?? [];
    const [, shared] = /shared by [\d,]+(?: rules)?: (.*)$/u.exec(line) ?? [];
    if (name !== undefined) {
      expect(rules.has(name), `${name} is shown once`).toBe(false);
      rules.set((last = name), []);
    } else if (shared !== undefined) rules.set(last, shared.split(", ").sort());
  }
  return { rules, ...gainIn(out) };
}

function gainIn(text: string): Pick<Truth, "nodes" | "without"> {
  const [line = "", nodes = "", without = nodes] =
    /^([\d,]+) nodes?(?: instead of ([\d,]+): sharing saves .* %|: sharing saves none.*)$/mu.exec(text) ?? [];
  expect(line).not.toBe("");
  const number = (digit: string): number => Number(digit.replaceAll(",", ""));
  return { nodes: number(nodes), without: number(without) };
}

/** The same from the log as text. */
function shownInLog({ err }: Ran): Truth {
  const rules = new Map<string, string[]>();
  for (const line of err.split("\n")) {
    const [, title = "", how, name = "", after = ""] =
      /^(.*?) +(created|shared) {2,3}([a-z]+_[0-9a-f]{16}) {2,}(.*)$/u.exec(line) ?? [];
    if (how === undefined) continue;
    const rule = /^rule "([^"]*)"$/u.exec(title)?.[1] ?? title.replace(/^rule (?=gate|guardian)/u, "");
    const known = rules.get(name);
    expect(known === undefined, line).toBe(how === "created");
    const [first, ...others] = known ?? [];
    const quoted = first?.includes('"') ? first : `"${first}"`;
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    if (known !== undefined) expect(after.endsWith(`  (with ${quoted}${more})`), line).toBe(true);
    rules.set(name, [...(known ?? []), rule]);
  }
  return { rules: sorted(rules), ...gainIn(err) };
}

interface NetworkEvent {
  readonly event: string;
  readonly rule: string;
  readonly how: "created" | "shared";
  readonly with?: string;
  readonly rules: number;
  readonly node: string;
  readonly hash: string;
  readonly nodes: number;
  readonly without: number;
}

/** The same from the events. */
function shownInEvents({ out }: Ran): Truth {
  const events = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as NetworkEvent);
  const rules = new Map<string, string[]>();
  for (const event of events.filter((one) => one.event === "network")) {
    const before = rules.get(event.node) ?? [];
    expect(event.how).toBe(before.length === 0 ? "created" : "shared");
    expect(event.with).toBe(before[0]);
    expect(event.rules).toBe(before.length + 1);
    expect(event.node.slice(-16)).toBe(event.hash);
    rules.set(event.node, [...before, event.rule]);
  }
  const gain = events.find((one) => one.event === "sharing");
  return { rules: sorted(rules), nodes: gain?.nodes ?? -1, without: gain?.without ?? -1 };
}

function sorted(rules: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  return new Map([...rules].map(([name, all]) => [name, all.toSorted()]));
}

/** Where one rule has a node, the trees do not name it. */
function withoutSingles({ rules, ...gain }: Truth): Truth {
  return { rules: new Map([...rules].map(([name, all]) => [name, all.length > 1 ? all : []])), ...gain };
}

// ---------------------------------------------------------------- the live network

const applied = vi.spyOn(Assembly.prototype, "apply");

/** Counts the live nodes of a session: tests on facts, what makes matches, and the rules where they arrive. */
function liveNodes(program: Program, sharing: boolean): Record<"alpha" | "beta" | "rules", number> {
  applied.mockClear();
  program.session({ sharing, shortcuts: false, facts: "none" });
  const [assembly] = applied.mock.contexts as Assembly[];
  const [[blueprint] = []] = applied.mock.calls;
  for (const spec of blueprint?.specs ?? []) if (spec !== undefined) assembly?.nodes.node(spec); // a session makes them when they are first needed
  const { network } = assembly ?? {};
  const below = (node: AlphaNode): number => node.children.reduce((sum, child) => sum + 1 + below(child), 0);
  const alpha = [...(network?.alpha.types.values() ?? [])].reduce((sum, type) => sum + below(type), 0);
  return { alpha, beta: network?.beta.size ?? 0, rules: network?.rules.size ?? 0 };
}

/** The nodes of a plan in the same groups. */
function plannedNodes({ nodes, rules }: Plan): ReturnType<typeof liveNodes> {
  const beta = nodes.filter(({ kind }) => MAKING_MATCHES.has(kind)).length;
  return { alpha: nodes.filter(({ kind }) => kind === "alpha").length, beta, rules: rules.length };
}

const MAKING_MATCHES = new Set<PlanNode["kind"]>(["join", "lookup", "filter", "let", "items", "aggregate"]);

// ---------------------------------------------------------------- properties

async function agrees(source: string): Promise<void> {
  const program = compile(source);
  const files = { "rules.tsd": source };
  const truth = truthOf(program);
  const sharing = program.sharing();
  const kindOf = (id: number): PlanNode["kind"] => program.network().nodes[id]?.kind ?? "terminal";
  expect(new Map(sharing.network.map(({ name, rules }) => [name, rules.toSorted()]))).toEqual(truth.rules);
  for (const { hash, hashed: text, name } of sharing.network) {
    expect([hash, name.slice(-16)]).toEqual([digits(text), digits(text)]);
  }
  expect({ nodes: sharing.nodes, without: sharing.without }).toEqual({ nodes: truth.nodes, without: truth.without });
  expect(sharing.kinds.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(truth.nodes);
  expect(sharing.kinds.reduce((sum, { without }) => sum + without, 0)).toBe(truth.without);
  expect(shownInTrees(await runCliAsync(["graph", "rules.tsd", "--format", "text"], files, WIDE))).toEqual(
    withoutSingles(truth),
  );
  expect(shownInLog(runCli(["run", "rules.tsd", "--log-network"], files))).toEqual(truth);
  expect(shownInEvents(runCli(["run", "rules.tsd", "--log-network", "--json"], files))).toEqual(truth);
  const data = await runCliAsync(["graph", "rules.tsd", "--format", "json"], files);
  expect(JSON.parse(data.out)).toMatchObject({ sharing: { nodes: truth.nodes, without: truth.without } });
  // Without shortcuts every node of the plan is made; that plan has patterns as they are written.
  for (const shares of [true, false]) {
    expect(liveNodes(program, shares)).toEqual(plannedNodes(program.plan(shares, false)));
  }
  const counted = new Set(program.session({ facts: "none" }).nodeCounts().keys());
  const holding = sharing.network.filter(({ id }) => MAKING_MATCHES.has(kindOf(id)) || kindOf(id) === "alpha");
  expect(counted).toEqual(new Set(holding.map(({ id }) => id)));
}

/** Rules apart have as many nodes as the program without sharing, and those that two of them share have one name in both. */
function addsUp(source: string, rules: readonly string[]): void {
  const program = compile(source);
  const apart = rules.map((kept) =>
    program.extend(rules.flatMap((rule) => (rule === kept ? [] : [`remove rule ${JSON.stringify(rule)}`])).join("\n")),
  );
  const { without, network } = program.sharing();
  expect(apart.reduce((sum, one) => sum + one.sharing().without, 0)).toBe(without);
  const names = new Map<string, string[]>();
  for (const [index, one] of apart.entries()) {
    for (const { name } of one.sharing().network) names.set(name, [...(names.get(name) ?? []), rules[index] ?? ""]);
  }
  expect(new Map(network.map((node) => [node.name, [...node.rules]]))).toEqual(names);
}

/** A test that is hashed has the nodes that the planner gives a rule with it; those that a program has already say so. */
function hashesLikeRules(source: string): void {
  const program = compile(source);
  const { nodes } = program.network();
  for (const node of nodes) {
    if (node.kind !== "alpha") continue;
    const test = testOf(node, nodes);
    if (test === undefined) continue;
    const rules = [...new Set(node.rules)];
    const found = testNodes(program, test, { type: node.type }).nodes.at(-1);
    expect([found?.name, found?.rules], test).toEqual([node.name, rules]);
    if (node.id > 0) continue;
    const shown = (...more: string[]): string =>
      runCli(["hash", test, "--type", node.type, ...more, "rules.tsd"], { "rules.tsd": source }).out;
    expect(JSON.parse(shown("--json").trim().split("\n").at(-1) ?? "")).toMatchObject({
      name: node.name,
      hash: digits(hashed(node, nodes)),
      rules,
    });
    expect(shown().split(/\s/u)[0]).toBe(node.name);
    expect(shown()).toContain(`xxHash64 of  ${hashed(node, nodes)}\n`);
    expect(shown()).toContain(`shared with  ${rules.map((rule) => `"${rule}"`).join(", ")}\n`);
  }
}

/** The tests of a chain in the words of the language; undefined when there are others than comparisons with constants. */
function testOf(node: Extract<PlanNode, { kind: "alpha" }>, nodes: readonly PlanNode[]): string | undefined {
  const { test: own } = node;
  if (own.op !== "compare" || own.left.op !== "field" || own.right.op !== "const" || own.right.value === null) return;
  const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=" }[own.by];
  const text = `${JSON.stringify(own.right.value)} ${turned} some.${own.left.field}`;
  const before = node.input === undefined ? undefined : nodes[node.input];
  if (before?.kind !== "alpha") return text;
  const above = testOf(before, nodes);
  return above === undefined ? undefined : `${text} and ${above}`;
}

function rulesOf(one: Case): { readonly source: string; readonly names: readonly string[] } {
  const { rules } = new History(SMALL, one.rules);
  return { source: sourceOf(rules), names: [...rules.keys()] };
}

test(
  "names, sharing and gain of random rules are shown as they are",
  async () => {
    const sources: string[] = [];
    forAllCases(SMALL, runs(400), (one) => {
      const { source, names } = rulesOf(one);
      addsUp(source, names);
      hashesLikeRules(source);
      sources.push(source);
    });
    for (const source of sources) await agrees(source);
  },
  PATIENT,
);

test(
  "so are those of gates, guardians and pipelines",
  async () => {
    const options = { derives: true, searchesText: true, calls: false, asksMissing: true };
    for (let seed = 0; seed < runs(100); seed++) await agrees(new ProgramWriter(seed, options).program());
  },
  PATIENT,
);
