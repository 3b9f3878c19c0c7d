/** The form of a decision pack, closed at every level: what is not described here is refused. */
import { STRATEGIES } from "../../base/strategy.ts";
import { readTime } from "../../base/time.ts";
import {
  anyValue,
  bool,
  count,
  hex,
  list,
  number,
  orNull,
  record,
  type Shape,
  string,
  table,
  word,
} from "./data-shape.ts";
import type { PartName } from "./pack.ts";

const strings = list(string);
const instant: Shape = (value, at) =>
  typeof value === "string" && "value" in readTime("instant", value) ? undefined : `${at}: an instant was expected`;
const hash = hex(64);

const program = record(
  {
    files: list(record({ file: string, text: string })),
    strategy: word(...STRATEGIES),
    limit: (value, at) =>
      Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : `${at}: an integer from 0 was expected`,
  },
  { params: table(anyValue), added: strings, paths: table(string) },
);

const facts = record(
  {
    facts: list(record({ id: string, type: string, fields: table(anyValue), order: count, tag: count })),
    counts: table(count),
    done: list(record({ rule: string, identity: string })),
    fired: count,
    groups: strings,
    decided: list(record({ pipeline: string, subject: string })),
  },
  { clock: instant },
);

const outcome = word("pass", "hold", "fail");
const missing = list(record({ text: string, needs: string }));

const GATE = {
  gate: string,
  subject: orNull(string),
  outcome,
  status: word("true", "unknown", "false"),
  missing,
};

const VERDICT = {
  guardian: string,
  subject: string,
  verdict: word("PASS", "RETRY", "FAIL"),
  reasons: strings,
  sentences: strings,
  required_actions: strings,
  would_fix: strings,
  risk_level: word("high", "med", "low"),
  attempt: number,
  flags: strings,
  warnings: strings,
};

const FLOW_ENDS = ["BLOCK", "ANSWER", "FORWARD", "ERROR"] as const;

const PIPELINE = {
  pipeline: string,
  subject: string,
  decision: word(...FLOW_ENDS),
  value: string,
  flags: strings,
  rules_executed: list(record({ rule: string, action: word("ALLOW", "NOTE", ...FLOW_ENDS), reason: string })),
};

const ASKED = { n: count, rule: string };

/** The shape of one answer of a gate or guardian, or of one decision of a pipeline. */
const decision: Shape = (value, at) => {
  const names = typeof value === "object" && value !== null ? value : {};
  if ("gate" in names) return gateDecision(value, at);
  return "guardian" in names ? verdictDecision(value, at) : pipelineDecision(value, at);
};

const gateDecision = record({ ...GATE, ...ASKED });
const verdictDecision = record({ ...VERDICT, ...ASKED });
const pipelineDecision = record(PIPELINE);

const results = record(
  {
    asked: orNull(record({ of: word("gate", "verdict", "decision"), name: string, subject: orNull(string) })),
    fired: list(record({ n: count, rule: string, bindings: table(orNull(anyValue)) }, { clock: instant })),
    effects: list(record({ n: count, action: string, args: list(orNull(anyValue)), rule: string })),
    gates: list(record(GATE)),
    verdicts: list(record(VERDICT)),
    decisions: list(decision),
    halted: bool,
  },
  { clock: instant },
);

const STEP = {
  unit_id: string,
  depth: count,
  observation: string,
  decision: word("decompose", "direct_method", "single_need", "depth_bound"),
  downward_rationale: string,
  upward_rationale: string,
  outcome: word("true", "false", "unknown"),
  children: (value: unknown, at: string): string | undefined => steps(value, at),
};

const steps: Shape = list(record(STEP, { method: string }));

/** The shape of a root, which also names its gate, verdict or decision. */
const root = record(STEP, {
  method: string,
  gate: string,
  guardian: string,
  pipeline: string,
  subject: orNull(string),
  says: string,
  value: string,
  missing,
  reasons: strings,
  sentences: strings,
  required_actions: strings,
  would_fix: strings,
  flags: strings,
  decided: (value, at) => (typeof value === "string" ? undefined : decidedLine(value, at)),
});

const decidedLine = record({ check: string, line: string });

/** The shapes of the parts, in the order in which they are checked. */
export const PART_SHAPES: Readonly<Record<PartName, Shape>> = { program, facts, results, reasoning: list(root) };

/** Returns the shape of a pack without its parts. */
export const packShape = (format: string): Shape =>
  record(
    {
      format: word(format),
      ...Object.fromEntries(Object.keys(PART_SHAPES).map((name) => [name, anything])),
      sha256: record(Object.fromEntries(Object.keys(PART_SHAPES).map((name) => [name, hash]))),
      root: hash,
    },
    { signature: record({ algorithm: word("Ed25519"), key: hash, value: hex(128) }) },
  );

const anything: Shape = () => undefined;
