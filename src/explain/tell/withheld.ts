/**
 * Says which parts of a pipeline may not be shown, because an `after` blocked an answer: those that read what the answer is
 * made of.
 *
 * It is decided by what a test reads, not by the words that would be shown: the answer can occur in them in another form,
 * such as `upper(r.body)`, a number, or the key of a fact.
 */
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { forEachNode } from "../../language/walk.ts";

/** What stands in the place of values that may not be shown. */
export const VALUES_WITHHELD = "its values are withheld";

export class AnswerSources {
  /** The names of the fields that the answer is made of. */
  readonly #fields: ReadonlySet<string>;
  readonly #program: CheckedProgram;

  /** `answer` is the expression of the answer that was blocked; null for one without an expression. */
  constructor(program: CheckedProgram, answer: ast.Expr | null) {
    this.#program = program;
    const fields = new Set<string>();
    forEachPath(answer, ({ root, fields: read }) => {
      for (const { name } of read.length === 0 ? [root] : read) fields.add(name);
    });
    this.#fields = fields;
  }

  /** Returns whether the answer is a text of the author alone, which reads no fact. */
  get isConstant(): boolean {
    return this.#fields.size === 0;
  }

  /**
   * Returns whether a part reads a field that the answer is made of, or names facts by it: a field of that name, of whatever
   * fact, or a pattern whose type has it as a key.
   */
  areReadBy(part: unknown): boolean {
    return !this.isConstant && this.#isRead(part, new Set());
  }

  /** Goes on into the conditions, gates and guardians that a part asks, each once. */
  #isRead(part: unknown, seen: Set<unknown>): boolean {
    let found = false;
    forEachNode(part, (node) => {
      if (found) return;
      const one = node as unknown as ast.PathExpr | ast.Pattern | ast.CallExpr | ast.OutcomeExpr;
      if (one.kind === "path") found = [one.root, ...one.fields].some(({ name }) => this.#fields.has(name));
      if (one.kind === "pattern") found = this.#isKeyOf(one.type.name);
      const asked = this.#asked(one);
      if (asked === undefined || seen.has(asked)) return;
      seen.add(asked);
      found = this.#isRead(asked, seen);
    });
    return found;
  }

  #asked(node: ast.PathExpr | ast.Pattern | ast.CallExpr | ast.OutcomeExpr): unknown {
    const { conditions, functions, gates, guardians } = this.#program.symbols;
    if (node.kind === "call") return (conditions.get(node.name.name) ?? functions.get(node.name.name))?.decl;
    return node.kind === "outcome" ? (node.of === "gate" ? gates : guardians).get(node.name.name)?.decl : undefined;
  }

  #isKeyOf(type: string): boolean {
    const fields = this.#program.symbols.type(type)?.fields.values() ?? [];
    return [...fields].some(({ key, name }) => key && this.#fields.has(name));
  }
}

function forEachPath(part: unknown, visit: (path: ast.PathExpr) => void): void {
  forEachNode(part, (node) => {
    if (node["kind"] === "path") visit(node as unknown as ast.PathExpr);
  });
}
