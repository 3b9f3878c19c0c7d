/** Questions of the conversation: why, why not, and what a gate says. */
import { answerText } from "../decide/words.ts";
import { explainedText } from "../explained.ts";
import { definedOnes } from "../usage.ts";
import { answer } from "../why/answer.ts";
import { gatesAsked, gateSummary } from "../why/gates.ts";
import { judged, judgedText, judgeNamed } from "../why/judges.ts";
import { Refusal, type Site } from "./conversation.ts";

/** `why FACT`, `why RULE [p=ID…]`, `why GATE [ID]` (or a guardian or pipeline), `why 3` (a firing), `why not RULE [p=ID…]`. */
export function why(site: Site, rest: string): void {
  const [, not, asked = ""] = /^(not\b)?\s*([^]*)$/iu.exec(rest) ?? [];
  if (asked === "") throw new Refusal("say what: why Person~p1, why RULE, why not RULE p=Person~p1");
  if (not === undefined) return tell(site, asked);
  const { name, bindings } = ruleAsked(site, asked);
  site.say(explainedText(site.session.whyNot(name, bindings), site.paint).trimEnd());
}

function tell(site: Site, asked: string): void {
  const { session, paint } = site;
  const judge = judgeAsked(site, asked) ?? { ...ruleAsked(site, asked), subject: undefined };
  const kind = judgeNamed(session, judge);
  if (kind !== undefined) return site.say(judgedText(judged(session, kind, judge), paint).trimEnd());
  const { name, bindings } = ruleAsked(site, asked);
  const firing = /^[1-9]\d*$/u.test(name) ? session.past(Number(name)) : undefined;
  const id = site.names.get(name) ?? session.program.factNames().get(name) ?? name;
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  const explained =
    firing === undefined || isRule
      ? answer(session, { name: isRule ? name : id, bindings, subject: undefined })
      : session.why(firing.fired);
  site.say(explainedText(explained, paint).trimEnd());
}

/** A gate, guardian or pipeline with a subject behind its name. */
function judgeAsked(site: Site, text: string): (GateAsked & { readonly bindings: Record<string, string> }) | undefined {
  const { gates, guardians, pipelines, rules } = site.session.program.checked.symbols;
  if (rules.get(unquoted(text)) !== undefined) return undefined;
  const known = [...gates.names(), ...guardians.names(), ...pipelines.names()];
  const found = named(site, known, text);
  return found?.subject === undefined ? undefined : { ...found, bindings: {} };
}

/** `gate NAME [ID]`: what a gate says now, also before a run. */
export function gate(site: Site, rest: string): void {
  const names = [...site.session.program.checked.symbols.gates.names()];
  const asked = gateNamed(site, rest);
  if (asked === undefined) {
    const there = definedOnes("gate", names);
    throw new Refusal(rest === "" ? `which gate? ${there}` : `no gate "${unquoted(rest)}": ${there}`);
  }
  const answers = gatesAsked(site.session, asked.name, asked.subject);
  const texts = answers.map((one) => answerText(site.paint, one).join("\n"));
  site.say(texts.length === 0 ? gateSummary(asked.name, answers) : texts.join("\n\n"));
}

interface GateAsked {
  readonly name: string;
  readonly subject: string | undefined;
}

/** A name may have blanks: the longest one that fits counts, and what follows is the subject. */
function gateNamed(site: Site, text: string): GateAsked | undefined {
  return named(site, [...site.session.program.checked.symbols.gates.names()], text);
}

function named({ session, names }: Site, known: readonly string[], text: string): GateAsked | undefined {
  for (const name of known.toSorted((a, b) => b.length - a.length)) {
    for (const written of [name, JSON.stringify(name)]) {
      if (text === written) return { name, subject: undefined };
      if (!text.startsWith(`${written} `)) continue;
      const word = text.slice(written.length).trim();
      if (!/[\s=]/u.test(word))
        return { name, subject: names.get(word) ?? session.program.factNames().get(word) ?? word };
    }
  }
  return undefined;
}

/** A rule, perhaps in quotes, and behind it what its variables stand for: `big spender p=Person~p1`. */
function ruleAsked({ names, session }: Site, text: string): { name: string; bindings: Record<string, string> } {
  const bindings: Record<string, string> = {};
  let name = text.trim();
  for (;;) {
    const found = /^([^]*\S)\s+([\p{L}_][\p{L}\p{N}_-]*)=(\S+)$/u.exec(name);
    if (found === null) break;
    const [, before = "", variable = "", word = ""] = found;
    bindings[variable] = names.get(word) ?? session.program.factNames().get(word) ?? word;
    name = before;
  }
  return { name: unquoted(name), bindings };
}

function unquoted(name: string): string {
  return name.replace(/^"(.*)"$/u, "$1");
}
