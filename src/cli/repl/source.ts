/** Lines of source: facts are asserted, other statements become part of the program. */
import { CompileError, type Diagnostic, parse, type Program, renderDiagnostic, type RuleSession } from "../../index.ts";
import { firstOf, omittedText, plural } from "../report.ts";
import { factText } from "../watch/firings.ts";
import { CommandError, type ReplContext } from "./context.ts";

type Tree = ReturnType<typeof parse>;
type Declaration = Tree["declarations"][number];
type FactDeclaration = Extract<Declaration, { kind: "fact" }>;
type Value = FactDeclaration["fact"]["args"][number]["value"];

const FILE = "<line>";

/** The role of the user, who may state facts of protected types. */
export const BY_AUTHOR = { role: "policy" } as const;

/** Returns whether a bracket or a comment is open, so that more lines follow. */
export function isUnfinished(source: string): boolean {
  let depth = 0;
  const pieces = source.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[^]*?\*\/|\/\*|[([{)\]}]/gu);
  for (const [piece] of pieces) {
    if (piece === "/*") return true;
    if ("([{".includes(piece)) depth += 1;
    else if (")]}".includes(piece)) depth -= 1;
  }
  return depth > 0;
}

export function stateSource(context: ReplContext, source: string): void {
  const { declarations } = treeOf(source);
  const facts = declarations.filter((decl) => decl.kind === "fact");
  if (facts.length === declarations.length) return assertFacts(context, facts);
  if (facts.length > 0) throw new CommandError("enter facts and other statements separately");
  const { session } = context;
  session.reload(extended(session.program, source));
  const waiting = session.agenda().length;
  context.say(`${plural(declarations.length, "statement")} added; ${waiting} waiting to fire`);
}

function extended(program: Program, source: string): Program {
  const file = `<line ${program.checked.files.length}>`;
  try {
    return program.extend(source, { file });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const errors = error.diagnostics.filter((one) => one.severity === "error");
    throw new CommandError(framesOf(errors, (one) => (one.file === file ? source : undefined)));
  }
}

function treeOf(source: string): Tree {
  const tree = parse(source, { file: FILE });
  const errors = tree.diagnostics.filter((one) => one.severity === "error");
  if (errors.length === 0) return tree;
  const [word = ""] = source.trim().split(/\s/u);
  const hint = /^[\p{L}-]+$/u.test(word) ? '\n(type "help" for a list of commands)' : "";
  throw new CommandError(`${framesOf(errors, () => source)}${hint}`);
}

function framesOf(errors: readonly Diagnostic[], textOf: (one: Diagnostic) => string | undefined): string {
  const { shown, omitted } = firstOf(errors);
  const frames = shown.map((one) => renderDiagnostic(one, textOf(one), { color: false }));
  return [...frames, ...(omitted.length === 0 ? [] : omittedText(omitted))].join("\n");
}

/** Asserts the facts of `assert Person(…), Person(…)`: all or none. */
export function assertSource(context: ReplContext, source: string): void {
  const { declarations } = treeOf(source);
  const facts = declarations.filter((decl) => decl.kind === "fact");
  if (facts.length === 0 || facts.length < declarations.length) {
    throw new CommandError('"assert" takes facts, for example: assert Person(id: "p1", age: 30)');
  }
  assertFacts(context, facts);
}

function assertFacts(context: ReplContext, facts: readonly FactDeclaration[]): void {
  const { session, names } = context;
  const made = session.batch(() =>
    facts.map(({ name, fact }) => {
      const { id } = session.assert(fact.type.name, fieldsOf(context, fact), BY_AUTHOR);
      if (name !== null) names.set(name.name, id);
      return id;
    }),
  );
  for (const { fact } of facts) context.follow(fact.type.name, fieldsOf(context, fact));
  for (const id of made) {
    const fact = session.fact(id);
    if (fact !== undefined) context.say(`+ ${factText(fact.id, fact.fields)}`);
  }
}

/** Returns the values of `age: 31, status: "VIP"`, with or without braces. */
export function changesOf(context: ReplContext, text: string): Record<string, unknown> {
  const inner = text.replace(/^\{([^]*)\}$/u, "$1");
  const [decl] = treeOf(`Change(${inner})`).declarations;
  const args = decl?.kind === "fact" ? decl.fact.args : [];
  if (args.length === 0 || args.some((arg) => arg.name === null)) {
    throw new CommandError("name the fields to change: update Person p1 age: 31");
  }
  return Object.fromEntries(args.map((arg) => [arg.name?.name ?? "", dataOf(context, arg.value) ?? null]));
}

function fieldsOf(context: ReplContext, { type, args }: FactDeclaration["fact"]): Record<string, unknown> {
  const declared = context.session.program.data().schema.types.get(type.name)?.fields ?? [];
  const entries = args.map((arg, index) => {
    const name = arg.name?.name ?? declared[index]?.name;
    if (name === undefined)
      throw new CommandError(`${type.name} has ${declared.length} fields; write the others as field: value`);
    return [name, dataOf(context, arg.value)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the value of an expression. A bare word is the name of a fact, or a string. */
function dataOf(context: ReplContext, value: Value): unknown {
  switch (value.kind) {
    case "text":
    case "number":
    case "bool":
      return value.value;
    case "time":
      return value.written;
    case "amount":
      if (value.of === "months") throw new CommandError("a duration has no months; write days, or the two dates");
      return `${value.value < 0 ? "-" : ""}PT${Math.abs(value.value) / 1000}S`;
    case "list":
      return value.items.map((item) => dataOf(context, item));
    case "object":
      return Object.fromEntries(value.entries.map(({ name, value: inner }) => [name.name, dataOf(context, inner)]));
    case "path": {
      const { name } = value.root;
      if (value.fields.length > 0)
        throw new CommandError("a value must be a string, a number, true, false, a list or a name");
      return name.toLowerCase() === "null"
        ? undefined
        : (context.names.get(name) ?? namedFact(context.session, name) ?? name);
    }
    default:
      throw new CommandError("a value must be a string, a number, true, false, a list or a name");
  }
}

/** Returns the id of a fact of the program with this name. */
function namedFact(session: RuleSession, name: string): string | undefined {
  return session.program.factNames().get(name);
}
