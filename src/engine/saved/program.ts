/** A program that was loaded from a saved plan. */
import type { Limits } from "../../base/limits.ts";
import type { Regex } from "../../base/regex.ts";
import type { Plan } from "../../plan/plan.ts";
import { SessionError } from "../../session/errors.ts";
import type { SessionSpec } from "../../session/options.ts";
import type { OpenOptions } from "../program.ts";
import type { DeclaredAt, RunnableProgram } from "../runnable.ts";
import type { OpenOptionsOf, RulesTypes, SessionOf } from "../typed.ts";
import { readSaved, type SavedBody, type SavedQuery } from "./format.ts";
import { openSaved } from "./open.ts";

/** Options of {@link loadPlan}. */
export interface LoadOptions {
  /**
   * Regular expressions, for plans that test with `matches`: the default export of `sluice/regex`. Without it such a plan is
   * refused (E561).
   */
  readonly regex?: Regex;
}

/**
 * Loads a plan that {@link Program.save} returned.
 *
 * The hash finds damage, not forgery: load only plans from where you would load code.
 *
 * @param saved - The text, or what `JSON.parse` made of it.
 * @throws {@link SessionError} E560 when it is not a saved plan, has another format version, or was damaged; E561 when it tests
 *   with `matches` and `regex` is not given.
 *
 * @example
 * ```ts
 * const saved = compile('type Mail(#id: string, to: string) rule "ours" { when m: Mail(to matches "@example[.]org$") then log(m.id) }').save();
 * const session = loadPlan(saved, { regex }).session();
 * session.assert("Mail", { id: "m1", to: "ann@example.org" });
 * session.run().fired.length; // => 1
 * ```
 */
export function loadPlan(saved: string | object, options: LoadOptions = {}): SavedProgram {
  const body = readSaved(saved);
  if (body.needsRegex && options.regex === undefined) {
    const hint = 'import regex from "sluice/regex", and pass it in: loadPlan(saved, { regex })';
    throw new SessionError("E561", "this plan tests with `matches`, which needs regular expressions", hint);
  }
  return new SavedProgram(body, options);
}

/** A program that {@link loadPlan} loaded. It is immutable, and any number of sessions can use it at the same time. */
export class SavedProgram implements RunnableProgram {
  /** The limits that the program was compiled with. */
  readonly limits: Limits;
  /** The hash of the program, which snapshots carry. */
  readonly hash: string;
  /**
   * Compiles the patterns of `matches`.
   *
   * @internal
   */
  readonly regex: Regex | undefined;
  readonly #body: SavedBody;
  readonly #data: SessionSpec;
  readonly #places: ReadonlyMap<string, DeclaredAt>;
  /**
   * The queries by name, with marks for their parameters.
   *
   * @internal
   */
  readonly queries: ReadonlyMap<string, SavedQuery>;

  /**
   * Creates a program from the body of a saved plan. Use {@link loadPlan} instead.
   *
   * @internal
   */
  constructor(body: SavedBody, { regex }: LoadOptions) {
    const { limits, open, types, xupleSpaces, initialFacts } = body;
    this.limits = limits;
    this.hash = body.hash;
    this.regex = regex;
    this.queries = new Map(body.queries.map((query) => [query.name, query]));
    this.#body = body;
    this.#places = new Map(body.places);
    const withDefaults = types.map((type) => ({
      ...type,
      fields: type.fields.map((field) => ({ ...field, default: field.default })),
    }));
    const schema = { open, types: new Map(withDefaults.map((type) => [type.name, type])) };
    this.#data = { schema, limits, xupleSpaces: xupleSpaces.map(spaceOf), initialFacts };
  }

  /**
   * Opens a session. It does everything that a session of {@link Program.session} does but explain: `why`, `whyNot`,
   * `wouldOpen`, `wouldPass`, `trace` and `pack` throw E561.
   *
   * @throws {@link FactError} when a fact of the program is refused, {@link SessionError} E533 when `from` has another
   *   version.
   */
  session<Rules extends RulesTypes = RulesTypes>(options?: OpenOptionsOf<Rules>): SessionOf<Rules, SavedProgram> {
    return openSaved(this, options ?? {}) as SessionOf<Rules, SavedProgram>;
  }

  /**
   * Returns the network as plain data: its nodes, the inputs of each node, and the rules that share it.
   *
   * @internal
   */
  plan(): Plan {
    return this.#body.plan;
  }

  /**
   * Returns what a session needs besides the network: schema, tuple spaces, initial facts and limits.
   *
   * @internal
   */
  data(): SessionSpec {
    return this.#data;
  }

  /**
   * Returns the options of sessions that the program itself states.
   *
   * @internal
   */
  sessionOptions(): Pick<OpenOptions, "strategy" | "limit"> {
    return this.#body.options;
  }

  /**
   * Returns where a rule, query, gate, flow, guardian or pipeline is declared.
   *
   * @internal
   */
  declaredAt(name: string): DeclaredAt | undefined {
    return this.#places.get(name);
  }

  /**
   * Returns the actions that rules can call; undefined when every name is one.
   *
   * @internal
   */
  actionNames(): readonly string[] | undefined {
    return this.#body.actions;
  }
}

/** Properties that were undefined are there again. */
function spaceOf(space: SessionSpec["xupleSpaces"][number]): SessionSpec["xupleSpaces"][number] {
  return { ...space, retention: space.retention, maxSize: space.maxSize };
}
