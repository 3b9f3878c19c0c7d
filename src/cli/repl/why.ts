/** The commands why, why not and gate. */
import { gateText } from "../decide/gate-text.ts";
import { explanationText } from "../explanation-text.ts";
import { definedNames } from "../arguments.ts";
import { answer, whyNot } from "../why/answer.ts";
import { gateAnswers, gateSummary } from "../why/gates.ts";
import { judgeReport, judgeReportText, judgeKind } from "../why/reports.ts";
import { CommandError, type ReplContext } from "./context.ts";
import { factIdOf, isQuoted, subjectIn, unquoted } from "./fact-reference.ts";

/** Runs `why FACT`, `why RULE [p=FACT…]`, `why GATE [FACT]` (or a guardian, pipeline or flow), `why 3` (a firing), `why not RULE [p=FACT…]`. */
export function why(context: ReplContext, rest: string): void {
  const [, not, asked = ""] = /^(not\b)?\s*([^]*)$/iu.exec(rest) ?? [];
  if (asked === "")
    throw new CommandError(
      "name a fact, rule, gate, guardian, pipeline, flow or firing: why Person p1, why RULE, why not RULE p=Person~p1",
    );
  if (not === undefined) return explain(context, asked);
  const { name, bindings } = ruleReference(context, asked);
  context.say(explanationText(whyNot(context.session, name, bindings), context.paint).trimEnd());
}

function explain(context: ReplContext, asked: string): void {
  const { session, paint } = context;
  const judge = judgeWithSubject(context, asked) ?? { ...ruleReference(context, asked), subject: undefined };
  const kind = judgeKind(session, judge);
  if (kind !== undefined) return context.say(judgeReportText(judgeReport(session, kind, judge), paint).trimEnd());
  const { name, bindings } = ruleReference(context, asked);
  const firing = /^[1-9]\d*$/u.test(name) ? session.past(Number(name)) : undefined;
  const id = factIdOf(context, name);
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  const explained =
    firing === undefined || isRule
      ? answer(session, { name: isRule ? name : id, bindings, subject: undefined })
      : session.why(firing.fired);
  context.say(explanationText(explained, paint).trimEnd());
}

/** Returns a gate, guardian, pipeline or flow with a subject after its name; undefined for anything else. */
function judgeWithSubject(
  context: ReplContext,
  text: string,
): (JudgeReference & { readonly bindings: Record<string, string> }) | undefined {
  const { gates, guardians, pipelines, flows, rules } = context.session.program.checked.symbols;
  if (rules.get(unquoted(text)) !== undefined) return undefined;
  const known = [gates, guardians, pipelines, flows].flatMap((names) => [...names.names()]);
  const found = judgeReference(context, known, text);
  return found?.subject === undefined ? undefined : { ...found, bindings: {} };
}

/** Runs `gate NAME [FACT]`: evaluates a gate, also before a run. */
export function gate(context: ReplContext, rest: string): void {
  const names = [...context.session.program.checked.symbols.gates.names()];
  const asked = gateReference(context, rest);
  if (asked === undefined) {
    const defined = definedNames("gate", names);
    throw new CommandError(rest === "" ? `name a gate: ${defined}` : `no gate "${unquoted(rest)}": ${defined}`);
  }
  const answers = gateAnswers(context.session, asked.name, asked.subject);
  const texts = answers.map((one) => gateText(context.paint, one).join("\n"));
  context.say(texts.length === 0 ? gateSummary(asked.name, answers) : texts.join("\n\n"));
}

interface JudgeReference {
  readonly name: string;
  readonly subject: string | undefined;
}

/** Returns the gate of a line. A name may have blanks: the longest that fits counts, and what follows is the subject. */
function gateReference(context: ReplContext, text: string): JudgeReference | undefined {
  return judgeReference(context, [...context.session.program.checked.symbols.gates.names()], text);
}

function judgeReference(context: ReplContext, known: readonly string[], text: string): JudgeReference | undefined {
  for (const name of known.toSorted((a, b) => b.length - a.length)) {
    for (const written of [name, JSON.stringify(name)]) {
      if (text === written) return { name, subject: undefined };
      if (!text.startsWith(`${written} `)) continue;
      const word = text.slice(written.length).trim();
      const isFact = factIdOf(context, word) !== word;
      if (isFact || !/[\s=]/u.test(word) || isQuoted(word)) return { name, subject: subjectIn(context, word) };
    }
  }
  return undefined;
}

/** Splits a rule, perhaps in quotes, from the facts of its variables: `big spender p=Person~p1`. */
function ruleReference(context: ReplContext, text: string): { name: string; bindings: Record<string, string> } {
  const bindings: Record<string, string> = {};
  let name = text.trim();
  for (;;) {
    const found = /^([^]*\S)\s+([\p{L}_][\p{L}\p{N}_-]*)=("[^"]*"|\S+)$/u.exec(name);
    if (found === null) break;
    const [, before = "", variable = "", word = ""] = found;
    bindings[variable] = subjectIn(context, factIdOf(context, word));
    name = before;
  }
  return { name: unquoted(name), bindings };
}
