/** Converts between requirements as data (RET JSON) and gates of a program. */
import { refuseUnknownOptions } from "../base/known-options.ts";
import { authorText } from "../plan/author-text.ts";
import type * as ast from "../language/ast.ts";
import { conditionsOf, GateJsonError, type RetRequirement } from "../gates/ret-json.ts";
import { textWords } from "../language/print-words.ts";
import { unknownName } from "../session/errors.ts";
import type { Program } from "./program.ts";
import { parse } from "./source.ts";

/** Options of {@link gateSource}. */
export interface GateSourceOptions {
  /** The name of the new gate. */
  readonly name: string;
  /**
   * The name of an existing gate whose subject, logic and trust settings the new gate gets. Default: none; the subject is
   * then what all conditions with one argument are about.
   */
  readonly like?: string;
}

/**
 * Returns the source text of a gate with the given requirement. Pass it to {@link Program.extend} to add the gate to a
 * program. A condition name may be followed by arguments; without them, a condition with one parameter is asked about
 * the subject.
 *
 * @throws {@link GateJsonError} E542 when a leaf is not one condition or test, or lacks its arguments; {@link SessionError} E213 when `like`
 *   names no gate.
 *
 * @example
 * ```ts
 * const program = compile(`
 *   type Release(#id: string, ok: bool)
 *   condition ready(r: Release) : r.ok
 *   gate "deploy" for r: Release { require ready(r) }`);
 * const requirement = gateFromJson({ Not: { Condition: "ready" } });
 * const more = program.extend(gateSource(program, requirement, { name: "blocked", like: "deploy" }));
 * gateToJson(gateRequirement(more, "blocked")); // => { Not: { Condition: "ready(r)" } }
 * ```
 */
export function gateSource(program: Program, requirement: RetRequirement, options: GateSourceOptions): string {
  refuseUnknownOptions(options, { name: true, like: true });
  const { name, like } = options;
  const model = like === undefined ? undefined : gateNamed(program, like);
  const text = (node: { readonly span: ast.Ident["span"] }): string =>
    model === undefined ? "" : authorText(model.source, node.span);
  const subject = model === undefined ? subjectOfConditions(program, requirement) : modelSubject(model, text);
  const settings = model?.decl.settings.filter((one) => one.kind !== "require") ?? [];
  const about = subject === undefined ? "" : ` for ${subject.pattern}`;
  const leaf = leafWriter(program, name, subject);
  const lines = [...settings.map(text), `require ${requirementText(requirement, "$", leaf)}`];
  return `gate ${textWords(name)}${about} {\n${lines.map((line) => `    ${line}`).join("\n")}\n}\n`;
}

/** The subject of a new gate. */
interface Subject {
  /** What follows `for`. */
  readonly pattern: string;
  readonly type: string;
  readonly variable: string;
}

function modelSubject({ decl }: Gate, text: (node: ast.Pattern) => string): Subject | undefined {
  if (decl.subject === null) return undefined;
  const { type, variable } = decl.subject;
  const pattern = text(decl.subject);
  if (variable !== null) return { pattern, type: type.name, variable: variable.name };
  return { pattern: `subject: ${pattern}`, type: type.name, variable: "subject" };
}

/** Returns the subject that all conditions with one argument are about; undefined when they do not agree on one. */
function subjectOfConditions(program: Program, requirement: RetRequirement): Subject | undefined {
  const asked = conditionsOf(requirement).flatMap(({ name }) => {
    const params = neededOf(paramsOf(program, name) ?? []);
    return params.length === 0 ? [] : [params];
  });
  const [first] = asked[0] ?? [];
  const type = first === undefined ? undefined : factTypeOf(program, first);
  if (first === undefined || type === undefined) return undefined;
  if (asked.some(([one, another]) => one === undefined || another !== undefined || factTypeOf(program, one) !== type))
    return undefined;
  return { pattern: `${first.name.name}: ${type}`, type, variable: first.name.name };
}

/**
 * Returns the requirement of a gate of the program as data. Leaves are named by the author's own text.
 *
 * @throws {@link SessionError} E213 when there is no such gate.
 */
export function gateRequirement(program: Program, name: string): RetRequirement {
  const { decl, source } = gateNamed(program, name);
  const required = decl.settings.find((one) => one.kind === "require")?.test;
  if (required === undefined || required === null) throw new Error("the checker refuses a gate that requires nothing");
  const read = (expr: ast.Expr): RetRequirement => {
    switch (expr.kind) {
      case "not":
        return { kind: "not", item: read(expr.operand) };
      case "logic":
        return { kind: expr.op === "and" ? "all" : "any", items: expr.items.map(read) };
      case "quorum":
        return { kind: "at least", min: expr.count.value, items: expr.items.map(read) };
      default:
        return { kind: "condition", name: authorText(source, expr.span) };
    }
  };
  return read(required);
}

/** Throws E542 unless the text is one condition or test: it becomes part of a program. */
function refuseAllButOneLeaf(text: string, path: string): void {
  const { declarations, diagnostics, comments } = parse(`gate g { require (${text}\n) }`);
  if (comments.length > 0) throw new GateJsonError(path, `${JSON.stringify(text)} contains a comment; remove it`);
  const [decl, ...others] = declarations;
  const required = decl?.kind === "gate" && decl.reactions.length === 0 ? decl.settings : [];
  const [setting, ...more] = required;
  const test = setting?.kind === "require" ? setting.test : null;
  const one = test !== null && !["not", "logic", "quorum"].includes(test.kind);
  if (one && others.length + more.length === 0 && !diagnostics.some(({ severity }) => severity === "error")) return;
  throw new GateJsonError(path, `${JSON.stringify(text)} is neither the name of a condition nor a single test`);
}

type Gate = NonNullable<ReturnType<Program["checked"]["symbols"]["gates"]["get"]>>;

function gateNamed(program: Program, name: string): Gate {
  const gate = program.checked.symbols.gates.get(name);
  if (gate === undefined) throw unknownName("gate", "gates", name, program.checked.symbols.gates.names());
  return gate;
}

/** Writes a condition, or a test, as source; throws E542 with its path when it cannot be asked. */
type LeafWriter = (name: string, path: string) => string;

/** Returns a requirement as source text. `all` of nothing is `true` and `any` of nothing `false`: an empty list is an error. */
function requirementText(requirement: RetRequirement, path: string, leaf: LeafWriter): string {
  const all = (items: readonly RetRequirement[], key: string): string =>
    items.map((item, index) => requirementText(item, `${path}.${key}[${index}]`, leaf)).join(", ");
  switch (requirement.kind) {
    case "condition":
      return leaf(requirement.name, `${path}.Condition`);
    case "not": {
      const item = requirementText(requirement.item, `${path}.Not`, leaf);
      return requirement.item.kind === "condition" ? `not ${item}` : `not (${item})`;
    }
    case "at least":
      return `at least ${requirement.min} of (${all(requirement.items, "RequireGroup.reqs")})`;
    default:
      if (requirement.items.length === 0) return requirement.kind === "all" ? "true" : "false";
      return `${requirement.kind}(${all(requirement.items, requirement.kind === "all" ? "And" : "Or")})`;
  }
}

function leafWriter(program: Program, gate: string, subject: Subject | undefined): LeafWriter {
  return (name, path) => {
    const params = paramsOf(program, name);
    if (params === undefined) {
      refuseAllButOneLeaf(name, path);
      return `(${name})`;
    }
    const [first, second] = params;
    const type = first === undefined || second !== undefined ? undefined : factTypeOf(program, first);
    if (subject !== undefined && type === subject.type) return `${name}(${subject.variable})`;
    const needed = neededOf(params);
    if (needed.length === 0) return name;
    if (type === undefined) throw new GateJsonError(path, needsArguments(name, needed));
    if (subject === undefined)
      throw new GateJsonError(
        path,
        `gate "${gate}" has no subject: name a gate of the program whose subject it has with "like"`,
      );
    throw new GateJsonError(path, `condition ${name} is about ${type}, but gate "${gate}" is about ${subject.type}`);
  };
}

function needsArguments(name: string, needed: readonly ast.FieldDecl[]): string {
  const call = `${name}(${needed.map((param) => param.name.name).join(", ")})`;
  return `condition ${name} needs arguments: write them after the name, as in "${call}"`;
}

// ---------------------------------------------------------------- conditions

/** Returns the parameters of a condition of the program; undefined when there is no such condition. */
function paramsOf(program: Program, name: string): readonly ast.FieldDecl[] | undefined {
  return program.checked.symbols.conditions.get(name)?.decl.params;
}

function neededOf(params: readonly ast.FieldDecl[]): readonly ast.FieldDecl[] {
  return params.filter((param) => !param.optional && param.default === null);
}

function factTypeOf(program: Program, { type }: ast.FieldDecl): string | undefined {
  const found = program.checked.symbols.typeOfRef(type);
  return found.kind === "fact" ? found.type : undefined;
}
