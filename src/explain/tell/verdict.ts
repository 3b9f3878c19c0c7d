/**
 * Explains a verdict of a guardian: every check and every line is a step, in written order, with the values it read.
 */
import { factLabel } from "../../base/fact-label.ts";
import type { Truth } from "../../base/truth.ts";
import { type CheckAccount, decidingCheck, decidingFinding, type VerdictAccount } from "../../guardian/account.ts";
import type { LineFinding, Remark } from "../../guardian/line.ts";
import type * as ast from "../../language/ast.ts";
import type { VerdictAnswer } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { type Evaluation, insideSentence, lineReasons, lineWords, evaluateLine } from "./line.ts";
import { Chosen } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { clauseOf, headlineOf, reasonsOf } from "./headline.ts";
import { sentence } from "./operators.ts";
import { type Explanation, numbered } from "./step.ts";
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
  /** What the lines that gave the reasons say in words. */
  readonly sentences: readonly string[];
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
  const { guardian, subject, verdict, reasons, sentences, required_actions, would_fix } = recorded;
  const root = numbered(verdictDraft(world, recorded, account), `${guardian}/${subject}`);
  const decided = account === undefined ? undefined : decidingLine(world, account);
  const details = { reasons, sentences, required_actions, would_fix };
  return { ...root, guardian, subject, says: verdict, decided: textOfDeciding(world, guardian, decided), ...details };
}

export function verdictDraft(world: World, recorded: VerdictAnswer, account: VerdictAccount | undefined): Draft {
  const { guardian, subject, verdict } = recorded;
  const found = world.context.program.symbols.guardians.get(guardian);
  const head = `Guardian "${guardian}" says ${verdict} for ${factLabel(subject)}`;
  const base = { text: `guardian "${guardian}"`, outcome: verdict === "PASS", method: "guardian" };
  const down = `Guardian "${guardian}" was asked about ${factLabel(subject)}`;
  if (account === undefined || found === undefined) {
    const last = `${factLabel(subject)} is no longer one of its subjects, so it cannot be judged again`;
    const up = headlineOf(head, recorded.reasons, { last });
    return { ...base, seen: [`${factLabel(subject)} is no longer judged`], down: `${down}.`, up, children: [] };
  }
  if (account.fault !== undefined) {
    const up = headlineOf(`${head}, because it cannot be judged`, [account.fault]);
    return { ...base, seen: [account.fault], down: `${down}.`, up, children: [] };
  }
  const drafted = unlessStopped<readonly Draft[] | string>(
    () => new LineExplainer(world, found.decl, found.source, account).checks(),
    (words) => words,
  );
  if (typeof drafted === "string") {
    const up = headlineOf(head, recorded.reasons, { last: `why its checks gave this is not shown, ${drafted}` });
    return { ...base, seen: [...recorded.reasons], down: `${down}.`, up, children: [], bound: true };
  }
  const children = drafted;
  const decisive = children[decidingCheck(account) ?? -1];
  const seen = account.answer.verdict === "PASS" ? children.flatMap((child) => child.seen) : (decisive?.seen ?? []);
  const changed = same(recorded, account.answer) ? [] : [`${CHANGED_SINCE} it says ${account.answer.verdict}`];
  return {
    ...base,
    seen: [`the track is ${account.track}, the attempt ${account.answer.attempt}`, ...seen],
    down: `${down}; it looks at its ${plural(found.decl.checks.length, "check")} in order, and the first that does not pass decides.`,
    up: headlineOf(head, [...changed, ...reasonsFor(account, children)], { notes: notesOf(account, found.decl) }),
    children,
  };
}

const CHANGED_SINCE = "the facts have changed since then, and now";

function same(a: VerdictAnswer, b: VerdictAnswer): boolean {
  return a.verdict === b.verdict && a.reasons.join("\n") === b.reasons.join("\n") && a.attempt === b.attempt;
}

// ---------------------------------------------------------------- the headline

/** Returns what decided the verdict; where all is reported, the checks that do not pass either come after it. */
function reasonsFor(account: VerdictAccount, checks: readonly Draft[]): readonly (Reason | string)[] {
  if (account.answer.verdict === "PASS") {
    const count = account.checks.filter(({ state }) => state !== undefined).length;
    return [count === 0 ? "no check applies" : count === 1 ? "its check passes" : `${all(count)} checks pass`];
  }
  return apart(checks.filter((_, index) => hasFailed(account.checks[index])).flatMap(checkReasons));
}

/** Returns several reasons with a number each when a `;` in one of them would hide where the next begins. */
function apart(reasons: readonly Reason[]): readonly Reason[] {
  const distinct = [...new Map(reasons.map((reason) => [reason.words, reason])).values()];
  if (distinct.length < 2 || !distinct.some(({ words }) => words.includes(";"))) return reasons;
  return distinct.map(({ words, brief, ...rest }, index) => {
    const numbered = (text: string): string => `(${index + 1}) ${text}`;
    return { ...rest, words: numbered(words), ...(brief === undefined ? {} : { brief: numbered(brief) }) };
  });
}

function hasFailed(check: CheckAccount | undefined): boolean {
  return check?.state !== undefined && check.state !== "true";
}

/** Returns why a check does not pass. A line that has a sentence says it itself; any other is introduced. */
function checkReasons(check: Draft): readonly Reason[] {
  const [first, ...others] = reasonsOf(check);
  if (first === undefined || first.whole === true) return reasonsOf(check);
  return [{ words: `${check.text} does not pass: ${first.words}`, brief: first.words }, ...others];
}

/** Returns what comes next: whether there is another attempt, and what is required. */
function notesOf(account: VerdictAccount, { checks }: ast.GuardianDecl): readonly string[] {
  const { verdict, flags, warnings } = account.answer;
  const sentences = new Map(account.remarks.map((remark) => [remark?.text, remark?.sentence]));
  const spoken = (texts: readonly string[]): string[] => texts.map((text) => clauseOf(sentences.get(text) ?? text));
  if (verdict === "PASS") return [...remarked("flags", spoken(flags)), ...remarked("warnings", spoken(warnings))];
  const decider = checks[decidingCheck(account) ?? -1];
  return [retryWords(account, decider), ...actionWords(account.answer, decider)];
}

function all(count: number): string {
  return count === 2 ? "both" : `all ${count}`;
}

function remarked(label: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${label}: ${items.join(", ")}`];
}

/** Returns why another attempt is possible, or not. */
function retryWords({ answer, track, max }: VerdictAccount, check: ast.CheckDecl | undefined): string {
  const { verdict, attempt } = answer;
  if (verdict === "RETRY") {
    const which = attempt === 0 ? "the first attempt" : `retry ${attempt}`;
    return `this is ${which}, and ${plural(max - attempt, "retry is", "retries are")} left`;
  }
  if (check !== undefined && isNeverRetried(check)) return `check ${check.name.name} is never retried`;
  if (track === "FAST") return "on the track FAST there is no retry";
  return max === 0 ? "no retry is allowed" : `no retry is left after ${plural(max, "retry", "retries")}`;
}

/** Returns what is required and what would have helped: not with a check that is never retried, but with the others. */
function actionWords(
  { required_actions, would_fix }: VerdictAnswer,
  check: ast.CheckDecl | undefined,
): readonly string[] {
  const helped = check !== undefined && isNeverRetried(check) ? "for the other checks" : "these would have helped";
  return [...remarked("required", required_actions), ...remarked(helped, would_fix)];
}

function isNeverRetried({ modifiers }: ast.CheckDecl): boolean {
  return modifiers.some(({ kind }) => kind === "never-retry");
}

/** Returns a remark in words: its sentence with its code, or the code alone. */
function remarkWords({ text, sentence: own }: Remark): string {
  return own === undefined ? `it says ${text}` : `${insideSentence(own)} (${text})`;
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
    const decided = this.#decl.checks[decidingCheck(this.#account) ?? -1]?.name.name ?? "";
    return notReached(`check ${check.name.name}`, `check ${decided} has decided`);
  }

  #check(check: ast.CheckDecl, account: CheckAccount): Draft {
    const text = `check ${check.name.name}`;
    if (account.state === undefined) return this.#otherTrack(text, check.lines);
    const children = this.#lines(check, account);
    const count = check.lines.filter(decides).length;
    const last = children[deciderAt(check, account)];
    const passed = account.state === "true";
    const failing = children.filter((_, index) => isFailing(check, account, index));
    const reasons =
      account.state === "late" || last === undefined
        ? account.reasons.map((words) => ({ words }))
        : failing.flatMap(reasonsOf);
    const up = passed
      ? `${text} passes: ${count === 1 ? "its line passes" : `${all(count)} lines pass`}.`
      : `${text} does not pass: ${this.#why(account, reasons, last)}${this.#whatFollows(check, account)}`;
    return {
      text,
      ...(passed ? {} : { reasons }),
      seen: passed ? children.flatMap((child) => child.seen) : (last?.seen ?? account.reasons),
      down: `${text} passes when every line passes. Lines are checked in order, up to the first that does not.`,
      up,
      outcome: truthOf(account.state),
      method: "check",
      children,
    };
  }

  /** Returns why a check does not pass: what its lines say, or else the step of the line that decided. */
  #why({ state, reasons: late }: CheckAccount, reasons: readonly Reason[], last: Draft | undefined): string {
    if (state === "late") return `${late.join("; ")}.`;
    if (reasons.some(({ whole }) => whole !== true)) return last?.up ?? "";
    return `${reasons.map(({ words }) => words).join("; ")}.`;
  }

  /** Returns what follows from a check that decided: whether it is retried, and what is required. */
  #whatFollows(check: ast.CheckDecl, account: CheckAccount): string {
    if (account !== this.#account.checks[decidingCheck(this.#account) ?? -1]) return "";
    const notes = [retryWords(this.#account, check), ...actionWords(this.#account.answer, check)];
    return notes.map((note) => ` ${note.charAt(0).toUpperCase()}${note.slice(1)}.`).join("");
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
        reasons: seen.toReversed().map((words) => ({ words })),
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
      ...(outcome === true ? {} : { reasons: lineReasons(text, evaluation, finding) }),
      children: finding.sentence === undefined ? evaluation.children : stepsBelow(evaluation),
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
    const conclusion = remark === undefined ? `there is nothing to ${polarity}` : remarkWords(remark);
    return {
      text,
      seen,
      down: `${text} adds a remark when this holds; it never decides.`,
      up: sentence(seen, conclusion, remark?.sentence === undefined ? ", so " : "; "),
      outcome: remark !== undefined,
      method: polarity,
      children: plain.each.length === 0 ? (evaluation?.children ?? []) : [],
    };
  }
}

/** Returns the steps below a line that says a sentence: they show what was computed. */
function stepsBelow({ single, children }: Evaluation): readonly Draft[] {
  return single === undefined ? children : [single];
}

/** Returns the position of the line that decided among all lines of the check. */
function deciderAt(check: ast.CheckDecl, account: CheckAccount): number {
  const decider = check.lines.filter(decides)[decidingFinding(account)];
  return check.lines.findIndex((line) => line === decider);
}

/** Returns whether the line at a position of the check is one that did not pass. */
function isFailing(check: ast.CheckDecl, { lines }: CheckAccount, index: number): boolean {
  const line = check.lines[index];
  const finding = line !== undefined && decides(line) ? lines[check.lines.filter(decides).indexOf(line)] : undefined;
  return finding !== undefined && finding.state !== "true";
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
