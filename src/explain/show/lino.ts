/**
 * Explanations in Links Notation, and back.
 *
 *     hello#1
 *       record_type "reasoning_step"
 *       unit_id "hello#1"
 *       …
 *       child "hello#1.1"
 *
 * One record for each step, parents first. A value is written in the quotes that it does not contain; one that contains all
 * three has its double quotes doubled. Backslash, line ends, tabs and everything that could control a terminal are
 * escaped, so that a value is always on one line.
 */
import { HIDDEN } from "../../base/printable.ts";
import type { Explanation, Outcome, StepDecision } from "../tell/step.ts";

const RECORD_TYPE = "reasoning_step";

/** Writes an explanation in Links Notation: one line for each step. */
export function toLinks(explanation: Explanation): string {
  return `${records(explanation).join("\n")}\n`;
}

function records(step: Explanation): string[] {
  return [record(step), ...step.children.flatMap(records)];
}

function record(step: Explanation): string {
  const entries: (readonly [string, string])[] = [
    ["record_type", RECORD_TYPE],
    ["unit_id", step.unit_id],
    ["depth", String(step.depth)],
    ["observation", step.observation],
    ["decision", step.decision],
    ["downward_rationale", step.downward_rationale],
    ["upward_rationale", step.upward_rationale],
    ...(step.method === undefined ? [] : [["method", step.method] as const]),
    ["outcome", step.outcome],
    ...step.children.map((child) => ["child", child.unit_id] as const),
  ];
  return [idLine(step.unit_id), ...entries.map(([key, value]) => `  ${key} ${quoted(value)}`)].join("\n");
}

/** Returns the line of an id, without quotes when it needs none. */
function idLine(id: string): string {
  return /^[^\s"'`()\\:]+$/u.test(id) && id.search(SPECIAL) < 0 ? id : quoted(id);
}

const QUOTES = ['"', "'", "`"] as const;

export function quoted(value: string): string {
  const escaped = value.replace(SPECIAL, escape);
  const quote = QUOTES.find((one) => !escaped.includes(one));
  return quote === undefined ? `"${escaped.replaceAll('"', '""')}"` : `${quote}${escaped}${quote}`;
}

const SPECIAL = new RegExp(`[\\\\\n\t]|${HIDDEN.source}`, "gu");

function escape(character: string): string {
  return ESCAPES.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\r", "\\r"],
  ["\n", "\\n"],
  ["\t", "\\t"],
]);

export function unquoted(text: string): string {
  const quote = text[0] ?? "";
  const inside = text.slice(1, -1);
  if (text.length < 2 || !QUOTES.some((one) => one === quote) || !text.endsWith(quote)) {
    throw new Error(`a value in quotes was expected: ${text}`);
  }
  const halved = inside.replaceAll(quote + quote, quote);
  return halved.replace(/\\(?:u\{([\da-f]{1,6})\}|(.))/gu, (_, code: string | undefined, character: string) =>
    code === undefined ? (UNESCAPES.get(character) ?? character) : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

const UNESCAPES: ReadonlyMap<string, string> = new Map([
  ["r", "\r"],
  ["n", "\n"],
  ["t", "\t"],
]);

/**
 * Reads an explanation from Links Notation, as {@link toLinks} wrote it.
 *
 * @throws Error with the line when the text is something else.
 */
export function fromLinks(text: string): Explanation {
  const found = recordsIn(text);
  const root = found.values().next().value;
  if (root === undefined) throw new Error("this string holds no record");
  return stepOf(root, found);
}

interface LinkRecord {
  readonly fields: ReadonlyMap<string, string>;
  readonly children: readonly string[];
}

function recordsIn(text: string): Map<string, LinkRecord> {
  const found = new Map<string, { fields: Map<string, string>; children: string[] }>();
  let current: { fields: Map<string, string>; children: string[] } | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const entry = /^ {2}(\w+) ([^]*)$/u.exec(line);
    if (entry === null) {
      current = { fields: new Map(), children: [] };
      found.set(/^["'`]/u.test(line) ? unquoted(line) : line, current);
      continue;
    }
    const [, key = "", value = ""] = entry;
    if (current === undefined) throw new Error(`a record begins with its id: ${line}`);
    if (key === "child") current.children.push(unquoted(value));
    else current.fields.set(key, unquoted(value));
  }
  return found;
}

function stepOf({ fields, children }: LinkRecord, all: ReadonlyMap<string, LinkRecord>): Explanation {
  const field = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined) throw new Error(`a record lacks its ${name}`);
    return value;
  };
  const method = fields.get("method");
  return {
    unit_id: field("unit_id"),
    depth: Number(field("depth")),
    observation: field("observation"),
    decision: field("decision") as StepDecision,
    downward_rationale: field("downward_rationale"),
    upward_rationale: field("upward_rationale"),
    ...(method === undefined ? {} : { method }),
    outcome: field("outcome") as Outcome,
    children: children.map((id) => {
      const child = all.get(id);
      if (child === undefined) throw new Error(`no record "${id}"`);
      return stepOf(child, all);
    }),
  };
}
