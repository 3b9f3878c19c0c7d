/**
 * Explains a verdict of a guardian: every check and every line is a step, in written order, with the values it read.
 */
import { factLabel } from "../../base/fact-label.ts";
import type { Truth } from "../../base/truth.ts";
import type { CheckAccount, VerdictAccount } from "../../guardian/account.ts";
import type { LineFinding } from "../../guardian/line.ts";
import type * as ast from "../../language/ast.ts";
import type { VerdictAnswer } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { lineWords, evaluateLine } from "./line.ts";
import { Chosen } from "../read/chosen.ts";
import type { Draft } from "../read/draft.ts";
import { type Explanation, numbered, seenWords } from "./step.ts";
import { type PlainLine, plainLines } from "../read/using.ts";
import { plural, Words } from "../read/words.ts";
import { decides, type Deciding, decidingLine, subjectChosen } from "../read/deciding-line.ts";
import type { World } from "../read/world.ts";

/** The explanation of a guardian's verdict. */
export interface WhyVerdict extends Explanation {
  /** The name of the guardian. */
  readonly guardian: string;
  /** The id of the subject. */
  readonly subject: string;
  /** The verdict. */
  readonly says: VerdictAnswer["verdict"];
  /**
   * The check and line that decided, as written in the program; undefined when all passed, or the subject cannot be
   * judged.
   */
  readonly decided: { readonly check: string; readonly line: string } | undefined;
  /** The reasons of the verdict. */
  readonly reasons: readonly string[];
  /** The actions that are required next. */
  readonly required_actions: readonly string[];
  /** The actions that would have helped, when no retry is left. */
  readonly would_fix: readonly string[];
}

/**
 * Returns the explanation of a verdict. `account` is the verdict of now with its findings; undefined when the subject
 * is no longer judged.
 */
export function explainVerdict(world: World, recorded: VerdictAnswer, account: VerdictAccount | undefined): WhyVerdict {
  const { guardian, subject, verdict, reasons, required_actions, would_fix } = recorded;
  const root = numbered(verdictDraft(world, recorded, account), `${guardian}/${subject}`);
  const decided = account === undefined ? undefined : decidingLine(world, account);
  const details = { reasons, required_actions, would_fix };
  return { ...root, guardian, subject, says: verdict, decided: textOfDeciding(world, guardian, decided), ...details };
}

export function verdictDraft(world: World, recorded: VerdictAnswer, account: VerdictAccount | undefined): Draft {
  const { guardian, subject, verdict } = recorded;
  const found = world.context.program.symbols.guardians.get(guardian);
  const head = `Guardian "${guardian}" says ${verdict} for ${factLabel(subject)}`;
  const base = { text: `guardian "${guardian}"`, outcome: verdict === "PASS", method: "guardian" };
  const down = `Guardian "${guardian}" was asked about ${factLabel(subject)}`;
  if (account === undefined || found === undefined) {
    const why = recorded.reasons.length === 0 ? "" : `: ${recorded.reasons.join("; ")}`;
    const up = `${head}${why}. ${factLabel(subject)} is no longer one of its subjects, so it cannot be judged again.`;
    return { ...base, seen: [`${factLabel(subject)} is no longer judged`], down: `${down}.`, up, children: [] };
  }
  if (account.fault !== undefined) {
    const up = `${head}, because it cannot be judged: ${account.fault}.`;
    return { ...base, seen: [account.fault], down: `${down}.`, up, children: [] };
  }
  const drafted = unlessStopped<readonly Draft[] | string>(
    () => new LineExplainer(world, found.decl, found.source, account).checks(),
    (words) => words,
  );
  if (typeof drafted === "string") {
    const why = recorded.reasons.length === 0 ? "" : `: ${recorded.reasons.join("; ")}`;
    const up = `${head}${why}. Why its checks gave this is not shown: ${drafted}.`;
    return { ...base, seen: [...recorded.reasons], down: `${down}.`, up, children: [], bound: true };
  }
  const children = drafted;
  const decisive = children[account.checks.length - 1];
  const seen = account.answer.verdict === "PASS" ? children.flatMap((child) => child.seen) : (decisive?.seen ?? []);
  const changed = same(recorded, account.answer) ? "" : ` ${CHANGED_SINCE} Now it says ${account.answer.verdict}`;
  const why = reasonOf(account, found.decl, decisive);
  return {
    ...base,
    seen: [`the track is ${account.track}, the attempt ${account.answer.attempt}`, ...seen],
    down: `${down}; it looks at its ${plural(found.decl.checks.length, "check")} in order, and the first that does not pass decides.`,
    up: changed === "" ? `${head}${why}` : `${head}.${changed}${why}`,
    children,
  };
}

const CHANGED_SINCE = "The facts have changed since then, so the current ones are shown.";

function same(a: VerdictAnswer, b: VerdictAnswer): boolean {
  return a.verdict === b.verdict && a.reasons.join("\n") === b.reasons.join("\n") && a.attempt === b.attempt;
}

// ---------------------------------------------------------------- the headline

function reasonOf(account: VerdictAccount, { checks }: ast.GuardianDecl, decisive: Draft | undefined): string {
  const { verdict, flags, warnings } = account.answer;
  if (verdict === "PASS") {
    const count = account.checks.filter(({ state }) => state !== undefined).length;
    const passed = count === 0 ? "no check applies" : count === 1 ? "its check passes" : `${all(count)} checks pass`;
    return `: ${passed}.${remarked("Flags", flags)}${remarked("Warnings", warnings)}`;
  }
  const check = checks[account.checks.length - 1];
  const failing = decisive?.up ?? "";
  return `: ${failing} ${retryWords(account, check)}${actionWords(account.answer)}`;
}

function all(count: number): string {
  return count === 2 ? "both" : `all ${count}`;
}

function remarked(label: string, items: readonly string[]): string {
  return items.length === 0 ? "" : ` ${label}: ${items.join(", ")}.`;
}

/** Returns why another attempt is possible, or not. */
function retryWords({ answer, track, max }: VerdictAccount, check: ast.CheckDecl | undefined): string {
  const { verdict, attempt } = answer;
  if (verdict === "RETRY") return `This is attempt ${attempt}, and ${plural(max, "retry is", "retries are")} allowed.`;
  if (check?.modifiers.some(({ kind }) => kind === "never-retry") === true)
    return `Check ${check.name.name} is never retried.`;
  if (track === "FAST") return "On the track FAST there is no retry.";
  return max === 0 ? "No retry is allowed." : `No retry is left after ${plural(max, "retry", "retries")}.`;
}

function actionWords({ required_actions, would_fix }: VerdictAnswer): string {
  const required = required_actions.length === 0 ? "" : ` Required: ${required_actions.join(", ")}.`;
  return would_fix.length === 0 ? required : `${required} These would have helped: ${would_fix.join(", ")}.`;
}

// ---------------------------------------------------------------- the line that decided

function textOfDeciding({ context }: World, guardian: string, deciding: Deciding | undefined): WhyVerdict["decided"] {
  const source = context.program.symbols.guardians.get(guardian)?.source;
  if (deciding === undefined || source === undefined) return undefined;
  return { check: deciding.check.name.name, line: lineText(deciding.plain.line, new Words(source)) };
}

/** Returns the text of a line: `need count(e) >= 2 when d.needs_sources`. */
function lineText({ polarity, test, limits }: ast.CheckLine, words: Words): string {
  const limited = limits.map((limit) => ` ${limit.kind} ${words.expression(limit.test)}`);
  return `${polarity} ${words.expression(test)}${limited.join("")}`;
}

// ---------------------------------------------------------------- checks and lines

class LineExplainer {
  readonly #world: World;
  readonly #decl: ast.GuardianDecl;
  readonly #words: Words;
  readonly #account: VerdictAccount;
  readonly #subject: Chosen;
  #remarks = 0;

  constructor(
    world: World,
    decl: ast.GuardianDecl,
    source: ConstructorParameters<typeof Words>[0],
    account: VerdictAccount,
  ) {
    this.#world = world;
    this.#decl = decl;
    this.#words = new Words(source);
    this.#account = account;
    this.#subject = subjectChosen(decl.subject, account.answer.subject, world);
  }

  checks(): Draft[] {
    return this.#decl.checks.map((check, index) => {
      const account = this.#account.checks[index];
      return account === undefined ? this.#notReached(check) : this.#check(check, account);
    });
  }

  #notReached(check: ast.CheckDecl): Draft {
    const decided = this.#decl.checks[this.#account.checks.length - 1]?.name.name ?? "";
    return notReached(`check ${check.name.name}`, `check ${decided} has decided`);
  }

  #check(check: ast.CheckDecl, account: CheckAccount): Draft {
    const text = `check ${check.name.name}`;
    if (account.state === undefined) return this.#otherTrack(text, check.lines);
    const children = this.#lines(check, account);
    const count = check.lines.filter(decides).length;
    const last = children[deciderAt(check, account)];
    const passed = account.state === "true";
    const up = passed
      ? `${text} passes: ${count === 1 ? "its line passes" : `${all(count)} lines pass`}.`
      : `${text} does not pass: ${account.state === "late" ? `${account.reasons.join("; ")}.` : (last?.up ?? "")}`;
    return {
      text,
      seen: passed ? children.flatMap((child) => child.seen) : (last?.seen ?? account.reasons),
      down: `${text} passes when every line passes. Lines are checked in order, up to the first that does not.`,
      up,
      outcome: truthOf(account.state),
      method: "check",
      children,
    };
  }

  #otherTrack(text: string, lines: readonly ast.CheckLine[]): Draft {
    this.#remarks += lines.filter((line) => !decides(line)).length;
    return offTrack(text, this.#account.track);
  }

  #lines(check: ast.CheckDecl, account: CheckAccount): Draft[] {
    let at = -1;
    return plainLines(check, this.#world.context.program).map((plain) => {
      const text = lineText(plain.line, this.#words);
      if (!decides(plain.line)) return this.#remark(plain, text);
      at += 1;
      if (at >= account.lines.length) return notReached(text, "a line before it has decided");
      const finding = account.lines[at];
      return finding === undefined ? offTrack(text, this.#account.track) : this.#line(plain, text, finding);
    });
  }

  #line(plain: PlainLine, text: string, finding: LineFinding): Draft {
    const outcome = truthOf(finding.state);
    const { polarity } = plain.line;
    const down = `${text} passes when this ${polarity === "need" ? "holds" : "does not hold"}${plain.each.length > 0 ? `, for each ${plain.each.map(({ type }) => type).join(" and ")}` : ""}.`;
    const base = { text, down, outcome, method: polarity };
    const threw = finding.state === "threw";
    const evaluation = evaluateLine(plain, this.#world, this.#subject, this.#words, threw);
    if (evaluation === undefined || (evaluation.outcome !== outcome && !threw)) {
      const seen = finding.reasons.length === 0 ? ["it passes"] : finding.reasons;
      return {
        ...base,
        seen,
        up: `${text} ${outcome === true ? "passes" : `does not pass: ${seen.join("; ")}`}.`,
        children: [],
      };
    }
    const method = evaluation.method ?? polarity;
    return {
      ...base,
      method,
      seen: evaluation.seen,
      up: lineWords(text, evaluation, finding),
      children: evaluation.children,
    };
  }

  #remark(plain: PlainLine, text: string): Draft {
    const index = this.#remarks;
    this.#remarks += 1;
    const { polarity, track } = plain.line;
    if (this.#account.answer.verdict !== "PASS") return notReached(text, "remarks are made on what passes");
    if (track !== null && track.track.name.toUpperCase() !== this.#account.track) {
      return offTrack(text, this.#account.track);
    }
    const remark = this.#account.remarks[index];
    const evaluation = evaluateLine({ ...plain, each: [] }, this.#world, this.#subject, this.#words);
    const seen = plain.each.length === 0 ? (evaluation?.seen ?? []) : [];
    const conclusion = remark === undefined ? `so there is nothing to ${polarity}` : `so it says ${remark}`;
    return {
      text,
      seen,
      down: `${text} adds a remark when this holds; it never decides.`,
      up: `${seen.length === 0 ? "" : `${seenWords(seen)}, `}${conclusion}.`,
      outcome: remark !== undefined,
      method: polarity,
      children: plain.each.length === 0 ? (evaluation?.children ?? []) : [],
    };
  }
}

/** Returns the position of the line that decided among all lines of the check. */
function deciderAt(check: ast.CheckDecl, { lines }: CheckAccount): number {
  let at = -1;
  return check.lines.findIndex((line) => {
    if (decides(line)) at += 1;
    return decides(line) && at === lines.length - 1;
  });
}

function truthOf(state: LineFinding["state"]): Truth {
  return state === "true" ? true : state === "false" ? false : undefined;
}

export function notReached(text: string, because: string): Draft {
  const up = `${text} was not checked, because ${because}.`;
  return { text, seen: [because], down: `${text} comes next.`, up, outcome: undefined, children: [] };
}

function offTrack(text: string, track: string): Draft {
  const seen = `the track is ${track}`;
  const up = `${seen}, so ${text} does not apply.`;
  return {
    text,
    seen: [seen],
    down: `${text} is for one track only.`,
    up,
    outcome: true,
    method: "track",
    children: [],
  };
}
