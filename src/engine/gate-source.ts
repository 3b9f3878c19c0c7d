/** Converts between requirements as data (RET JSON) and gates of a program. */
import { authorText } from "../plan/author-text.ts";
import type * as ast from "../language/ast.ts";
import { GateJsonError, type RetRequirement } from "../gates/ret-json.ts";
import { unknownName } from "../session/errors.ts";
import type { Program } from "./program.ts";
import { parse } from "./source.ts";

/** Options of {@link gateSource}. */
export interface GateSourceOptions {
  /** The name of the new gate. */
  readonly name: string;
  /** The name of an existing gate whose subject, logic and trust settings the new gate gets. */
  readonly like?: string;
}

/**
 * Returns the source text of a gate with the given requirement. Pass it to {@link Program.extend} to add the gate to a
 * program. A condition name may be followed by arguments; without them, a condition with one parameter is asked about
 * the subject.
 *
 * @throws {@link GateJsonError} E542 when a leaf is not one condition or test, {@link SessionError} E213 when `like`
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
 * gateToJson(gateRequirement(more, "blocked")); // => { Not: { Condition: "(ready(r))" } }
 * ```
 */
export function gateSource(program: Program, requirement: RetRequirement, { name, like }: GateSourceOptions): string {
  const model = like === undefined ? undefined : gateNamed(program, like);
  const text = (node: { readonly span: ast.Ident["span"] }): string =>
    model === undefined ? "" : authorText(model.source, node.span);
  const subject = model?.decl.subject ?? null;
  const settings = model?.decl.settings.filter((one) => one.kind !== "require") ?? [];
  const about = subject === null ? "" : ` for ${text(subject)}`;
  const lines = [...settings.map(text), `require ${requirementText(program, requirement, subject?.variable?.name)}`];
  return `gate ${JSON.stringify(name)}${about} {\n${lines.map((line) => `    ${line}`).join("\n")}\n}\n`;
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
function refuseAllButOneLeaf(text: string): void {
  const { declarations, diagnostics } = parse(`gate g { require (${text}\n) }`);
  const [decl, ...others] = declarations;
  const required = decl?.kind === "gate" && decl.reactions.length === 0 ? decl.settings : [];
  const [setting, ...more] = required;
  const test = setting?.kind === "require" ? setting.test : null;
  const one = test !== null && !["not", "logic", "quorum"].includes(test.kind);
  if (one && others.length + more.length === 0 && !diagnostics.some(({ severity }) => severity === "error")) return;
  throw new GateJsonError("Condition", `${JSON.stringify(text)} is neither the name of a condition nor a single test`);
}

function gateNamed(
  program: Program,
  name: string,
): NonNullable<ReturnType<Program["checked"]["symbols"]["gates"]["get"]>> {
  const gate = program.checked.symbols.gates.get(name);
  if (gate === undefined) throw unknownName("gate", "gates", name, program.checked.symbols.gates.names());
  return gate;
}

/** Returns a requirement as source text. `all` of nothing is `true` and `any` of nothing `false`: an empty list is an error. */
function requirementText(program: Program, requirement: RetRequirement, subject: string | undefined): string {
  const all = (items: readonly RetRequirement[]): string =>
    items.map((item) => requirementText(program, item, subject)).join(", ");
  switch (requirement.kind) {
    case "condition":
      return leafText(program, requirement.name, subject);
    case "not":
      return `not (${requirementText(program, requirement.item, subject)})`;
    case "at least":
      return `at least ${requirement.min} of (${all(requirement.items)})`;
    default:
      if (requirement.items.length === 0) return requirement.kind === "all" ? "true" : "false";
      return `${requirement.kind}(${all(requirement.items)})`;
  }
}

function leafText(program: Program, name: string, subject: string | undefined): string {
  const params = program.checked.symbols.conditions.get(name)?.decl.params;
  if (params === undefined) {
    refuseAllButOneLeaf(name);
    return `(${name})`;
  }
  return params.length === 1 && subject !== undefined ? `${name}(${subject})` : name;
}
