/** Checks conditions, gates and flows. */
import type * as ast from "../ast.ts";
import { checkActions } from "./actions.ts";
import { paramsOf } from "./arguments.ts";
import type { Context } from "./context.ts";
import { checkParams } from "./fields.ts";
import { Scope } from "./scope.ts";
import { checkJudgeCall } from "./judging.ts";
import { checkLeaves } from "./leaves.ts";
import { Lets, usesLet, withoutLets } from "./lets.ts";
import { checkPattern, checkTest, typeOf, typesOf } from "./typing.ts";
import { describe, ordered } from "./types.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";

export function checkCondition(cx: Context, decl: ast.ConditionDecl): void {
  checkParams(cx, decl.params);
  const scope = Scope.root("waiting");
  for (const param of paramsOf(cx, decl.params)) scope.add({ name: param.name, type: param.type, kind: "parameter" });
  if (decl.evidence !== null) checkEvidence(cx, decl.evidence, scope);
  const lets = new Lets(cx);
  for (const one of decl.lets) lets.add(one, scope);
  checkTest(cx, decl.test, scope);
  if (decl.lets.length > 0) cx.elaborated.set(decl, { ...decl, lets: [], test: lets.inline(decl.test) });
}

function checkEvidence(cx: Context, evidence: ast.Evidence, scope: Scope): void {
  const { mode, pattern, by, per, span } = evidence;
  checkPattern(cx, pattern, scope);
  if (by !== null) checkOrder(cx, pattern, by, scope);
  if (per !== null && isOwnField(cx, pattern, per, "per")) typeOf(cx, per, scope);
  if (!mode.endsWith("latest")) {
    const only = (word: string): string => `"${word}" is allowed only with "from latest"`;
    const hint = 'remove it, or write "from latest"';
    if (by !== null) cx.report.error("E214", by.span, only("by"), hint);
    if (per !== null) cx.report.error("E214", per.span, only("per"), hint);
    return;
  }
  if (by === null) cx.report.error("E209", span, `"from ${mode}" needs a field to order by`, "add: by c.at");
  if (mode !== "latest" && per === null) {
    cx.report.error("E209", span, `"from ${mode}" needs a field to group by`, "add: per c.name, or write: from latest");
  }
}

/** Returns whether a path is a field of the evidence, and reports it where it is not. */
function isOwnField(cx: Context, pattern: ast.Pattern, path: ast.PathExpr, word: "by" | "per"): boolean {
  const variable = pattern.variable?.name;
  if (path.root.name === variable && path.fields.length > 0) return true;
  const usual = word === "by" ? "at" : "name";
  const field = path.fields.at(-1)?.name ?? (path.root.name === variable ? usual : path.root.name);
  const hint =
    variable === undefined
      ? `name the evidence: from latest e: ${pattern.type.name}(…) ${word} e.${field}`
      : `write: ${word} ${variable}.${field}`;
  cx.report.error("E214", path.span, `"${word}" must be a field of the evidence`, hint);
  return false;
}

/** Checks `by q.at`: a field of the evidence whose values have an order. */
function checkOrder(cx: Context, pattern: ast.Pattern, by: ast.PathExpr, scope: Scope): void {
  if (!isOwnField(cx, pattern, by, "by")) return;
  const type = typeOf(cx, by, scope);
  if (ordered(type, type)) return;
  cx.report.error(
    "E203",
    by.span,
    `values of type ${describe(type)} cannot be ordered`,
    "use a number, a string or a time",
  );
}

// ---------------------------------------------------------------- gate

export function checkGate(cx: Context, gate: ast.GateDecl): void {
  const scope = Scope.root("conditions");
  if (gate.subject !== null) checkSubject(cx, gate.subject, scope);
  const lets = new Lets(cx);
  for (const setting of gate.settings) if (setting.kind === "let") lets.add(setting, scope);
  checkOnce(cx, gate.settings.filter(isNoLet), SETTING_NAMES);
  const requirement = gate.settings.find((setting) => setting.kind === "require");
  if (requirement === undefined || requirement.test === null) {
    cx.report.error(
      "E232",
      (requirement ?? gate.name).span,
      `gate "${gate.name.name}" requires nothing`,
      "write: require <condition>",
    );
  } else {
    if (checkDepth(cx, requirement.test)) checkTest(cx, requirement.test, scope);
    checkLeaves(cx, gate, lets.inline(requirement.test));
  }
  if (!gate.settings.some((setting) => setting.kind === "trust")) checkTrustField(cx, gate);
  checkOutcomes(cx, gate.reactions);
  for (const reaction of gate.reactions) checkActions(cx, reaction.actions, scope.only("missing"));
  if (!usesLet(gate)) return;
  cx.elaborated.set(gate, {
    ...gate,
    settings: lets.inline(gate.settings.filter(isNoLet)),
    reactions: gate.reactions.map((one) => ({ ...one, actions: withoutLets(cx, one.actions, lets) })),
  });
}

/** Returns whether a setting or item is no `let`. */
export function isNoLet<Item extends { readonly kind: string }>(item: Item): item is Exclude<Item, { kind: "let" }> {
  return item.kind !== "let";
}

/**
 * Checks that the trust field exists. Without "trust" it is not used; with it, leaves.ts requires one in the evidence.
 */
function checkTrustField(cx: Context, gate: ast.GateDecl): void {
  const field = gate.settings.find((setting) => setting.kind === "trust-field")?.field;
  if (field === undefined || cx.symbols.open || !cx.symbols.complete) return;
  const fields = cx.symbols.typeNames().flatMap((type) => [...(cx.symbols.type(type)?.fields.keys() ?? [])]);
  if (fields.includes(field.name)) return;
  cx.report.error("E202", field.span, `no type has a field "${field.name}"`, didYouMean(nearest(field.name, fields)));
}

const SETTING_NAMES: Readonly<Record<Exclude<ast.GateSetting["kind"], "let">, string>> = {
  require: "require",
  "logic-of": "logic",
  trust: "trust",
  "trust-field": "trust field",
};

export function checkOnce<Kind extends string>(
  cx: Context,
  items: readonly { readonly kind: Kind; readonly span: ast.Ident["span"] }[],
  names: Readonly<Record<Kind, string>>,
): void {
  const seen = new Set<Kind>();
  for (const item of items) {
    if (seen.has(item.kind))
      cx.report.error("E204", item.span, `"${names[item.kind]}" appears twice`, "remove one of them");
    seen.add(item.kind);
  }
}

/** Checks the subject of a gate, flow, guardian or pipeline, which exists once for every fact that matches. */
export function checkSubject(cx: Context, subject: ast.Pattern, scope: Scope): void {
  checkPattern(cx, subject, scope);
}

function checkOutcomes(cx: Context, reactions: readonly ast.GateReaction[]): void {
  const seen = new Set<string>();
  for (const reaction of reactions) {
    if (seen.has(reaction.outcome)) {
      const message = `"on ${reaction.outcome}" appears twice`;
      cx.report.error("E204", reaction.span, message, "merge their actions into one block");
    }
    seen.add(reaction.outcome);
  }
}

function checkDepth(cx: Context, test: ast.Expr): boolean {
  if (depth(test) <= cx.limits.gateNesting) return true;
  const message = `this requirement is nested more than ${cx.limits.gateNesting} levels deep`;
  cx.report.error("E301", test.span, message, "move a part of it into a named condition: condition …");
  return false;
}

/** Returns the levels of operators; a leaf has 0. */
function depth(test: ast.Expr): number {
  switch (test.kind) {
    case "not":
      return 1 + depth(test.operand);
    case "logic":
    case "quorum":
      return 1 + test.items.reduce((deepest, item) => Math.max(deepest, depth(item)), 0);
    case "fact-quorum":
      return 1 + depth(test.test);
    default:
      return 0;
  }
}

// ---------------------------------------------------------------- flow

export function checkFlow(cx: Context, flow: ast.FlowDecl): void {
  const scope = Scope.root();
  if (flow.subject !== null) checkSubject(cx, flow.subject, scope);
  if (flow.stages.length === 0) {
    cx.report.error("E233", flow.name.span, `flow "${flow.name.name}" has no stages`, "write: stage done final");
  }
  const stages = new Set<string>();
  for (const stage of flow.stages) {
    const { name, span } = stage.name;
    if (stages.has(name)) cx.report.error("E204", span, `stage "${name}" is defined twice`, "choose another name");
    stages.add(name);
  }
  for (const [index, stage] of flow.stages.entries()) checkStage(cx, stage, flow.stages[index + 1], stages, scope);
}

function checkStage(
  cx: Context,
  stage: ast.StageDecl,
  next: ast.StageDecl | undefined,
  stages: ReadonlySet<string>,
  scope: Scope,
): void {
  if (stage.final) return;
  const { name, span } = stage.name;
  if (stage.decide !== null) {
    checkJudgeCall(
      cx,
      "gate",
      stage.decide.gate,
      stage.decide.args,
      stage.decide.span,
      typesOf(cx, stage.decide.args, scope),
    );
  }
  if (stage.branches.length === 0) {
    const hint = 'add "on pass goto …", "otherwise goto …" or "always", or mark the stage final';
    cx.report.error("E233", span, `stage "${name}" has no next stage`, hint);
  }
  for (const branch of stage.branches) checkBranch(cx, stage, branch, next, stages);
  checkReachable(cx, stage.branches);
  if (stage.decide !== null && stage.branches.length > 0) warnOfUnmatched(cx, stage);
}

/** Warns of outcomes for which a stage has no branch: the flow is stuck there (E540). */
function warnOfUnmatched(cx: Context, { name, branches }: ast.StageDecl): void {
  const taken = new Set<string>(branches.map(({ on }) => on));
  if (taken.has("otherwise") || taken.has("always")) return;
  const open = OUTCOMES.filter((outcome) => !taken.has(outcome));
  if (open.length === 0) return;
  const message = `stage "${name.name}" has no branch for the outcome ${open.join(" or ")}: the flow is stuck there (E540)`;
  cx.report.warning("W245", name.span, message, 'add "otherwise goto …", or a branch for each outcome');
}

const OUTCOMES = ["pass", "hold", "fail"] as const;

/** Reports branches that are never reached: the first that applies is taken. */
function checkReachable(cx: Context, branches: readonly ast.Branch[]): void {
  for (const [index, branch] of branches.entries()) {
    const before = branches.slice(0, index).find(({ on }) => on === "otherwise" || on === "always" || on === branch.on);
    if (before === undefined) continue;
    const said = before.on === "otherwise" || before.on === "always" ? before.on : `on ${before.on}`;
    const hint = before.on === branch.on ? "remove one of them" : `put "${said}" last`;
    cx.report.warning("W241", branch.span, `this branch is never taken: "${said}" comes before it`, hint);
  }
}

function checkBranch(
  cx: Context,
  stage: ast.StageDecl,
  branch: ast.Branch,
  next: ast.StageDecl | undefined,
  stages: ReadonlySet<string>,
): void {
  if (stage.decide === null && branch.on !== "always") {
    cx.report.error(
      "E233",
      branch.span,
      `stage "${stage.name.name}" decides no gate, so it has no outcome`,
      'write "always goto …"',
    );
  }
  if (branch.goto === null) {
    if (next !== undefined) return;
    cx.report.error("E233", branch.span, `no stage follows "${stage.name.name}"`, "name the stage: always goto …");
    return;
  }
  if (stages.has(branch.goto.name)) return;
  const hint = didYouMean(nearest(branch.goto.name, stages));
  cx.report.error("E213", branch.goto.span, `unknown stage "${branch.goto.name}" in this flow`, hint);
}
