/** The types of the facts whose fields the paths of a question read: `d.text` reads `Draft.text`. */
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { forEachNode } from "../../language/walk.ts";

export class Owners {
  readonly #program: CheckedProgram;
  /** The types of the facts that each variable stands for: conditions can use one name for different types. */
  readonly #variables = new Map<string, Set<string>>();
  /** The types of the patterns around bare names. */
  readonly #own = new Map<ast.PathExpr, string>();

  /** Reads the variables of the patterns, sources and parameters among the nodes. */
  constructor(nodes: unknown, program: CheckedProgram) {
    this.#program = program;
    forEachNode(nodes, (found) => {
      const node = found as unknown as ast.Pattern | ast.SourceVar | ast.ConditionDecl;
      if (node.kind === "condition") for (const { name, type } of node.params) this.#addParam(name.name, type);
      if (node.kind === "source") this.#addVariable(node.variable.name, node.type.name);
      if (node.kind === "pattern") this.#addPattern(node);
    });
  }

  /** Returns the last field of a path with its type, `Draft.text`; with `?` for a type that is not known. */
  lastFields(path: ast.PathExpr): string[] {
    const names = path.fields.map(({ name }) => name);
    const own = this.#program.resolutions.get(path) === "own-field";
    const [last, ...before] = (own ? [path.root.name, ...names] : names).toReversed();
    if (last === undefined) return [];
    const types = this.#typesAfter(this.#rootTypes(path), before.toReversed());
    return types.length === 0 ? [`?.${last}`] : types.map((type) => `${type}.${last}`);
  }

  /** Returns the field of the variable that a path begins with, `Draft.author` for `d.author.name`. */
  firstFields(path: ast.PathExpr): string[] {
    const [first] = path.fields;
    if (first === undefined || this.#own.has(path)) return [];
    return this.#rootTypes(path).map((type) => `${type}.${first.name}`);
  }

  #rootTypes(path: ast.PathExpr): string[] {
    const own = this.#own.get(path);
    if (own !== undefined) return [own];
    const isVariable = this.#program.resolutions.get(path) === "variable";
    return isVariable ? [...(this.#variables.get(path.root.name) ?? [])] : [];
  }

  #typesAfter(types: readonly string[], names: readonly string[]): readonly string[] {
    return names.reduce((found, name) => found.flatMap((type) => this.#referred(type, name)), types);
  }

  #referred(type: string, field: string): string[] {
    const declared = this.#program.symbols.type(type)?.fields.get(field)?.type;
    return declared?.kind === "fact" ? [declared.type] : [];
  }

  #addPattern({ variable, type, tests }: ast.Pattern): void {
    if (variable !== null) this.#addVariable(variable.name, type.name);
    forEachNode(tests, (node) => {
      const path = node as unknown as ast.PathExpr;
      if (path.kind === "path" && this.#program.resolutions.get(path) === "own-field") this.#own.set(path, type.name);
    });
  }

  #addParam(name: string, type: ast.TypeRef): void {
    if (type.kind === "named" && this.#program.symbols.type(type.name) !== undefined)
      this.#addVariable(name, type.name);
  }

  #addVariable(name: string, type: string): void {
    const types = this.#variables.get(name);
    if (types === undefined) this.#variables.set(name, new Set([type]));
    else types.add(type);
  }
}
