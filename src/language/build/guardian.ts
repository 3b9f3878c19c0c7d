/** Guardians. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

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
export const reportAll = (d: Parts): ast.ReportSetting => ({ kind: "report", span: span(d) });
export const check = (d: Parts): ast.CheckDecl => ({
  kind: "check",
  name: d[1],
  modifiers: d[2],
  lets: d[4],
  lines: d[5],
  span: span(d),
});
export const onTrack = (d: Parts): ast.OnTrack => ({ kind: "on-track", track: d[1], span: span(d) });
export const risk = (d: Parts): ast.RiskModifier => ({ kind: "risk", level: d[1][0].text, span: span(d) });
export const exit = (d: Parts): ast.ExitModifier => ({ kind: "exit", action: d[1], span: span(d) });
export const neverRetry = (d: Parts): ast.NeverRetryModifier => ({ kind: "never-retry", span: span(d) });
export const using = (d: Parts): ast.UsingModifier => ({ kind: "using", pattern: d[1], span: span(d) });
export const whenLimit = (d: Parts): ast.WhenModifier => ({ kind: "when", test: d[1], span: span(d) });
export const unlessLimit = (d: Parts): ast.UnlessModifier => ({ kind: "unless", test: d[1], span: span(d) });
/** What a line says besides its test: `as`, `says` and `do`, each at most once. */
type LineParts = Partial<Pick<ast.CheckLine, "reason" | "sentence" | "actions">> & Pick<ast.CheckLine, "span">;

export const lineReason = (d: Parts): LineParts => ({ reason: d[1], span: span(d) });
export const lineSentence = (d: Parts): LineParts => ({ sentence: d[1], span: span(d) });
export const lineActions = (d: Parts): LineParts => ({ actions: d[1], span: span(d) });
export const allParts = (d: Parts): LineParts => ({ ...(Object.assign({}, ...d) as LineParts), span: span(d) });
/** Builds a line of a check. A remark (`warn`, `flag`) is about a draft that passes: it requires nothing. */
export const checkLine = (d: Parts): ast.CheckLine => ({
  kind: "line",
  track: d[0],
  polarity: d[1][0].text,
  test: d[2],
  limits: d[3],
  reason: d[4].reason,
  sentence: d[4].sentence ?? null,
  actions: d[4].actions ?? [],
  span: span(d),
});
export const verdictReaction = (d: Parts): ast.VerdictReaction => ({
  kind: "verdict-reaction",
  verdict: d[1].text.toUpperCase(),
  actions: d[3],
  span: span(d),
});
export const useDecl = (d: Parts): ast.UseDecl => ({ kind: "use", name: d[2], span: span(d) });
