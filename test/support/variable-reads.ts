/** Which fields of its variables a rule reads, from its tree alone: wherever they stand, also inside `not` or an aggregate. */
import { AGGREGATES } from "../../src/functions/aggregates.ts";
import type * as ast from "../../src/language/ast.ts";
import type { TableNotes } from "../../src/language/check/table-uses.ts";

/** The calls of decision tables in a program: what is passed for a parameter that no column looks at is not read. */
type TableUses = TableNotes["uses"];

const known = new WeakMap<ast.RuleDecl, ReadonlySet<string>>();

/** `v.field` for every variable v of a pattern of the rule; undefined where alternatives make it a question of which. */
export function variableReads(rule: ast.RuleDecl, tables: TableUses): ReadonlySet<string> | undefined {
  const { body } = rule;
  if (body.kind === "block" && body.elements.some(({ kind }) => kind === "or")) return undefined;
  const reads = known.get(rule) ?? readsIn(body.kind === "block" ? body.elements : [body.test, body.sources], tables);
  known.set(rule, reads);
  return reads;
}

function readsIn(conditions: readonly unknown[], tables: TableUses): ReadonlySet<string> {
  const reads = new Set<string>();
  for (const condition of conditions) collect(condition, reads, tables);
  return reads;
}

function collect(node: unknown, reads: Set<string>, tables: TableUses): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, reads, tables);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  // Only another value, or another item, restarts a match, and that is in what tells it from others.
  if ("kind" in node && (node.kind === "let" || node.kind === "items")) return;
  const table = tables.get(node as ast.CallExpr);
  if (table !== undefined) {
    collect([table.inputs, table.computed], reads, tables);
    return;
  }
  if (isPath(node)) {
    const [field] = node.fields;
    if (field !== undefined) reads.add(`${node.root.name}.${field.name}`);
  }
  for (const [key, part] of Object.entries(node)) {
    if (key !== "span" && !(key === "value" && counts(node))) collect(part, reads, tables);
  }
}

function isPath(node: object): node is ast.PathExpr {
  return "kind" in node && node.kind === "path";
}

/** A count does not look at the values. */
function counts(node: object): boolean {
  const { fn, name } = node as { readonly fn?: ast.Ident; readonly name?: ast.Ident };
  return AGGREGATES.get((fn ?? name)?.name.toLowerCase() ?? "")?.takes === "facts";
}
