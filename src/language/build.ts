/**
 * Builds tree nodes from what the grammar matched: one short function per construct, named in `grammar/tsd.ne`.
 *
 * Each is called once, after the whole statement was accepted (see deferred.ts), with its children already built.
 */
import type { Span } from "../base/span.ts";
import type * as ast from "./ast.ts";
import type { Lexeme } from "./lexer.ts";

/** The children of a construct, in the order of the grammar: lexemes, nodes, lists of them, null. */
// oxlint-disable-next-line typescript/no-explicit-any -- the grammar file decides what stands where
type Parts = any[];

// ---------------------------------------------------------------- shapes

export const first = (d: Parts): unknown => d[0];
export const second = (d: Parts): unknown => d[1];
export const emptyList = (): unknown[] => [];
/** X begins a list. */
export const listOf = (d: Parts): unknown[] => [d[0]];
export const listOfSecond = (d: Parts): unknown[] => [d[1]];
/** list , X */
export const listAnd = (d: Parts): unknown[] => push(d[0], d[2]);
/** list X */
export const pushed = (d: Parts): unknown[] => push(d[0], d[1]);
/** list op X: operators and operands in turn. */
export const listAndOp = (d: Parts): unknown[] => {
  d[0].push(typeof d[1] === "string" ? d[1] : d[1].text);
  return push(d[0], d[2]);
};
/** One of several literals: its text in lower case. */
export const op = (d: Parts): string => d[0][0].text;
/** The same as a lexeme, where it may be the first or the last of a construct. */
export const word = (d: Parts): Lexeme => d[0][0];

function push(list: unknown[], item: unknown): unknown[] {
  list.push(item);
  return list;
}

/** The functions whose first child is the list they extend; deferred.ts runs along these without recursion. */
export const SPINES: ReadonlySet<unknown> = new Set([listAnd, pushed, listAndOp]);

/** A reading that is given up when a part of it is one of these words and nothing else. */
export interface Refusal {
  readonly part: number;
  readonly words: ReadonlySet<string>;
}

/** From the first to the last lexeme or node among the parts. */
function span(parts: Parts): Span {
  return { start: startOf(parts) ?? 0, end: endOf(parts) ?? 0 };
}

function startOf(part: unknown): number | undefined {
  if (Array.isArray(part)) {
    for (const inner of part) {
      const found = startOf(inner);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return bounds(part)?.start;
}

function endOf(part: unknown): number | undefined {
  if (Array.isArray(part)) {
    for (let index = part.length - 1; index >= 0; index--) {
      const found = endOf(part[index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return bounds(part)?.end;
}

function bounds(part: unknown): Span | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  if ("span" in part) return part.span as Span;
  return "start" in part ? (part as Lexeme) : undefined;
}

// ---------------------------------------------------------------- names

export const ident = (d: Parts): ast.Ident => ({ name: String(d[0].value), span: span(d) });
export const bareLabel = (d: Parts): ast.Label => ({ name: d[0].name, quoted: false, span: span(d) });
export const quotedLabel = (d: Parts): ast.Label => ({ name: d[0].value, quoted: true, span: span(d) });

// ---------------------------------------------------------------- type, action, fact

export const typeDecl = (d: Parts): ast.TypeDecl => ({ kind: "type", name: d[1], fields: d[3], span: span(d) });
export const angleTypeDecl = (d: Parts): ast.TypeDecl => ({
  kind: "type",
  name: d[1],
  fields: d[4],
  span: span(d),
  legacy: "angle-type",
});
export const field = (d: Parts): ast.FieldDecl => ({
  name: d[1],
  key: d[0] !== null,
  type: d[3],
  optional: d[4] !== null,
  default: d[5],
  span: span(d),
});
export const param = (d: Parts): ast.FieldDecl => field([null, ...d]);
export const namedTypeRef = (d: Parts): ast.NamedTypeRef => ({
  kind: "named",
  name: PRIMITIVES.get(d[0].value.toLowerCase()) ?? d[0].value,
  span: span(d),
});
export const listTypeRef = (d: Parts): ast.ListTypeRef => ({ kind: "list-of", item: d[0], span: span(d) });
export const unionTypeRef = (d: Parts): ast.UnionTypeRef => ({ kind: "union", options: d[0], span: span(d) });
export const actionDecl = (d: Parts): ast.ActionDecl => ({ kind: "action", name: d[1], params: d[3], span: span(d) });

const PRIMITIVES = new Map([
  ["string", "string"],
  ["number", "number"],
  ["bool", "bool"],
  ["boolean", "bool"],
  ["any", "any"],
]);

export const factDecl = (d: Parts): ast.FactDecl => ({ kind: "fact", name: null, fact: d[0], span: span(d) });
export const namedFactDecl = (d: Parts): ast.FactDecl => ({ kind: "fact", name: d[0], fact: d[2], span: span(d) });
export const assertFactDecl = (d: Parts): ast.FactDecl => ({
  kind: "fact",
  name: null,
  fact: d[2],
  span: span(d),
  legacy: "assert",
});
export const fact = (d: Parts): ast.FactLiteral => ({ kind: "fact-literal", type: d[0], args: d[2], span: span(d) });
export const positionalArg = (d: Parts): ast.FactArg => ({ name: null, value: d[0], span: span(d) });
export const namedArg = (d: Parts): ast.FactArg => ({ name: d[0], value: d[2], span: span(d) });
export const equalsArg = (d: Parts): ast.FactArg => ({ name: d[0], value: d[2], span: span(d), legacy: "equals" });

// ---------------------------------------------------------------- rule

export const blockRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: d[4],
  span: span(d),
});
export const blockBody = (d: Parts): ast.BlockBody => ({ kind: "block", elements: d[1], actions: d[3], span: span(d) });
export const bracedBody = (d: Parts): ast.BlockBody => ({
  kind: "block",
  elements: d[2],
  actions: d[6],
  span: span(d),
  legacy: "braces",
});
export const bracedRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: bracedBody(d.slice(3)),
  span: span(d),
});
export const slashRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: slashBody(d.slice(4)),
  span: span(d),
});
export const whenSlashRule = (d: Parts): ast.RuleDecl => ({ ...slashRule(d), legacy: "when-slash" });
/** The name is given by the parser, which counts unnamed rules. */
export const unnamedRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: { name: "", quoted: false, span: { start: span(d).start, end: span(d).start } },
  attributes: [],
  body: slashBody(d),
  span: span(d),
  legacy: "unnamed-rule",
});

/** sources / test ==> actions */
function slashBody(d: Parts): ast.SlashBody {
  return {
    kind: "slash",
    sources: d[0].map((braces: Enclosed) => braces.items),
    test: d[2],
    actions: d[4],
    span: span(d),
  };
}

/** What stood between brackets, with the span of the brackets. */
interface Enclosed {
  readonly items: readonly unknown[];
  readonly span: Span;
}

export const sourceBraces = (d: Parts): Enclosed => ({ items: d[1], span: span(d) });

export const salience = (d: Parts): ast.SalienceAttribute => ({ kind: "salience", value: d[1].value, span: span(d) });
export const noLoop = (d: Parts): ast.NoLoopAttribute => ({ kind: "no-loop", span: span(d) });
export const group = (d: Parts): ast.GroupAttribute => ({ kind: "group", name: d[1].value, span: span(d) });
export const disabled = (d: Parts): ast.DisabledAttribute => ({ kind: "disabled", span: span(d) });
export const sourceVar = (d: Parts): ast.SourceVar => ({ kind: "source", variable: d[0], type: d[2], span: span(d) });
export const aggregateSource = (d: Parts): ast.AggregateSource => ({
  kind: "aggregate-source",
  variable: d[0],
  fn: d[2],
  value: d[4],
  span: span(d),
});

// ---------------------------------------------------------------- conditional elements

export const quantifier = (d: Parts): unknown => d[0];
export const absence = (d: Parts): ast.AbsenceElement => ({
  kind: "absence",
  quantifier: d[0].text,
  elements: d[1].items,
  span: span(d),
});
export const absenceOfOne = (d: Parts): ast.AbsenceElement => absence([d[0], { items: [d[1]], span: d[1].span }]);
export const nested = (d: Parts): Enclosed => ({ items: d[1], span: span(d) });
export const nestedAlternatives = (d: Parts): Enclosed => ({ items: [orElement(d)], span: span(d) });
export const orElement = (d: Parts): ast.OrElement => ({ kind: "or", alternatives: d[1], span: span(d) });
export const twoAlternatives = (d: Parts): unknown[] => [d[0], d[2]];
export const forall = (d: Parts): ast.ForallElement => ({ kind: "forall", pattern: d[2], test: d[4], span: span(d) });
export const aggregate = (d: Parts): ast.AggregateElement => ({
  kind: "aggregate",
  name: d[0],
  fn: d[2],
  value: d[4],
  pattern: d[7],
  span: span(d),
});
export const pattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: null,
  type: d[0],
  tests: d[2],
  span: span(d),
});
export const namedPattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: d[0],
  type: d[2],
  tests: d[4],
  span: span(d),
});
export const barePattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: d[0],
  type: d[2],
  tests: [],
  span: span(d),
});
export const whereElement = (d: Parts): ast.WhereElement => ({ kind: "where", test: d[1], span: span(d) });

// ---------------------------------------------------------------- actions

export const callAction = (d: Parts): ast.CallAction => ({ kind: "call", name: d[0], args: d[2], span: span(d) });
export const insert = (d: Parts): ast.InsertAction => ({ kind: "insert", logical: false, fact: d[1], span: span(d) });
export const insertCall = (d: Parts): ast.InsertAction => ({
  kind: "insert",
  logical: false,
  fact: d[2],
  span: span(d),
});
export const insertLogical = (d: Parts): ast.InsertAction => ({
  kind: "insert",
  logical: true,
  fact: d[2],
  span: span(d),
});
export const update = (d: Parts): ast.UpdateAction => ({ kind: "update", target: d[2], changes: d[4], span: span(d) });
export const assign = (d: Parts): ast.AssignAction => ({ kind: "assign", target: d[0], value: d[2], span: span(d) });
export const retractCall = (d: Parts): ast.RetractAction => ({ kind: "retract", target: d[2], span: span(d) });
export const retract = (d: Parts): ast.RetractAction => ({ kind: "retract", target: d[1], span: span(d) });
export const halt = (d: Parts): ast.HaltAction => ({ kind: "halt", span: span(d) });
export const xuple = (d: Parts): ast.XupleAction => ({ kind: "xuple", space: d[2], fact: d[4], span: span(d) });
export const decide = (d: Parts): ast.DecideAction => ({ kind: "decide", gate: d[1], args: d[3], span: span(d) });
export const verify = (d: Parts): ast.VerifyAction => ({ kind: "verify", guardian: d[1], args: d[3], span: span(d) });

// ---------------------------------------------------------------- expressions

/** Operands and `and`/`or` in turn: AND binds tighter, so the list is cut at each `or`. */
export const logic = (d: Parts): ast.Expr => {
  const alternatives: ast.Expr[][] = [[d[0][0]]];
  for (let index = 1; index < d[0].length; index += 2) {
    if (d[0][index] === "or") alternatives.push([]);
    alternatives.at(-1)?.push(d[0][index + 1]);
  }
  return joined(
    "or",
    alternatives.map((terms) => joined("and", terms)),
  );
};

function joined(op: "and" | "or", items: readonly ast.Expr[]): ast.Expr {
  const only = items[0];
  if (items.length === 1 && only !== undefined) return only;
  return { kind: "logic", op, items, listed: false, span: span([items]) };
}

/** Operands and operators in turn: products are folded first, then the sum of them, each from left to right. */
export const arith = (d: Parts): ast.Expr => {
  const sum: Chain<ast.SumOp> = { items: [], ops: [] };
  let product: Chain<ast.ProductOp> = { items: [d[0][0]], ops: [] };
  for (let index = 1; index < d[0].length; index += 2) {
    const op = d[0][index];
    if (op === "+" || op === "-") {
      sum.items.push(chained(product));
      sum.ops.push(op);
      product = { items: [d[0][index + 1]], ops: [] };
    } else {
      product.items.push(d[0][index + 1]);
      product.ops.push(op);
    }
  }
  sum.items.push(chained(product));
  return chained(sum);
};

interface Chain<Op> {
  readonly items: ast.Expr[];
  readonly ops: Op[];
}

function chained(chain: Chain<ast.SumOp | ast.ProductOp>): ast.Expr {
  const only = chain.items[0];
  if (chain.ops.length === 0 && only !== undefined) return only;
  return { kind: "chain", items: chain.items, ops: chain.ops, span: span([chain.items]) };
}

export const not = (d: Parts): ast.NotExpr => ({ kind: "not", operand: d[1], span: span(d) });
/** A minus before a number belongs to the number; zero has no sign. */
export const negate = (d: Parts): ast.Expr =>
  d[1].kind === "number" && d[1].value >= 0
    ? { kind: "number", value: 0 - d[1].value, span: span(d) }
    : { kind: "negate", operand: d[1], span: span(d) };
export const compare = (d: Parts): ast.CompareExpr => ({
  kind: "compare",
  op: d[1],
  left: d[0],
  right: d[2],
  span: span(d),
});
const inList = (d: Parts): ast.InExpr => ({ kind: "in", left: d[0], right: d[2], negated: false, span: span(d) });
export { inList as in };
export const notIn = (d: Parts): ast.InExpr => ({
  kind: "in",
  left: d[0],
  right: d[3],
  negated: true,
  span: span(d),
});
export const contains = (d: Parts): ast.ContainsExpr => ({
  kind: "contains",
  left: d[0],
  right: d[2],
  any: false,
  span: span(d),
});
export const containsAny = (d: Parts): ast.ContainsExpr => ({
  kind: "contains",
  left: d[0],
  right: d[3],
  any: true,
  span: span(d),
});
export const like = (d: Parts): ast.LikeExpr => ({ kind: "like", left: d[0], pattern: d[2], span: span(d) });
export const matches = (d: Parts): ast.MatchesExpr => ({ kind: "matches", left: d[0], pattern: d[2], span: span(d) });
export const missing = (d: Parts): ast.PresenceExpr => ({
  kind: "presence",
  operand: d[0],
  missing: true,
  span: span(d),
});
export const present = (d: Parts): ast.PresenceExpr => ({
  kind: "presence",
  operand: d[0],
  missing: false,
  span: span(d),
});
export const existsExpr = (d: Parts): ast.ExistsExpr => ({ kind: "exists", pattern: d[1], span: span(d) });
export const existsIn = (d: Parts): ast.ExistsInExpr => ({
  kind: "exists-in",
  sources: d[2],
  test: d[3],
  span: span(d),
});
export const allOf = (d: Parts): ast.LogicExpr => ({
  kind: "logic",
  op: "and",
  items: d[2],
  listed: true,
  span: span(d),
});
export const anyOf = (d: Parts): ast.LogicExpr => ({
  kind: "logic",
  op: "or",
  items: d[2],
  listed: true,
  span: span(d),
});
export const quorum = (d: Parts): ast.QuorumExpr => ({ kind: "quorum", count: d[2], items: d[5], span: span(d) });
export const factQuorum = (d: Parts): ast.FactQuorumExpr => ({
  kind: "fact-quorum",
  count: d[2],
  pattern: d[4],
  test: d[6],
  span: span(d),
});
export const outcome = (d: Parts): ast.OutcomeExpr => ({
  kind: "outcome",
  of: d[0].text,
  name: d[1],
  args: d[3],
  outcome: OUTCOMES[d[5].text as keyof typeof OUTCOMES],
  span: span(d),
});
export const bool = (d: Parts): ast.BoolExpr => ({ kind: "bool", value: d[0].text === "true", span: span(d) });
/** Parentheses leave no node, but the span of what they hold covers them. */
export const parens = (d: Parts): ast.Expr => ({ ...d[1], span: span(d) });
export const cast = (d: Parts): ast.CastExpr => ({
  kind: "cast",
  to: castTarget(d[1]),
  operand: d[3],
  span: span(d),
});
export const castCall = (d: Parts): ast.CastExpr => ({
  kind: "cast",
  to: castTarget(d[4]),
  operand: d[2],
  span: span(d),
  legacy: "cast",
});
const castTarget = (name: string): ast.CastTarget => (name === "boolean" ? "bool" : (name as ast.CastTarget));
/** `at_least(2, a, b)` and `require_group(2, a, b)` are other spellings of `at least 2 of (a, b)`. */
export const call = (d: Parts): ast.Expr => {
  const [count, ...items] = d[2];
  const isQuorum = QUORUM_CALLS.has(d[0].name.toLowerCase()) && count?.kind === "number";
  if (isQuorum && items.every((item: ast.Value) => item.kind !== "object")) {
    return { kind: "quorum", count, items, span: span(d) };
  }
  return { kind: "call", name: d[0], args: d[2], span: span(d) };
};
const QUORUM_CALLS = new Set(["at_least", "require_group"]);
export const aggregateIn = (d: Parts): ast.AggregateInExpr => ({
  kind: "aggregate-in",
  name: d[0],
  sources: d[2],
  test: d[3],
  value: d[4],
  span: span(d),
});
export const path = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: [], span: span(d) });
export const dottedPath = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: d[1], span: span(d) });
export const list = (d: Parts): ast.ListExpr => ({ kind: "list", items: d[1], span: span(d) });
export const object = (d: Parts): ast.ObjectExpr => ({ kind: "object", entries: d[1], span: span(d) });
export const entry = (d: Parts): ast.Entry => ({ name: d[0][0], value: d[2], span: span(d) });
export const text = (d: Parts): ast.TextExpr => ({ kind: "text", value: d[0].value, span: span(d) });
export const number = (d: Parts): ast.NumberExpr => ({ kind: "number", value: d[0].value, span: span(d) });

// ---------------------------------------------------------------- condition, gate, flow

export const conditionDecl = (d: Parts): ast.ConditionDecl => ({
  kind: "condition",
  name: d[1],
  params: d[2] ?? [],
  test: d[4],
  evidence: d[5],
  span: span(d),
});
export const evidence = (d: Parts): ast.Evidence => ({
  kind: "evidence",
  mode: d[1] ?? "agree",
  pattern: d[2],
  by: d[3],
  span: span(d),
});
export const gateDecl = (d: Parts): ast.GateDecl => ({
  kind: "gate",
  name: d[1],
  subject: d[2],
  settings: d[4],
  reactions: d[5],
  span: span(d),
});
export const require = (d: Parts): ast.RequireSetting => ({ kind: "require", test: d[1], span: span(d) });
export const logicOf = (d: Parts): ast.LogicSetting => ({ kind: "logic-of", logic: d[1][0].text, span: span(d) });
export const trust = (d: Parts): ast.TrustSetting => ({ kind: "trust", level: d[1][0].text, span: span(d) });
export const trustField = (d: Parts): ast.TrustFieldSetting => ({ kind: "trust-field", field: d[2], span: span(d) });
export const gateReaction = (d: Parts): ast.GateReaction => ({
  kind: "gate-reaction",
  outcome: OUTCOMES[d[1].text as keyof typeof OUTCOMES],
  actions: d[3],
  span: span(d),
});

const OUTCOMES = {
  pass: "pass",
  passes: "pass",
  true: "pass",
  hold: "hold",
  holds: "hold",
  unknown: "hold",
  fail: "fail",
  fails: "fail",
  false: "fail",
} as const;

export const flowDecl = (d: Parts): ast.FlowDecl => ({
  kind: "flow",
  name: d[1],
  subject: d[2],
  stages: d[4],
  span: span(d),
});
export const finalStage = (d: Parts): ast.StageDecl => ({
  kind: "stage",
  name: d[1],
  final: true,
  decide: null,
  branches: [],
  span: span(d),
});
export const stage = (d: Parts): ast.StageDecl => ({
  kind: "stage",
  name: d[1],
  final: false,
  decide: d[3],
  branches: d[4],
  span: span(d),
});
export const outcomeBranch = (d: Parts): ast.Branch => ({
  kind: "branch",
  on: OUTCOMES[d[1].text as keyof typeof OUTCOMES],
  goto: d[3],
  span: span(d),
});
export const otherwiseBranch = (d: Parts): ast.Branch => ({
  kind: "branch",
  on: "otherwise",
  goto: d[2],
  span: span(d),
});
export const alwaysBranch = (d: Parts): ast.Branch => ({ kind: "branch", on: "always", goto: d[1], span: span(d) });

// ---------------------------------------------------------------- guardian

export const guardianDecl = (d: Parts): ast.GuardianDecl => ({
  kind: "guardian",
  name: d[1],
  subject: d[3],
  settings: d[5],
  checks: d[6],
  reactions: d[7],
  span: span(d),
});
export const track = (d: Parts): ast.TrackSetting => ({ kind: "track", value: d[1], span: span(d) });
export const retry = (d: Parts): ast.RetrySetting => ({ kind: "retry", most: d[3].value, span: span(d) });
export const check = (d: Parts): ast.CheckDecl => ({
  kind: "check",
  name: d[1],
  modifiers: d[2],
  lines: d[4],
  span: span(d),
});
export const onTrack = (d: Parts): ast.OnTrack => ({ kind: "on-track", track: d[1], span: span(d) });
export const risk = (d: Parts): ast.RiskModifier => ({ kind: "risk", level: d[1][0].text, span: span(d) });
export const exit = (d: Parts): ast.ExitModifier => ({ kind: "exit", action: d[1], span: span(d) });
export const neverRetry = (d: Parts): ast.NeverRetryModifier => ({ kind: "never-retry", span: span(d) });
export const using = (d: Parts): ast.UsingModifier => ({ kind: "using", pattern: d[1], span: span(d) });
export const whenLimit = (d: Parts): ast.WhenModifier => ({ kind: "when", test: d[1], span: span(d) });
export const unlessLimit = (d: Parts): ast.UnlessModifier => ({ kind: "unless", test: d[1], span: span(d) });
export const checkLine = (d: Parts): ast.CheckLine => ({
  kind: "line",
  track: d[0],
  polarity: d[1][0].text,
  test: d[2],
  limits: d[3],
  reason: d[5],
  actions: d[7],
  span: span(d),
});
/** It says something about what passes, and asks for nothing. */
export const remarkLine = (d: Parts): ast.CheckLine => ({
  kind: "line",
  track: d[0],
  polarity: d[1][0].text,
  test: d[2],
  limits: d[3],
  reason: d[5],
  actions: [],
  span: span(d),
});
export const verdictReaction = (d: Parts): ast.VerdictReaction => ({
  kind: "verdict-reaction",
  verdict: d[1].text.toUpperCase(),
  actions: d[3],
  span: span(d),
});
export const useDecl = (d: Parts): ast.UseDecl => ({ kind: "use", name: d[2], span: span(d) });

// ---------------------------------------------------------------- pipeline

export const pipelineDecl = (d: Parts): ast.PipelineDecl => ({
  kind: "pipeline",
  name: d[1],
  subject: d[3],
  items: d[5],
  span: span(d),
});
export const border = (d: Parts): ast.BorderItem => ({
  kind: d[0].text,
  test: d[1],
  action: d[3].text.toUpperCase(),
  value: d[4],
  span: span(d),
});
export const stepValue = (d: Parts): ast.Expr => d[0];
export const step = (d: Parts): ast.StepItem => ({
  kind: "step",
  name: d[1],
  action: d[2].text.toUpperCase(),
  value: d[3],
  when: d[4],
  unless: d[5],
  span: span(d),
});
export const whenTest = (d: Parts): ast.TestCondition => ({ kind: "test-condition", test: d[1], span: span(d) });
export const whenPatterns = (d: Parts): ast.PatternCondition => ({
  kind: "pattern-condition",
  elements: d[1],
  span: span(d),
});
export const otherwise = (d: Parts): ast.OtherwiseItem => ({
  kind: "otherwise",
  action: d[1].text.toUpperCase(),
  value: d[2],
  span: span(d),
});
export const audit = (d: Parts): ast.AuditItem => ({ kind: "audit", to: d[2].value, span: span(d) });

// ---------------------------------------------------------------- list, query, test

export const listDecl = (d: Parts): ast.ListDecl => ({ kind: "list-decl", name: d[1], items: d[4], span: span(d) });
export const queryDecl = (d: Parts): ast.QueryDecl => ({
  kind: "query",
  name: d[1],
  params: d[2] ?? [],
  elements: d[4],
  span: span(d),
});
export const testDecl = (d: Parts): ast.TestDecl => ({ kind: "test", name: d[1], items: d[3], span: span(d) });
export const given = (d: Parts): ast.GivenItem => ({ kind: "given", name: null, fact: d[1], span: span(d) });
export const namedGiven = (d: Parts): ast.GivenItem => ({ kind: "given", name: d[1], fact: d[3], span: span(d) });
export const expectRule = (d: Parts): ast.ExpectRule => ({
  kind: "expect-rule",
  rule: d[2],
  times: d[4] === null ? null : d[4].value,
  span: span(d),
});
export const expectEffect = (d: Parts): ast.ExpectEffect => ({ kind: "expect-effect", effect: d[2], span: span(d) });
export const expectGate = (d: Parts): ast.ExpectGate => ({
  kind: "expect-gate",
  gate: d[2],
  args: d[4],
  outcome: OUTCOMES[d[7].text as keyof typeof OUTCOMES],
  span: span(d),
});
export const expectVerdict = (d: Parts): ast.ExpectVerdict => ({
  kind: "expect-verdict",
  guardian: d[2],
  args: d[4],
  verdict: d[7].text.toUpperCase(),
  span: span(d),
});
export const expectDecision = (d: Parts): ast.ExpectDecision => ({
  kind: "expect-decision",
  pipeline: d[2],
  args: d[4],
  decision: d[7].text.toUpperCase(),
  span: span(d),
});
export const expectSome = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: null,
  pattern: d[1],
  span: span(d),
});
export const expectNone = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: 0,
  pattern: d[2],
  span: span(d),
});
export const expectCount = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: d[1].value,
  pattern: d[2],
  span: span(d),
});

// ---------------------------------------------------------------- the rest

export const importDecl = (d: Parts): ast.ImportDecl => ({ kind: "import", path: d[1], span: span(d) });
export const optionDecl = (d: Parts): ast.OptionDecl => ({ kind: "option", name: d[1], value: d[2], span: span(d) });
export const removeRule = (d: Parts): ast.RemoveRuleDecl => ({ kind: "remove-rule", rule: d[2], span: span(d) });
export const removeFact = (d: Parts): ast.RemoveFactDecl => ({
  kind: "remove-fact",
  type: d[2],
  keys: d[3],
  span: span(d),
});
export const resetDecl = (d: Parts): ast.ResetDecl => ({ kind: "reset", span: span(d) });
export const xupleSpace = (d: Parts): ast.XupleSpaceDecl => ({
  kind: "xuple-space",
  name: d[1],
  settings: d[3],
  span: span(d),
});
export const xupleSetting = (d: Parts): ast.XupleSetting => ({
  kind: "xuple-setting",
  name: d[0],
  value: d[2],
  span: span(d.slice(0, 3)),
});
export const duration = (d: Parts): ast.DurationValue => ({ kind: "duration", text: d[2].value, span: span(d) });

// ---------------------------------------------------------------- refused readings

/**
 * Where the grammar alone would leave two readings: `(number) length(x)` is a cast, never a name in parentheses with
 * something else behind it; and the word that follows `ALLOW` begins the next item of the pipeline, if it can.
 */
export const REFUSALS: ReadonlyMap<unknown, Refusal> = new Map<unknown, Refusal>([
  [parens, { part: 1, words: new Set(["number", "string", "bool", "boolean"]) }],
  [stepValue, { part: 0, words: new Set(["before", "step", "after", "otherwise", "audit"]) }],
]);
