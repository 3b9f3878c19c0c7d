/**
 * Requirements as RET JSON: `{"And": […]}`, `{"Or": […]}`, `{"Not": …}`, `{"RequireGroup": {"min": n, "reqs": […]}}`,
 * `{"Condition": "name"}`.
 */

/** A requirement as data: conditions combined by `all`, `any`, `not` and `at least`. */
export type RetRequirement =
  | { readonly kind: "condition"; readonly name: string }
  | { readonly kind: "all" | "any"; readonly items: readonly RetRequirement[] }
  | { readonly kind: "not"; readonly item: RetRequirement }
  | { readonly kind: "at least"; readonly min: number; readonly items: readonly RetRequirement[] };

/** A requirement as RET JSON: each object has exactly one key. */
export type RetJson =
  | { readonly Condition: string }
  | { readonly And: readonly RetJson[] }
  | { readonly Or: readonly RetJson[] }
  | { readonly Not: RetJson }
  | { readonly RequireGroup: { readonly min: number; readonly reqs: readonly RetJson[] } };

/** A place in a JSON text. Lines and columns count from 1; the end is exclusive. */
export interface JsonPlace {
  /** The line. */
  readonly line: number;
  /** The column, in UTF-16 units. */
  readonly column: number;
  /** The line of the end. */
  readonly endLine: number;
  /** The column of the end. */
  readonly endColumn: number;
}

/** A requirement that is not valid RET JSON. The message begins with the path. */
export class GateJsonError extends Error {
  /** The stable code. */
  readonly code = "E542" as const;
  /** The path of the wrong value: `$.And[1].Not`. */
  readonly path: string;
  /** The key of that value that is wrong. Absent when the value itself is. */
  readonly key: string | undefined;
  #place: JsonPlace | undefined;

  /**
   * Creates the error.
   *
   * @internal
   */
  constructor(path: string, message: string, key?: string) {
    super(`${path}: ${message}`);
    this.name = "GateJsonError";
    this.path = path;
    this.key = key;
    this.#place = undefined;
  }

  /** The line and column of the mistake. Undefined unless the document was given as text. */
  get place(): JsonPlace | undefined {
    return this.#place;
  }

  /**
   * Sets the place unless it is known.
   *
   * @internal
   */
  locate(place: JsonPlace | undefined): this {
    this.#place ??= place;
    return this;
  }
}

/** A condition that a requirement names. */
export interface RetLeaf {
  /** The name, or the text of a test. */
  readonly name: string;
  /** Its path in the requirement: `$.And[1].Condition`. */
  readonly path: string;
}

/**
 * Returns the conditions that a requirement names, in order, each time it names them.
 *
 * @example
 * ```ts
 * const requirement = gateFromJson({ And: [{ Condition: "tested" }, { Not: { Condition: "blocked" } }] });
 * conditionsOf(requirement).map(({ name }) => name); // => ["tested", "blocked"]
 * ```
 */
export function conditionsOf(requirement: RetRequirement): RetLeaf[] {
  return leavesAt(requirement, "$");
}

function leavesAt(requirement: RetRequirement, path: string): RetLeaf[] {
  switch (requirement.kind) {
    case "condition":
      return [{ name: requirement.name, path: `${path}.Condition` }];
    case "not":
      return leavesAt(requirement.item, `${path}.Not`);
    default:
      return requirement.items.flatMap((item, index) => leavesAt(item, `${path}.${LISTS[requirement.kind]}[${index}]`));
  }
}

const LISTS = { all: "And", any: "Or", "at least": "RequireGroup.reqs" } as const;

/** Returns a requirement as RET JSON. `gateFromJson(gateToJson(x))` equals `x`. */
export function gateToJson(requirement: RetRequirement): RetJson {
  switch (requirement.kind) {
    case "condition":
      return { Condition: requirement.name };
    case "all":
      return { And: requirement.items.map(gateToJson) };
    case "any":
      return { Or: requirement.items.map(gateToJson) };
    case "not":
      return { Not: gateToJson(requirement.item) };
    case "at least":
      return { RequireGroup: { min: requirement.min, reqs: requirement.items.map(gateToJson) } };
  }
}
