/**
 * Plans control facts after the other patterns of a rule.
 *
 * A control fact is one that shares no test with the rest of the rule, and that the rule's own actions take away or change in a
 * field which its pattern reads: `x: Context(state == "seating") … then x.state = "path"`. It comes and goes with every firing.
 * Planned first, it would take all matches after it along each time; planned last, the matches of the other patterns stay.
 * Where every pattern is such, the one written first is taken for the control fact. One that other rules switch (a stage
 * that lasts) stays where it was written: it keeps the joins after it empty.
 *
 * Only the order of planning changes: matches name their facts in written order.
 */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { followsOwn, forEachPath, hasSubquery, variablesOf } from "./test-contents.ts";

/** The elements of a rule in the order of planning. */
export interface Arranged {
  readonly elements: readonly ast.Element[];
  /** For each pattern and list of items in written order: which of the planned ones it is. */
  readonly places: readonly number[];
  /** The variables in written order. */
  readonly names: readonly string[];
}

/** Returns the elements of a rule with its control facts last; as written when there is none, or an `or`. */
export function controlsLast(program: CheckedProgram, { elements, actions }: ast.BlockBody): Arranged {
  const patterns = elements.filter((element) => element.kind === "pattern");
  const naming = namingOf(program, elements);
  const found = patterns.filter((pattern) => isControl(program, pattern, naming, actions));
  const controls = new Set<ast.Element>(found.length < patterns.length ? found : found.slice(0, 1));
  const others = elements.filter((element) => !controls.has(element));
  const movable = others.some(({ kind }) => kind === "pattern") && !elements.some(({ kind }) => kind === "or");
  const arranged = movable ? [...others, ...controls] : elements;
  const planned = new Map(arranged.filter(isPlaced).map((element, index) => [element, index]));
  return {
    elements: arranged,
    places: elements.filter(isPlaced).map((element) => planned.get(element) ?? -1),
    names: elements.flatMap(nameOf),
  };
}

/** Returns whether matches fire in the order of what an element adds. */
function isPlaced({ kind }: ast.Element): boolean {
  return kind === "pattern" || kind === "items";
}

function nameOf(element: ast.Element): string[] {
  if (element.kind === "pattern") return element.variable === null ? [] : [element.variable.name];
  if (element.kind === "items") return [element.variable.name];
  return element.kind === "aggregate" || element.kind === "let" ? [element.name.name] : [];
}

/** For each variable the elements that name it. */
type Naming = ReadonlyMap<string, ReadonlySet<ast.Element>>;

function namingOf(program: CheckedProgram, elements: readonly ast.Element[]): Naming {
  const naming = new Map<string, Set<ast.Element>>();
  for (const element of elements) {
    for (const name of variablesOf(program, element)) {
      naming.set(name, (naming.get(name) ?? new Set<ast.Element>()).add(element));
    }
  }
  return naming;
}

function isControl(
  program: CheckedProgram,
  pattern: ast.Pattern,
  naming: Naming,
  actions: readonly ast.Action[],
): boolean {
  const name = pattern.variable?.name;
  if (name === undefined) return false;
  const named = variablesOf(program, pattern.tests);
  named.delete(name);
  if (named.size > 0 || pattern.tests.some((test) => hasSubquery(program, test) || followsOwn(program, test, name)))
    return false;
  const others = naming.get(name);
  if (others !== undefined && others.size > (others.has(pattern) ? 1 : 0)) return false;
  const fields = fieldsRead(program, pattern, name);
  return actions.some((action) => switchesOff(action, name, fields));
}

function fieldsRead(program: CheckedProgram, pattern: ast.Pattern, name: string): Set<string> {
  const fields = new Set<string>();
  forEachPath(pattern.tests, (path) => {
    if (program.resolutions.get(path) === "own-field") fields.add(path.root.name);
    else if (path.root.name === name && path.fields[0] !== undefined) fields.add(path.fields[0].name);
  });
  return fields;
}

function switchesOff(action: ast.Action, name: string, fields: ReadonlySet<string>): boolean {
  switch (action.kind) {
    case "retract":
      return isJust(action.target, name);
    case "assign": {
      const [field, ...more] = action.target.fields;
      return action.target.root.name === name && field !== undefined && more.length === 0 && fields.has(field.name);
    }
    case "update":
      return isJust(action.target, name) && action.changes.entries.some((entry) => fields.has(entry.name.name));
    default:
      return false;
  }
}

function isJust(path: ast.PathExpr, name: string): boolean {
  return path.root.name === name && path.fields.length === 0;
}
