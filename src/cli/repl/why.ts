/** Questions of the conversation: why, why not, and what a gate says. */
import { gateText } from "../decide/gate-text.ts";
import { explanationText } from "../explanation-text.ts";
import { definedNames } from "../arguments.ts";
import { answer } from "../why/answer.ts";
import { gateAnswers, gateSummary } from "../why/gates.ts";
import { judgeReport, judgeReportText, judgeKind } from "../why/reports.ts";
import { CommandError, type ReplContext } from "./context.ts";
import { factIdOf, unquoted } from "./fact-reference.ts";

/** `why FACT`, `why RULE [p=ID…]`, `why GATE [ID]` (or a guardian or pipeline), `why 3` (a firing), `why not RULE [p=ID…]`. */
export function why(context: ReplContext, rest: string): void {
  const [, not, asked = ""] = /^(not\b)?\s*([^]*)$/iu.exec(rest) ?? [];
  if (asked === "") throw new CommandError("say what: why Person~p1, why RULE, why not RULE p=Person~p1");
  if (not === undefined) return tell(context, asked);
  const { name, bindings } = ruleAsked(context, asked);
  context.say(explanationText(context.session.whyNot(name, bindings), context.paint).trimEnd());
}

function tell(context: ReplContext, asked: string): void {
  const { session, paint } = context;
  const judge = judgeAsked(context, asked) ?? { ...ruleAsked(context, asked), subject: undefined };
  const kind = judgeKind(session, judge);
  if (kind !== undefined) return context.say(judgeReportText(judgeReport(session, kind, judge), paint).trimEnd());
  const { name, bindings } = ruleAsked(context, asked);
  const firing = /^[1-9]\d*$/u.test(name) ? session.past(Number(name)) : undefined;
  const id = factIdOf(context, name);
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  const explained =
    firing === undefined || isRule
      ? answer(session, { name: isRule ? name : id, bindings, subject: undefined })
      : session.why(firing.fired);
  context.say(explanationText(explained, paint).trimEnd());
}

/** A gate, guardian or pipeline with a subject behind its name. */
function judgeAsked(
  context: ReplContext,
  text: string,
): (GateAsked & { readonly bindings: Record<string, string> }) | undefined {
  const { gates, guardians, pipelines, rules } = context.session.program.checked.symbols;
  if (rules.get(unquoted(text)) !== undefined) return undefined;
  const known = [...gates.names(), ...guardians.names(), ...pipelines.names()];
  const found = named(context, known, text);
  return found?.subject === undefined ? undefined : { ...found, bindings: {} };
}

/** `gate NAME [ID]`: what a gate says now, also before a run. */
export function gate(context: ReplContext, rest: string): void {
  const names = [...context.session.program.checked.symbols.gates.names()];
  const asked = gateNamed(context, rest);
  if (asked === undefined) {
    const there = definedNames("gate", names);
    throw new CommandError(rest === "" ? `which gate? ${there}` : `no gate "${unquoted(rest)}": ${there}`);
  }
  const answers = gateAnswers(context.session, asked.name, asked.subject);
  const texts = answers.map((one) => gateText(context.paint, one).join("\n"));
  context.say(texts.length === 0 ? gateSummary(asked.name, answers) : texts.join("\n\n"));
}

interface GateAsked {
  readonly name: string;
  readonly subject: string | undefined;
}

/** A name may have blanks: the longest one that fits counts, and what follows is the subject. */
function gateNamed(context: ReplContext, text: string): GateAsked | undefined {
  return named(context, [...context.session.program.checked.symbols.gates.names()], text);
}

function named(context: ReplContext, known: readonly string[], text: string): GateAsked | undefined {
  for (const name of known.toSorted((a, b) => b.length - a.length)) {
    for (const written of [name, JSON.stringify(name)]) {
      if (text === written) return { name, subject: undefined };
      if (!text.startsWith(`${written} `)) continue;
      const word = text.slice(written.length).trim();
      const subject = factIdOf(context, word);
      if (!/[\s=]/u.test(word) || subject !== word) return { name, subject };
    }
  }
  return undefined;
}

/** A rule, perhaps in quotes, and behind it what its variables stand for: `big spender p=Person~p1`. */
function ruleAsked(context: ReplContext, text: string): { name: string; bindings: Record<string, string> } {
  const bindings: Record<string, string> = {};
  let name = text.trim();
  for (;;) {
    const found = /^([^]*\S)\s+([\p{L}_][\p{L}\p{N}_-]*)=("[^"]*"|\S+)$/u.exec(name);
    if (found === null) break;
    const [, before = "", variable = "", word = ""] = found;
    bindings[variable] = factIdOf(context, word);
    name = before;
  }
  return { name: unquoted(name), bindings };
}
