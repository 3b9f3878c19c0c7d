/** Completes the end of a line. */
import type { RuleSession } from "../../index.ts";
import { COMMANDS } from "./commands.ts";

/** Returns completions, and the part of the line that they replace. */
export function complete(session: RuleSession, line: string): readonly [hits: readonly string[], replaced: string] {
  const field = /^(?:.*[\s(=])?([\p{L}][\p{L}\p{N}_-]*)\((?:[^()]*,)?\s*([\p{L}\p{N}_-]*)$/u.exec(line);
  const [, command = "", rest = ""] = /^\s*([\p{L}-]+)\s+(.*)$/u.exec(line) ?? [];
  if (field !== null) {
    const fields = among(fieldsOf(session, field[1] ?? ""), field[2] ?? "");
    if (fields[0].length > 0 || !isStatement(command, rest)) return fields;
  }
  if (isStatement(command, rest)) return amongCallable(session, /[\p{L}\p{N}_]*$/u.exec(rest)?.[0] ?? "");
  if (command !== "") return among(argumentsOf(session, command.toLowerCase(), rest), lastWord(command, rest));
  const typed = line.trimStart();
  return among([...COMMANDS.keys(), "help", "quit", ...typesOf(session).map((type) => `${type}(`)], typed);
}

function among(words: readonly string[], typed: string): readonly [hits: readonly string[], replaced: string] {
  return [[...new Set(words)].filter((word) => word.startsWith(typed)).sort(), typed];
}

/** Returns whether a line is a statement of the language, such as a rule, and not a command. */
function isStatement(command: string, rest: string): boolean {
  if (command === "") return false;
  const known = COMMANDS.get(command.toLowerCase());
  return known === undefined || known.statement?.(rest) === true;
}

/** Returns the functions and aggregates whose names begin with what was typed; none as long as nothing was. */
function amongCallable(session: RuleSession, typed: string): ReturnType<typeof among> {
  const names = typed === "" ? [] : session.program.checked.symbols.callableNames();
  return among(
    names.map((name) => `${name}(`),
    typed,
  );
}

/** Returns the part of the arguments to complete; names of rules may have blanks. */
function lastWord(command: string, rest: string): string {
  const lower = command.toLowerCase();
  if (lower === "matches" || lower === "gate") return rest;
  if (lower === "why") return rest.replace(/^not\s+/iu, "").replace(/^[^]*\s[^\s=]+=/u, "");
  return /\S*$/u.exec(rest)?.[0] ?? "";
}

function argumentsOf(session: RuleSession, command: string, rest: string): string[] {
  switch (command) {
    case "facts":
      return typesOf(session);
    case "assert":
      return typesOf(session).map((type) => `${type}(`);
    case "retract":
      return ids(session);
    case "update": {
      const [, id = "", more] = /^(\S+)(\s.*)?$/u.exec(rest) ?? [];
      if (more === undefined) return ids(session);
      return fieldsOf(session, session.fact(id)?.type ?? "");
    }
    case "matches":
      return session.program.network().rules.map(({ name }) => name);
    case "gate":
      return gatesOf(session);
    case "why":
      return whyArguments(session, rest);
    case "query":
      return [...session.program.checked.symbols.queries.names()];
    case "focus":
      return session.program.network().rules.flatMap(({ group }) => group ?? []);
    default:
      return [];
  }
}

/** Returns facts after `p=`, rules after `why not`, and otherwise everything that can be explained. */
function whyArguments(session: RuleSession, rest: string): string[] {
  const rules = session.program.network().rules.map(({ name }) => name);
  if (/\s[^\s=]+=\S*$/u.test(rest)) return ids(session);
  return /^not\s/iu.test(rest) ? rules : [...rules, ...judgesOf(session), ...ids(session), "not "];
}

function gatesOf(session: RuleSession): string[] {
  return [...session.program.checked.symbols.gates.names()];
}

function judgesOf(session: RuleSession): string[] {
  const { guardians, pipelines } = session.program.checked.symbols;
  return [...gatesOf(session), ...guardians.names(), ...pipelines.names()];
}

function ids(session: RuleSession): string[] {
  return session.facts().map(({ id }) => id);
}

function fieldsOf(session: RuleSession, type: string): string[] {
  const declared = session.program
    .data()
    .schema.types.get(type)
    ?.fields.map(({ name }) => name);
  const seen = declared ?? session.facts().flatMap((fact) => (fact.type === type ? Object.keys(fact.fields) : []));
  return seen.map((name) => `${name}: `);
}

/** Returns the types that are declared or have facts. */
function typesOf(session: RuleSession): string[] {
  const declared = [...session.program.data().schema.types.values()].filter((type) => !type.engineKept);
  return [...declared.map(({ name }) => name), ...session.facts().map(({ type }) => type)];
}
