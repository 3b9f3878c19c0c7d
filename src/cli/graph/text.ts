/**
 * Prints the network as trees with box-drawing lines, and what sharing saves:
 *
 *     Person
 *     └─ .age > 18                                alpha_2955eb7d958f502c
 *        │ shared by 2 rules: adult, buyer
 *        └─ entry Person[]                        join_9735cf6462ac350e
 */
import type { NetworkNode, Sharing } from "../../index.ts";
import { filled, widthOf } from "../columns.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../report.ts";
import { type joinedRules, joinedText } from "../joined-text.ts";
import { gainLines } from "../sharing-text.ts";
import { oneLine } from "../visible.ts";
import { counted } from "./collapse.ts";
import type { Live } from "./model.ts";
import type { OtherInput, TreeNode, TypeTree } from "./tree.ts";
import { wrapped } from "./wrap.ts";

export interface TextOptions {
  readonly paint: Paint;
  /** The columns of the terminal. */
  readonly columns: number;
  readonly live: Live | undefined;
  /** The rules that the trees are limited to. */
  readonly only: ReadonlySet<string> | undefined;
  /** The orders of rules that are not joined as they are written. */
  readonly joined: ReturnType<typeof joinedRules>;
}

export function networkText(trees: readonly TypeTree[], sharing: Sharing, options: TextOptions): string {
  const page = new Page(trees, options);
  const summary = options.only === undefined ? gainLines(sharing, options.paint) : ruleLines(sharing, options.only);
  return `${[...page.lines(), ...summary].join("\n")}\n`;
}

/** The room for the longest names of nodes: `aggregate_` and 16 digits, after two blanks. */
const NAME_ROOM = 28;
/** The least room for what a node does, however deep it is. */
const LEAST_ROOM = 24;

class Page {
  readonly #trees: readonly TypeTree[];
  readonly #options: TextOptions;
  /** The column at which names begin. */
  readonly #names: number;
  readonly #lines: string[] = [];

  constructor(trees: readonly TypeTree[], options: TextOptions) {
    this.#trees = trees;
    this.#options = options;
    const longest = Math.max(0, ...trees.map(({ after }) => this.#longest(after, 1)));
    this.#names = Math.min(longest + 2, Math.max(LEAST_ROOM, options.columns - NAME_ROOM + 2));
  }

  lines(): string[] {
    for (const { type, after, hidden } of this.#trees) {
      const facts = type === undefined ? undefined : this.#options.live?.types.get(type);
      const title = type === undefined ? "without a first fact" : oneLine(type);
      this.#lines.push(`${this.#options.paint("bold", title)}${this.#count(facts ?? undefined, "fact")}`);
      this.#below(after, hidden, "");
      this.#lines.push("");
    }
    return this.#lines;
  }

  #below(after: readonly TreeNode[], hidden: number, before: string): void {
    for (const [index, tree] of after.entries()) this.#node(tree, before, index === after.length - 1 && hidden === 0);
    if (hidden > 0)
      this.#lines.push(this.#faint(`${before}└─ … ${counted(hidden)} more ${hidden === 1 ? "node" : "nodes"}`));
  }

  #node(tree: TreeNode, before: string, last: boolean): void {
    const { after, hidden } = tree;
    const inside = `${before}${last ? "   " : "│  "}`;
    const bar = after.length + hidden > 0 ? "│ " : "  ";
    this.#title(tree, before + (last ? "└─ " : "├─ "), inside + bar);
    for (const line of this.#details(tree, inside.length + 2)) this.#lines.push(`${this.#faint(inside + bar)}${line}`);
    this.#below(after, hidden, inside);
  }

  /** Prints what a node does with its name beside it; what is too long goes on below. */
  #title(tree: TreeNode, fork: string, below: string): void {
    const { node } = tree;
    const room = Math.max(LEAST_ROOM, this.#names - 2 - fork.length);
    const [first = "", ...more] = wrapped(saidOf(tree), room);
    const paint = (text: string): string => this.#color(node, text);
    const holds = this.#count(this.#options.live?.nodes.get(node.id), node.kind === "alpha" ? "fact" : "match");
    const name = `${this.#faint(node.name)}${holds}`;
    const left = filled(`${this.#faint(fork)}${paint(first)}`, this.#names);
    this.#lines.push(`${left}${widthOf(left) > this.#names ? "  " : ""}${name}`);
    for (const line of more) this.#lines.push(`${this.#faint(below)}${paint(line)}`);
  }

  /** Returns the width of the widest node with what is before it. */
  #longest(after: readonly TreeNode[], depth: number): number {
    const own = after.map((tree) => 3 * depth + widthOf(saidOf(tree)));
    return Math.max(0, ...own, ...after.map((tree) => this.#longest(tree.after, depth + 1)));
  }

  #details({ node, others, joinedBy }: TreeNode, indent: number): string[] {
    const room = Math.max(LEAST_ROOM, this.#options.columns - indent);
    const shared = node.rules.length > 1 ? wrapped(sharedBy(node.rules), room) : [];
    const joined = node.kind === "terminal" ? this.#options.joined.get(node.rules[0] ?? "") : undefined;
    return [
      ...(joined === undefined ? [] : wrapped(joinedText(joined), room).map((line) => this.#faint(line))),
      ...others.map((other) => this.#faint(otherLine(other, room))),
      ...(joinedBy.length === 0 ? [] : wrapped(joinedLine(joinedBy), room).map((line) => this.#faint(line))),
      ...shared.map((line) => this.#options.paint("yellow", line)),
    ];
  }

  #color({ kind, rules }: NetworkNode, text: string): string {
    if (ENDS.has(kind)) return this.#options.paint("green", text);
    return rules.length > 1 ? this.#options.paint("yellow", text) : text;
  }

  #count(count: number | undefined, what: "fact" | "match"): string {
    if (count === undefined) return "";
    return ` · ${counted(count)} ${count === 1 ? what : what === "fact" ? "facts" : "matches"}`;
  }

  #faint(text: string): string {
    return this.#options.paint("faint", text);
  }
}

/** The kinds whose text does not say what they are. */
const PREFIXED: ReadonlySet<NetworkNode["kind"]> = new Set([
  "entry",
  "join",
  "lookup",
  "filter",
  "let",
  "items",
  "timer",
  "last",
  "condition",
  "watch",
] as const);
const ENDS: ReadonlySet<NetworkNode["kind"]> = new Set(["terminal", "gate", "flow", "guardian", "pipeline"] as const);

/** Returns what a node does. */
function saidOf({ node, words }: TreeNode): string {
  return `${PREFIXED.has(node.kind) ? `${node.kind} ` : ""}${oneLine(words)}`;
}

/** Returns `joins alpha_…  Order[.total > 100]`: where else facts or matches come from. */
function otherLine({ how, node }: OtherInput, room: number): string {
  const said = `${how} ${node.name}`;
  const whole = `${said}  ${oneLine(node.text)}`;
  return widthOf(whole) <= room ? whole : said;
}

function joinedLine(joins: readonly NetworkNode[]): string {
  return `joined by ${listed(joins.map(({ name }) => name))}`;
}

/** Returns `shared by 3 rules: a, b, c`, or `shared by 3: a, b, gate "ok"` when one of them is no rule. */
function sharedBy(users: readonly string[]): string {
  const areRules = !users.some((one) => JUDGE.test(one));
  return `shared by ${counted(users.length)}${areRules ? " rules" : ""}: ${listed(users.map(oneLine))}`;
}

const JUDGE = /^(?:gate|guardian|pipeline|flow|condition|query) "/u;

/** The most names that are listed; the others are counted. */
const MOST_NAMES = 20;

function listed(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${left > 0 ? ` and ${counted(left)} more` : ""}`;
}

/** Returns how many nodes of the chosen rules other rules share. */
function ruleLines({ network }: Sharing, only: ReadonlySet<string>): string[] {
  const own = network.filter(({ rules }) => rules.some((rule) => only.has(rule)));
  const shared = own.filter(({ rules }) => rules.some((rule) => !only.has(rule))).length;
  return [`${plural(own.length, "node")}, ${counted(shared)} of them shared with other rules`];
}
