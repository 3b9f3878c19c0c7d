/**
 * Whether `over last x` counts facts or time. Windows are written out before anything has a type, so x is followed to where its name is
 * declared: a constant, a parameter, a field, a `let`, an aggregate. What cannot be followed is taken for a duration, and the checker
 * says so when it is a number (window-length.ts).
 */
import { AGGREGATES } from "../../functions/aggregates.ts";
import { ANY } from "../../functions/built-in.ts";
import { functionNamed } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { forEachNode } from "../walk.ts";

type Kind = "number" | "duration" | undefined;

/** What the names of a program stand for, as far as the kinds of values follow from it. */
export class ValueKinds {
  readonly #declared = new Map<string, ast.Declaration>();

  constructor(files: readonly LoadedFile[]) {
    for (const { file } of files) {
      for (const decl of file.declarations) if ("name" in decl) this.#declared.set(nameOf(decl), decl);
    }
  }

  /** Returns the name of the type that an alias stands for. */
  aliased(name: string): string {
    const declared = this.#declared.get(name);
    return declared?.kind === "alias" && declared.type.kind === "named" ? declared.type.name : name;
  }

  /** Returns whether an expression of a statement is a number. */
  isNumber(expr: ast.Value, decl: ast.Declaration): boolean {
    return this.#kind(expr, localNames(decl), 0) === "number";
  }

  #kind(expr: ast.Value, names: LocalNames, depth: number): Kind {
    if (depth > MAX_DEPTH) return undefined;
    const of = (one: ast.Value): Kind => this.#kind(one, names, depth + 1);
    switch (expr.kind) {
      case "number":
        return "number";
      case "amount":
        return expr.of === "duration" ? "duration" : undefined;
      case "negate":
        return of(expr.operand);
      case "cast":
        return expr.to === "number" ? "number" : undefined;
      case "if":
        return of(expr.whenTrue) ?? of(expr.whenFalse);
      case "chain":
        return expr.items.map(of).reduce((left, right, at) => combined(left, expr.ops[at - 1] ?? "+", right));
      case "aggregate-in":
        return resultOf(expr.name.name);
      case "call":
        return this.#called(expr, of);
      case "path":
        return this.#path(expr, names, depth);
      default:
        return undefined;
    }
  }

  #called({ name, args }: ast.CallExpr, of: (one: ast.Value) => Kind): Kind {
    const declared = this.#declared.get(name.name);
    if (declared?.kind === "function") return this.#ofType(declared.result);
    const returned = functionNamed(name.name)?.signature.result;
    const result = typeof returned === "object" ? returned.kind : undefined;
    if (result === "number") return "number";
    return result === "duration" ? "duration" : args[0] === undefined ? undefined : of(args[0]);
  }

  #path({ root, fields }: ast.PathExpr, names: LocalNames, depth: number): Kind {
    const local = names.get(root.name);
    if (local !== undefined && "value" in local) {
      return fields.length === 0 ? this.#kind(local.value, names, depth + 1) : undefined;
    }
    if (local !== undefined && "fn" in local) return fields.length === 0 ? resultOf(local.fn) : undefined;
    if (local !== undefined) return this.#field(local.type, fields);
    const declared = this.#declared.get(root.name);
    if (declared?.kind === "fact") return this.#field(declared.fact.type.name, fields);
    if (fields.length > 0) return undefined;
    if (declared?.kind === "param") return this.#ofType(declared.type);
    if (declared?.kind !== "const") return undefined;
    return declared.type === undefined ? this.#kind(declared.value, NO_NAMES, depth + 1) : this.#ofType(declared.type);
  }

  /** Returns the kind of a path of fields that begins at a value of a type. */
  #field(type: ast.TypeRef | string, fields: readonly ast.Ident[]): Kind {
    const [first, ...rest] = fields;
    if (first === undefined) return typeof type === "string" ? undefined : this.#ofType(type);
    const name = typeof type === "string" ? type : type.kind === "named" ? type.name : "";
    const declared = this.#declared.get(name);
    if (declared?.kind !== "type" && declared?.kind !== "record") return undefined;
    const field = declared.fields.find((one) => one.name.name === first.name);
    return field === undefined ? undefined : this.#field(field.type, rest);
  }

  #ofType(type: ast.TypeRef): Kind {
    if (type.kind === "union") return type.options.every(({ kind }) => kind === "number") ? "number" : undefined;
    if (type.kind !== "named") return undefined;
    if (type.name === "number" || type.name === "duration") return type.name;
    const declared = this.#declared.get(type.name);
    return declared?.kind === "alias" && declared.type !== type ? this.#ofType(declared.type) : undefined;
  }
}

/** A `let` may use another one; a name that is declared by itself ends here. */
const MAX_DEPTH = 32;

type LocalName = { readonly value: ast.Value } | { readonly fn: string } | { readonly type: ast.TypeRef | string };
type LocalNames = ReadonlyMap<string, LocalName>;

const NO_NAMES: LocalNames = new Map();

function nameOf({ name }: { readonly name: unknown }): string {
  return typeof name === "object" && name !== null && "name" in name ? String(name.name) : "";
}

/** Returns what the variables, parameters and other names inside a statement stand for. */
function localNames(decl: ast.Declaration): LocalNames {
  const names = new Map<string, LocalName>();
  const add = (name: ast.Ident | null, local: LocalName): void => {
    if (name !== null && !names.has(name.name)) names.set(name.name, local);
  };
  if ("params" in decl) for (const { name, type } of decl.params ?? []) add(name, { type });
  forEachNode(decl, (found) => {
    const node = found as unknown as ast.Element | ast.SourceVar | ast.AggregateSource;
    if (node.kind === "pattern" || node.kind === "source") add(node.variable, { type: node.type.name });
    else if (node.kind === "let") add(node.name, { value: node.value });
    else if (node.kind === "aggregate") add(node.name, { fn: node.fn.name });
    else if (node.kind === "aggregate-source") add(node.variable, { fn: node.fn.name });
  });
  return names;
}

/** Returns the kind of what an aggregate gives, when it is the same whatever it is taken of. */
function resultOf(aggregate: string): Kind {
  return AGGREGATES.get(aggregate.toLowerCase())?.result(ANY).kind === "number" ? "number" : undefined;
}

function combined(left: Kind, op: string, right: Kind): Kind {
  if (left === undefined || right === undefined) return undefined;
  if (op === "+" || op === "-" || op === "%") return left === right ? left : undefined;
  if (op === "*") return left === right ? (left === "number" ? "number" : undefined) : "duration";
  return left === right ? "number" : left === "duration" ? "duration" : undefined;
}
