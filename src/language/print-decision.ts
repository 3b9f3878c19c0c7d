/** Prints conditions, gates, flows, guardians and pipelines. */
import { unreachable } from "../base/invariant.ts";
import type {
  Action,
  Branch,
  CheckDecl,
  CheckLine,
  CheckModifier,
  ConditionDecl,
  Evidence,
  Expr,
  FlowDecl,
  GateDecl,
  GateSetting,
  GuardianDecl,
  GuardianSetting,
  Ident,
  Label,
  LetElement,
  Pattern,
  PipelineDecl,
  PipelineItem,
  StageDecl,
  StepAction,
  StepCondition,
  StepItem,
} from "./ast.ts";
import type { Comments } from "./comments.ts";
import { type Doc, group, hardline, indent, line } from "./layout.ts";
import { block, enclosed, type Part, rowsOf, stack } from "./place.ts";
import { action, actionRows, decide } from "./print-action.ts";
import { elementList } from "./print-element.ts";
import { expression, pathWords, pattern } from "./print-expression.ts";
import { judgedWords, labelWords, numberWords, textWords } from "./print-words.ts";

export function condition(comments: Comments, one: ConditionDecl, params: Doc): Doc {
  const lets = one.lets.map((each) => [letDoc(comments, each), line]);
  const test = [indent(lets), lets.length === 0 ? "" : "where ", expression(comments, one.test)];
  const evidence = one.evidence === null ? [] : indent([line, evidenceDoc(comments, one.evidence)]);
  return group([`condition ${one.name.name}`, params, " : ", test, evidence]);
}

function letDoc(comments: Comments, one: LetElement): Doc {
  return [`let ${one.name.name} = `, expression(comments, one.value)];
}

function evidenceDoc(comments: Comments, one: Evidence): Doc {
  const mode = one.mode === "agree" ? "" : `${one.mode} `;
  const within = one.pattern.tests.at(-1);
  const isShared = within?.kind === "within" && within.by !== null && one.by !== null; // printed with the window
  const by = one.by === null || isShared ? "" : ` by ${pathWords(one.by)}`;
  const per = one.per === null ? "" : ` per ${pathWords(one.per)}`;
  return [`from ${mode}`, pattern(comments, one.pattern), by, per];
}

// ---------------------------------------------------------------- gate, flow

/** Returns the word, name and subject before a block, and where they end. */
function header(comments: Comments, word: string, name: Label, subject: Pattern | null): [Doc, number] {
  const start = `${word} ${labelWords(name)} `;
  if (subject === null) return [start, name.span.end];
  return [[start, "for ", pattern(comments, subject), " "], subject.span.end];
}

export function gate(comments: Comments, one: GateDecl): Doc {
  const { end } = one.span;
  const [head, from] = header(comments, "gate", one.name, one.subject);
  return block(comments, head, from, end, () => [
    ...rowsOf(comments, one.settings, end, (setting) => gateSetting(comments, setting)),
    ...rowsOf(comments, one.reactions, end, (reaction) => reactionDoc(comments, reaction.outcome, reaction.actions)),
  ]);
}

function gateSetting(comments: Comments, setting: GateSetting): Doc {
  switch (setting.kind) {
    case "require":
      return setting.test === null ? "require" : ["require ", expression(comments, setting.test)];
    case "logic-of":
      return `logic ${setting.logic}`;
    case "trust":
      return `trust ${setting.level}`;
    case "trust-field":
      return `trust field ${setting.field.name}`;
    case "let":
      return letDoc(comments, setting);
    default:
      return unreachable(setting);
  }
}

/** Prints a reaction: one action goes on its line, several go below it. */
function reactionDoc(comments: Comments, result: string, actions: readonly Action[]): Doc {
  const [only, second] = actions;
  const head = `on ${result} then`;
  if (only !== undefined && second === undefined) return [head, " ", action(comments, only)];
  const rows = actionRows(comments, actions, actions.at(-1)?.span.end ?? 0);
  return [head, indent([hardline, stack(rows)])];
}

export function flow(comments: Comments, one: FlowDecl): Doc {
  const { end } = one.span;
  const [head, from] = header(comments, "flow", one.name, one.subject);
  return block(comments, head, from, end, () => rowsOf(comments, one.stages, end, (item) => stage(comments, item)));
}

function stage(comments: Comments, one: StageDecl): Doc {
  const head = `stage ${stageWords(one.name)}`;
  if (one.final) return `${head} final`;
  const asked = one.decide;
  const items: Part[] = asked === null ? [] : [{ span: asked.span, word: "", print: () => decide(comments, asked) }];
  for (const branch of one.branches) {
    items.push({ span: branch.span, word: "", print: () => branchWords(branch) });
  }
  return [`${head} `, enclosed(comments, ["{", "}"], items, one.span.end, line)];
}

function branchWords(branch: Branch): string {
  const on = branch.on === "otherwise" || branch.on === "always" ? branch.on : `on ${branch.on}`;
  return branch.goto === null ? on : `${on} goto ${stageWords(branch.goto)}`;
}

function stageWords(name: Ident): string {
  return judgedWords({ ...name, quoted: false });
}

// ---------------------------------------------------------------- guardian

export function guardian(comments: Comments, one: GuardianDecl): Doc {
  const { end } = one.span;
  const [head, from] = header(comments, "guardian", one.name, one.subject);
  return block(comments, head, from, end, () => [
    ...rowsOf(comments, one.settings, end, (setting) => guardianSetting(comments, setting)),
    ...rowsOf(comments, one.checks, end, (item) => check(comments, item)),
    ...rowsOf(comments, one.reactions, end, (reaction) => reactionDoc(comments, reaction.verdict, reaction.actions)),
  ]);
}

function guardianSetting(comments: Comments, setting: GuardianSetting): Doc {
  if (setting.kind === "report") return "report all";
  if (setting.kind === "retry") return `retry at most ${numberWords(setting.most)}`;
  return setting.kind === "let" ? letDoc(comments, setting) : ["track ", expression(comments, setting.value)];
}

function check(comments: Comments, one: CheckDecl): Doc {
  const { end } = one.span;
  const modifiers = one.modifiers.map((modifier) => [line, modifierDoc(comments, modifier)]);
  const head = group([`check ${one.name.name}`, indent(modifiers), line]);
  const from = one.modifiers.at(-1)?.span.end ?? one.name.span.end;
  return block(comments, head, from, end, () => [
    ...rowsOf(comments, one.lets, end, (item) => letDoc(comments, item)),
    ...rowsOf(comments, one.lines, end, (item) => checkLine(comments, item)),
  ]);
}

function modifierDoc(comments: Comments, modifier: CheckModifier): Doc {
  switch (modifier.kind) {
    case "on-track":
      return `on ${modifier.track.name}`;
    case "risk":
      return `risk ${modifier.level}`;
    case "exit":
      return `exit ${modifier.action.name}`;
    case "never-retry":
      return "never retry";
    case "using":
      return ["using ", pattern(comments, modifier.pattern)];
    case "when":
    case "unless":
      return [`${modifier.kind} `, expression(comments, modifier.test)];
    default:
      return unreachable(modifier);
  }
}

/** Prints a line of a check: on one line, or broken before `when`, `unless`, `as`, `says` and `do`. */
function checkLine(comments: Comments, one: CheckLine): Doc {
  const track = one.track === null ? "" : `on ${one.track.track.name} `;
  const test = expression(comments, one.test);
  const limits = one.limits.map((limit) => [line, modifierDoc(comments, limit)]);
  const reason = [line, `as ${textWords(one.reason.value)}`];
  const sentence = one.sentence === null ? [] : [line, `says ${textWords(one.sentence.value)}`];
  const remark = one.polarity === "warn" || one.polarity === "flag";
  const actions = remark ? [] : [line, `do ${one.actions.map((name) => name.name).join(", ")}`];
  return group([`${track}${one.polarity} `, test, indent([limits, reason, sentence, actions])]);
}

// ---------------------------------------------------------------- pipeline

export function pipeline(comments: Comments, one: PipelineDecl): Doc {
  const { end } = one.span;
  const [head, from] = header(comments, "pipeline", one.name, one.subject);
  return block(comments, head, from, end, () =>
    rowsOf(comments, one.items, end, (item) => pipelineItem(comments, item)),
  );
}

function pipelineItem(comments: Comments, item: PipelineItem): Doc {
  switch (item.kind) {
    case "before":
    case "after": {
      const test = expression(comments, item.test);
      return group([`${item.kind} `, test, indent([line, "else ", verdict(comments, item.action, item.value)])]);
    }
    case "step":
      return step(comments, item);
    case "otherwise":
      return ["otherwise ", verdict(comments, item.action, item.value)];
    case "audit":
      return `audit to ${textWords(item.to)}`;
    case "let":
      return letDoc(comments, item);
    default:
      return unreachable(item);
  }
}

function step(comments: Comments, item: StepItem): Doc {
  const result = verdict(comments, item.action, item.value);
  const when = item.when === null ? [] : [line, "when ", stepCondition(comments, item.when)];
  const unless = item.unless === null ? [] : [line, "unless ", expression(comments, item.unless)];
  return group([`step ${item.name.name} `, result, indent([when, unless])]);
}

function stepCondition(comments: Comments, one: StepCondition): Doc {
  if (one.kind === "test-condition") return expression(comments, one.test);
  return elementList(comments, one.elements, one.span.end);
}

function verdict(comments: Comments, name: StepAction, data: Expr | null): Doc {
  if (data === null) return name;
  const printed = expression(comments, data);
  return beginsItem(data) ? [`${name} (`, printed, ")"] : [`${name} `, printed];
}

/** Returns whether a word would be read as the beginning of the next item, or of the condition of this one. */
function beginsItem(data: Expr): boolean {
  if (CONDITION_WORDS.has(firstWord(data) ?? "")) return true;
  return data.kind === "path" && data.fields.length === 0 && ITEM_WORDS.has(data.root.name.toLowerCase());
}

/** Returns the word with which an expression begins, if it is a name. */
function firstWord(data: Expr): string | undefined {
  switch (data.kind) {
    case "path":
      return data.root.name.toLowerCase();
    case "call":
    case "aggregate-in":
      return data.name.name.toLowerCase();
    case "chain":
    case "logic":
      return data.items[0] === undefined ? undefined : firstWord(data.items[0]);
    case "compare":
    case "in":
    case "contains":
    case "like":
    case "matches":
      return firstWord(data.left);
    case "presence":
      return firstWord(data.operand);
    case "item":
      return firstWord(data.list);
    case "property":
      return firstWord(data.of);
    default:
      return undefined;
  }
}

const CONDITION_WORDS: ReadonlySet<string> = new Set(["when", "unless"]);
const ITEM_WORDS: ReadonlySet<string> = new Set(["before", "step", "after", "otherwise", "audit"]);
