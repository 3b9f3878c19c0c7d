/** A program that was loaded from a saved plan. */
import { refuseUnknownOptions } from "../../base/known-options.ts";
import type { Limits } from "../../base/limits.ts";
import type { Regex } from "../../base/regex.ts";
import type { Plan } from "../../plan/plan.ts";
import { SessionError } from "../../session/errors.ts";
import type { RecordSchema, TypeSchema } from "../../session/admission/schema.ts";
import type { SessionSpec } from "../../session/options.ts";
import type { OpenAsyncOptions, OpenOptions } from "../program.ts";
import type { DeclaredAt, DeclaredFunction, RunnableProgram } from "../runnable.ts";
import type { EvaluationOf, EvaluationOptionsOf, FactInputOf, OpenOptionsOf, RulesTypes, SessionOf } from "../typed.ts";
import {
  type EvaluationAsyncOptions,
  type EvaluationOptions,
  Evaluations,
  type FactInput,
  NOTHING,
} from "../evaluate.ts";
import type { QuestionPlans } from "../question-plans.ts";
import { readSaved, type SavedBody } from "./format.ts";
import { openSaved, openSavedAsync } from "./open.ts";
import { SavedQuestions } from "./questions.ts";

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
  refuseUnknownOptions(options, { regex: true });
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
  readonly #questions: QuestionPlans;
  readonly #evaluations: Evaluations = new Evaluations((options) => openSaved(this, options));

  /**
   * Creates a program from the body of a saved plan. Use {@link loadPlan} instead.
   *
   * @internal
   */
  constructor(body: SavedBody, { regex }: LoadOptions) {
    const { limits, open, types, records = [], xupleSpaces, initialFacts } = body;
    this.limits = limits;
    this.hash = body.hash;
    this.regex = regex;
    this.#questions = new SavedQuestions(body.queries);
    this.#body = body;
    this.#places = new Map(body.places);
    const schema = {
      open,
      types: byName(types),
      ...(records.length > 0 && { records: byName(records) }),
    };
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
    return openSaved(this, (options ?? {}) as OpenOptions) as SessionOf<Rules, SavedProgram>;
  }

  /**
   * Opens a session in slices between which other work can run, as {@link Program.openAsync} does.
   *
   * @throws {@link SessionError} E533 when `from` is damaged, {@link MigrationError} E537 when its facts do not fit.
   *
   * @example
   * ```ts
   * const saved = compile("type Person(#id: string)").save();
   * const session = await loadPlan(saved).openAsync();
   * session.size; // => 0
   * ```
   */
  async openAsync<Rules extends RulesTypes = RulesTypes>(
    options?: Omit<OpenOptionsOf<Rules>, "from"> & Pick<OpenAsyncOptions, "from">,
  ): Promise<SessionOf<Rules, SavedProgram>> {
    return (await openSavedAsync(this, (options ?? {}) as OpenAsyncOptions)) as SessionOf<Rules, SavedProgram>;
  }

  /**
   * Decides one request and keeps nothing, as {@link Program.evaluate} does.
   *
   * @throws {@link FactError} when a fact is refused, and the errors of {@link Session.run}.
   *
   * @example
   * ```ts
   * const saved = compile('type Order(#num: string, total: number) rule "large" { when o: Order(total > 1000) then hold(o.num) } action hold(num: string)').save();
   * const program = loadPlan(saved);
   * program.evaluate([{ type: "Order", fields: { num: "o1", total: 2500 } }]).effects; // => [{ n: 1, action: "hold", args: ["o1"], rule: "large" }]
   * ```
   */
  evaluate<Rules extends RulesTypes = RulesTypes>(
    facts: Iterable<FactInputOf<Rules>>,
    options?: EvaluationOptionsOf<Rules>,
  ): EvaluationOf<Rules> {
    const given = (options ?? NOTHING) as EvaluationOptions;
    return this.#evaluations.evaluate(facts as Iterable<FactInput>, given) as EvaluationOf<Rules>;
  }

  /**
   * Decides one request and awaits what action handlers return, as {@link Program.evaluateAsync} does.
   *
   * @throws {@link FactError} when a fact is refused, and the errors of {@link Session.runAsync}.
   */
  async evaluateAsync<Rules extends RulesTypes = RulesTypes>(
    facts: Iterable<FactInputOf<Rules>>,
    options?: EvaluationOptionsOf<Rules, EvaluationAsyncOptions>,
  ): Promise<EvaluationOf<Rules>> {
    const given = (options ?? {}) as EvaluationAsyncOptions;
    return (await this.#evaluations.evaluateAsync(facts as Iterable<FactInput>, given)) as EvaluationOf<Rules>;
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

  /**
   * Returns the functions that the program declares and the host provides.
   *
   * @internal
   */
  hostFunctions(): readonly DeclaredFunction[] {
    return this.#body.functions ?? [];
  }

  /**
   * Returns the plans of the questions that its sessions are asked.
   *
   * @internal
   */
  questionPlans(): QuestionPlans {
    return this.#questions;
  }
}

/** Returns declarations by name. A default that JSON left out is undefined. */
function byName<Declared extends TypeSchema | RecordSchema>(declared: readonly Declared[]): Map<string, Declared> {
  return new Map(
    declared.map((one) => {
      const fields = one.fields.map((field) => ({ ...field, default: field.default }));
      return [one.name, { ...one, fields }];
    }),
  );
}

function spaceOf(space: SessionSpec["xupleSpaces"][number]): SessionSpec["xupleSpaces"][number] {
  return { ...space, retention: space.retention, maxSize: space.maxSize };
}
