/** Conditions, gates and flows. */
import type * as ast from "../ast.ts";
import { windowed } from "./elements.ts";
import { OUTCOMES } from "./outcomes.ts";
import { type Parts, span } from "./parts.ts";

export const conditionDecl = (d: Parts): ast.ConditionDecl => ({
  kind: "condition",
  name: d[1],
  params: d[2] ?? [],
  lets: [],
  test: d[4],
  evidence: d[5],
  span: span(d),
});
export const conditionWithLets = (d: Parts): ast.ConditionDecl => ({
  kind: "condition",
  name: d[1],
  params: d[2] ?? [],
  lets: d[4],
  test: d[7],
  evidence: d[8],
  span: span(d),
});
export const evidence = (d: Parts): ast.Evidence => ({
  kind: "evidence",
  mode: d[1] ?? "agree",
  pattern: d[3] === null ? d[2] : windowed([d[2], d[3], d[3].kind === "within" ? d[4] : null]),
  by: d[3]?.kind === "within" && !String(d[1] ?? "").endsWith("latest") ? null : d[4],
  per: d[5],
  span: span(d),
});
export const latestMode = (d: Parts): ast.Evidence["mode"] => `${d[0][0].text as "any" | "every"} latest`;
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
