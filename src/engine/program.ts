/** A compiled program: plans its network once, and opens sessions on it. */
import { refuseUnknownOptions } from "../base/known-options.ts";
import { Checksum } from "../base/checksum.ts";
import type { Code } from "../base/codes.ts";
import { checkExtension, checkingFiles, openSession, openSessionAsync, planningNetwork } from "../engine.ts";
import { type Diagnostic, hasErrors } from "../base/diagnostic.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import { printableLine } from "../base/printable.ts";
import { finish, type Steps } from "../base/slices.ts";
import type { Regex } from "../base/regex.ts";
import type { PureFunction } from "../functions/built-in.ts";
import { regex } from "../functions/operator/regex.ts";
import { parametersOf } from "../language/check/parameters.ts";
import type { Hash } from "../plan/hash.ts";
import type { Plan } from "../plan/plan.ts";
import { plannedChange } from "../plan/plan-change.ts";
import { namedFactIds, namingFacts } from "../plan/named-facts.ts";
import type { PlannedProgram } from "../plan/planner.ts";
import { initialFacts, optionsOf } from "../plan/program-data.ts";
import { type Sharing, sharingOf } from "../plan/read/sharing.ts";
import type { Audit } from "../guardian/decisions.ts";
import { stateMachine, type StateMachine } from "../guardian/machine.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { SourceFile } from "../language/load.ts";
import type { ParsedFile } from "../language/parse.ts";
import { textWords } from "../language/print-words.ts";
import type { Strategy } from "../base/strategy.ts";
import type { SessionOptions, SessionSpec } from "../session/options.ts";
import { declaredAt } from "./declared-at.ts";
import {
  type EvaluationAsyncOptions,
  type EvaluationOptions,
  Evaluations,
  NOTHING,
  type FactInput,
} from "./evaluate.ts";
import { checkRuleNames, checkSource } from "./known-names.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { SnapshotSource } from "../session/snapshot-stream.ts";
import { factInstant } from "./fact-instant.ts";
import { declaredFunctions } from "./declared-functions.ts";
import type { DeclaredAt, DeclaredFunction, RunnableProgram } from "./runnable.ts";
import type { QuestionPlans } from "./question-plans.ts";
import { savedText } from "./saved/save.ts";
import { schemaOf, xupleSpacesOf } from "./schema.ts";
import type { CheckOptions } from "./source.ts";
import { standingPlans } from "./standing-plans.ts";
import type { TestOptions, TestReport } from "./tests/report.ts";
import { dependsOnClock, zoneOf } from "../language/check/clock.ts";
import { runTests } from "./tests/run-tests.ts";
import type { EvaluationOf, EvaluationOptionsOf, FactInputOf, OpenOptionsOf, RulesTypes, SessionOf } from "./typed.ts";

/** Options of {@link compile} and {@link compileFiles}. */
export interface CompileOptions extends CheckOptions {
  /** The hash function for node names. Default: xxHash64. Sharing compares whole texts and never depends on it. */
  readonly hash?: Hash;
  /**
   * The order in which the patterns of a rule are joined. Default: "chosen". "written" takes them as the program has them; a function
   * is given the rule and the number of its patterns, and returns their places in written order. Every order gives the same results, at
   * another speed; it exists for tests. `option order written` in a program comes first.
   */
  readonly joinOrder?: "chosen" | "written" | ((rule: string, patterns: number) => readonly number[]);
}

/** Options of {@link Program.session}. */
export interface OpenOptions extends SessionOptions {
  /**
   * The host functions that rules call, by the names that the program declares, or whose signatures were passed to
   * {@link compile}. They must be pure.
   */
  readonly functions?: Readonly<Record<string, PureFunction>>;
  /**
   * What happens when a function that the program declares is not among `functions`. Default: "refuse", the session does not
   * open (E525). With "unknown" it opens, every call is unknown, and each such function is among `problems` (E521).
   */
  readonly missingFunctions?: "refuse" | "unknown";
  /** Whether rules share equal nodes. Default: true. False gives the same results more slowly; it exists for tests. */
  readonly sharing?: boolean;
  /**
   * Whether joins, memories and alpha nodes are found by value. Default: true. False gives the same results more
   * slowly; it exists for tests.
   */
  readonly indexing?: boolean;
  /**
   * Whether rules with a single pattern, and `not`, `exists` and aggregates over one, use faster special nodes, and facts
   * between bounds are found in order. Default: true. False gives the same results more slowly; it exists for tests.
   */
  readonly shortcuts?: boolean;
  /**
   * The time that one check of a guardian may take, in milliseconds. Default: no limit. A check that takes longer, or
   * during which a clock throws or steps back, does not pass. Both `now` and `realTime` are read, and the longer time
   * counts. A function that never returns cannot be interrupted.
   */
  readonly checkDeadline?: number;
  /**
   * The second clock of `checkDeadline`, in milliseconds. Default: `performance.now`. Replace it only in tests that
   * must give the same result on every machine: with a `now` that stands still no deadline would ever be reached.
   */
  readonly realTime?: () => number;
  /**
   * The budget of one `why`, `whyNot`, `wouldOpen` or `wouldPass`, in steps: facts looked at, search states visited,
   * facts copied to verify a change. Default: 5,000,000. An answer that stopped early says so.
   */
  readonly explainSteps?: number;
  /**
   * Writes the decisions of pipelines that say `audit to`. Without it, such a pipeline can only decide ERROR (E544). In
   * Node use `fileAudit` of `sluice/node`.
   */
  readonly audit?: Audit;
  /**
   * The time that audit lines carry, in milliseconds since 1970. Default: `Date.now`. A clock that fails or returns no
   * time makes the decision ERROR (E544), as an audit that cannot be written does.
   */
  readonly auditClock?: () => number;
}

/** Options of {@link Program.openAsync}. */
export interface OpenAsyncOptions extends Omit<OpenOptions, "from"> {
  /** A snapshot to continue from, or a stream that {@link Session.snapshot} has written. */
  readonly from?: Snapshot | SnapshotSource;
}

/**
 * The error that {@link compile} throws when the rules have errors.
 *
 * @example
 * ```ts
 * try {
 *   compile("rule r { when p: Person( then log(p) }");
 * } catch (error) {
 *   if (!(error instanceof CompileError)) throw error;
 *   for (const one of error.diagnostics) console.log(renderDiagnostic(one, undefined));
 * }
 * ```
 */
export class CompileError extends Error {
  /** The code of the first error. */
  readonly code: Code;
  /** All errors and warnings, in source order. */
  readonly diagnostics: readonly Diagnostic[];

  /**
   * Creates the error from the diagnostics of a check; the message shows the first error and counts the others.
   *
   * @internal
   */
  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter((one) => one.severity === "error");
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    const place = first === undefined ? "" : `${first.file}:${first.line}:${first.column} `;
    super(first === undefined ? "" : printableLine(`${place}${first.code} ${first.message}${more}`));
    this.name = "CompileError";
    this.code = first?.code ?? "E100";
    this.diagnostics = diagnostics;
  }
}

/** A compiled program. It is immutable, and any number of sessions can use it at the same time. */
export class Program implements RunnableProgram {
  /** The checked syntax tree and symbol tables. */
  readonly checked: CheckedProgram;
  /** The limits that the program was compiled with. */
  readonly limits: Limits;
  /**
   * Compiles the patterns of `matches`.
   *
   * @internal
   */
  readonly regex: Regex = regex;
  readonly #files: readonly SourceFile[];
  readonly #options: CompileOptions;
  readonly #plans = new Map<string, PlannedProgram>();
  #sessionOptions: Pick<OpenOptions, "strategy" | "limit"> | undefined = undefined;
  #data: SessionSpec | undefined;
  #evaluations: Evaluations | undefined;
  #hostFunctions: readonly DeclaredFunction[] | undefined;
  /** The checksum of the source, made when the hash is first asked for. */
  #sum: Checksum | undefined;

  /**
   * Creates a program from a checked tree without errors. Use {@link compile} instead.
   *
   * @internal
   */
  constructor(files: readonly SourceFile[], checked: CheckedProgram, options: CompileOptions = {}) {
    this.checked = checked;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#files = files;
    this.#options = options;
  }

  /**
   * Checks the files and creates a program. Use {@link compileFiles} instead.
   *
   * @internal
   */
  static compile(files: readonly SourceFile[], options: CompileOptions): Program {
    return finish(Program.compiling(files, options));
  }

  /**
   * Checks the files and creates a program, in steps: one for each statement. Use {@link compileFilesAsync} instead.
   *
   * @internal
   */
  static *compiling(files: readonly SourceFile[], options: CompileOptions): Steps<Program> {
    const checked = yield* checkingFiles(files, options);
    if (hasErrors(checked.diagnostics)) throw new CompileError(checked.diagnostics);
    return new Program(files, checked, options);
  }

  /**
   * Opens a session: a working memory, an agenda and a live network of its own. The facts that the program states are
   * asserted unless `facts: "none"` or `from` is given. With the `Rules` type that `sluice types` generates, facts,
   * queries and action handlers are typed.
   *
   * @throws {@link FactError} when a fact of the program is refused, {@link SessionError} E533 when `from` has another
   *   version, E213 for an unknown option, E206 for a handler of an unknown action.
   *
   * @example
   * ```ts
   * const program = compile('type Order(#num: string, total: number) rule "large" { when o: Order(total > 1000) then hold(o.num) } action hold(num: string)');
   * const held: string[] = [];
   * const session = program.session({ actions: { hold: (num: string) => held.push(num) } });
   * session.assert("Order", { num: "o1", total: 2500 });
   * session.run();
   * held; // => ["o1"]
   * ```
   */
  session<Rules extends RulesTypes = RulesTypes>(options?: OpenOptionsOf<Rules>): SessionOf<Rules> {
    return openSession(this, (options ?? {}) as OpenOptions) as SessionOf<Rules>;
  }

  /**
   * Decides one request: asserts the facts, runs, and returns what followed. Nothing is kept: every call is as if in a session of
   * its own. Sessions are used again behind it, so a call costs what its facts cost.
   *
   * @param facts - The facts of the request, in order, besides those of the program.
   * @param options - Handlers and functions, as for {@link Program.session}.
   * @throws {@link FactError} when a fact is refused, and the errors of {@link Session.run}.
   *
   * @example
   * ```ts
   * const program = compile('type Order(#num: string, total: number) rule "large" { when o: Order(total > 1000) then hold(o.num) } action hold(num: string)');
   * program.evaluate([{ type: "Order", fields: { num: "o1", total: 2500 } }]).effects; // => [{ n: 1, action: "hold", args: ["o1"], rule: "large" }]
   * program.evaluate([{ type: "Order", fields: { num: "o2", total: 10 } }]).effects; // => []
   * ```
   */
  evaluate<Rules extends RulesTypes = RulesTypes>(
    facts: Iterable<FactInputOf<Rules>>,
    options?: EvaluationOptionsOf<Rules>,
  ): EvaluationOf<Rules> {
    const given = (options ?? NOTHING) as EvaluationOptions;
    return this.#pool().evaluate(facts as Iterable<FactInput>, given) as EvaluationOf<Rules>;
  }

  /**
   * Decides one request as {@link Program.evaluate} does, and awaits what action handlers return, one firing after the other.
   *
   * @param options - Those of {@link Program.evaluate}, with `signal` and `handlerTimeout` as for {@link Session.runAsync}.
   * @throws {@link FactError} when a fact is refused, and the errors of {@link Session.runAsync}.
   *
   * @example
   * ```ts
   * const program = compile('type Order(#num: string) type Sent(#num: string) rule "send" { when o: Order then send(o.num) } action send(num: string)');
   * const { facts } = await program.evaluateAsync([{ type: "Order", fields: { num: "o1" } }], {
   *   actions: {
   *     async send(num: string) {
   *       await Promise.resolve(); // such as a request to another service
   *       this.assert("Sent", { num });
   *     },
   *   },
   * });
   * facts.map((fact) => fact.id); // => ["Order~o1", "Sent~o1"]
   * ```
   */
  async evaluateAsync<Rules extends RulesTypes = RulesTypes>(
    facts: Iterable<FactInputOf<Rules>>,
    options?: EvaluationOptionsOf<Rules, EvaluationAsyncOptions>,
  ): Promise<EvaluationOf<Rules>> {
    const given = (options ?? {}) as EvaluationAsyncOptions;
    return (await this.#pool().evaluateAsync(facts as Iterable<FactInput>, given)) as EvaluationOf<Rules>;
  }

  #pool(): Evaluations {
    return (this.#evaluations ??= new Evaluations((options) => openSession(this, options)));
  }

  /**
   * Opens a session in slices between which other work can run, as a rule of at most 5 ms. It can continue from a snapshot or a
   * stream of one. The first session of a program prepares the network, in slices as well.
   *
   * @throws {@link SessionError} E533 when `from` is damaged, {@link MigrationError} E537 when its facts do not fit.
   *
   * @example
   * ```ts
   * const program = compile("type Person(#id: string)");
   * const session = await program.openAsync();
   * session.size; // => 0
   * ```
   */
  async openAsync<Rules extends RulesTypes = RulesTypes>(
    options?: Omit<OpenOptionsOf<Rules>, "from"> & Pick<OpenAsyncOptions, "from">,
  ): Promise<SessionOf<Rules>> {
    return (await openSessionAsync(this, (options ?? {}) as OpenAsyncOptions)) as SessionOf<Rules>;
  }

  /**
   * Runs the `test` blocks of the program, each in its own session.
   *
   * @example
   * ```ts
   * const program = compile(`
   *   type Person(#id: string, age: number)
   *   rule "adult" { when p: Person(age >= 18) then log(p.id) }
   *   test "adults are greeted" { given Person(id: "p1", age: 18) expect rule "adult" fires }`);
   * program.test().failed; // => 0
   * ```
   */
  test(options: TestOptions = {}): TestReport {
    refuseUnknownOptions(options, { only: true, coverage: true, functions: true, done: true });
    return runTests(this, options);
  }

  /**
   * Returns a new program with more source. Its statements come after all others. This program does not change; pass
   * the new one to {@link Session.reload}. With rules, queries, tests and removals of rules alone, this takes the time that those
   * statements take, whatever the size of the program.
   *
   * @throws {@link CompileError} when the combined rules have errors.
   */
  extend(source: string, options: { readonly file?: string } = {}): Program {
    refuseUnknownOptions(options, { file: true });
    checkSource(source);
    const added = { file: options.file ?? `extension-${this.#files.length}.tsd`, source, added: true };
    const files = [...this.#files, added];
    const checked = checkExtension(this.checked, added, this.#options);
    if (checked === undefined) return Program.compile(files, this.#options);
    const extended = new Program(files, checked, this.#options);
    extended.#continue(this);
    return extended;
  }

  /** Takes over from the program that this one extends by rules what it has worked out already, and changes it where it differs. */
  #continue(before: Program): void {
    this.#data = before.#data;
    this.#sessionOptions = before.#sessionOptions;
    const [added] = this.checked.files.slice(-1);
    if (before.#sum !== undefined && added !== undefined) this.#sum = addSource(before.#sum.copy(), added);
    for (const [key, planned] of before.#plans) {
      const changed = plannedChange(planned, before.checked, this.checked);
      if (changed !== undefined) this.#plans.set(key, changed);
    }
  }

  /**
   * Returns a new program without one or several of its rules.
   *
   * @throws {@link CompileError} E207 when there is no such rule.
   */
  without(rule: string | readonly string[]): Program {
    const names = typeof rule === "string" ? [rule] : rule;
    checkRuleNames(names);
    const removed = names.map((name) => `remove rule ${textWords(name)}`);
    return this.extend(removed.join("\n"), { file: `without-${this.#files.length}.tsd` });
  }

  /**
   * Returns the network as plain data: its nodes, the inputs of each node, and the rules that share it.
   *
   * @example
   * ```ts
   * const program = compile('type P(#id: string, age: number) rule a { when p: P(age > 18) then log(p.id) } rule b { when p: P(age > 18) then log(p.id) }');
   * program.network().nodes.find((node) => node.kind === "alpha")?.rules; // => ["a", "b"]
   * ```
   */
  network(): Plan {
    return this.plan(true);
  }

  /**
   * Returns what sharing does in the network: every node in words with the rules that depend on it, and how many nodes
   * there would be if every rule had its own.
   *
   * @example
   * ```ts
   * const program = compile('type P(#id: string, age: number) rule a { when p: P(age > 18) then log(p.id) } rule b { when q: P(18 < q.age) then log(q.id) }');
   * const { nodes, without, network } = program.sharing();
   * [nodes, without]; // => [4, 6]
   * network[0]?.text; // => "P[.age > 18]"
   * network[0]?.rules; // => ["a", "b"]
   * ```
   */
  sharing(): Sharing {
    return sharingOf(this.plan(true), this.plan(false));
  }

  /** Returns the state machine of each pipeline, in program order. */
  stateMachines(): StateMachine[] {
    return [...this.checked.symbols.pipelines.values()].map(({ decl }) =>
      stateMachine(
        decl.name.name,
        decl.items.flatMap((item) => (item.kind === "step" ? [item.name.name] : [])),
      ),
    );
  }

  /**
   * Returns the network as plain data, planned with or without sharing of nodes. With `arrange` false, patterns are
   * planned in the order in which they are written.
   *
   * @internal
   */
  plan(sharing: boolean, arrange = true): Plan {
    return finish(this.planning(sharing, arrange));
  }

  /**
   * Plans the network in steps, one for each rule.
   *
   * @internal
   */
  *planning(sharing: boolean, arrange = true): Steps<Plan> {
    const key = `${sharing} ${arrange}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known.plan;
    const { hash, joinOrder: joins } = this.#options;
    const options = { sharing, arrange, ...(hash && { hash }), ...(joins && { joins }) };
    const made = yield* planningNetwork(this.checked, options);
    // All sessions share one plan: another session may have been opened meanwhile.
    const meanwhile = this.#plans.get(key);
    if (meanwhile !== undefined) return meanwhile.plan;
    this.#plans.set(key, made);
    return made.plan;
  }

  /** Whether rules read the clock with `now` or `today`: then sessions need one. */
  get readsClock(): boolean {
    return dependsOnClock(this.checked);
  }

  /**
   * Returns the instant at which a fact happened, as `advance` takes it: that of its `@` field. Undefined when it has none.
   *
   * @internal
   */
  instantOf(type: string, fields: Readonly<Record<string, unknown>>): string | undefined {
    return factInstant(this.data().schema, zoneOf(this.checked), type, fields);
  }

  /**
   * The hash of the source of the program and of the values of its parameters: 16 hexadecimal digits. Snapshots carry
   * it, to say which program made them.
   */
  get hash(): string {
    this.#sum ??= sumOf(this.checked);
    return this.#sum.digest();
  }

  /** Returns the ids of the facts that the program states with a name (`ann = Person("p1")`), by that name. */
  factNames(): ReadonlyMap<string, string> {
    return namedFactIds(this.checked);
  }

  /**
   * Returns what a session needs besides the network: schema, tuple spaces, initial facts and limits.
   *
   * @internal
   */
  data(): SessionSpec {
    return this.#data ?? finish(this.preparing());
  }

  /**
   * Computes what a session needs besides the network, in small steps: one for each statement.
   *
   * @internal
   */
  *preparing(): Steps<SessionSpec> {
    if (this.#data !== undefined) return this.#data;
    const facts = yield* initialFacts(this.checked, yield* namingFacts(this.checked));
    return (this.#data ??= {
      schema: schemaOf(this.checked),
      xupleSpaces: xupleSpacesOf(this.checked),
      initialFacts: facts,
      limits: this.limits,
    });
  }

  /**
   * Returns the options of sessions that the program itself states: `option strategy depth`, `option limit 500`.
   *
   * @internal
   */
  sessionOptions(): Pick<OpenOptions, "strategy" | "limit"> {
    return (this.#sessionOptions ??= statedOptions(this.checked));
  }

  /**
   * Returns the program as JSON text, for `loadPlan` of `sluice/runtime`: the planned network, the types, the facts and
   * options that the program states, and its queries. It has a format version and a hash. It has no source text, so
   * sessions of a saved plan explain nothing.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const saved = program.save();
   * const session = loadPlan(saved).session();
   * session.assert("Person", { id: "p1" });
   * session.run().effects.map((effect) => effect.args); // => [["p1"]]
   * ```
   */
  save(): string {
    return savedText(this);
  }

  /**
   * Returns where a rule, query, gate, flow, guardian or pipeline is declared.
   *
   * @internal
   */
  declaredAt(name: string): DeclaredAt | undefined {
    return declaredAt(this.checked, name);
  }

  /**
   * Returns the actions that rules can call; undefined when the program declares none, so that every name is one.
   *
   * @internal
   */
  actionNames(): readonly string[] | undefined {
    const { actions, openActions } = this.checked.symbols;
    return openActions ? undefined : [...actions.names()];
  }

  /**
   * Returns the functions that the program declares and the host provides.
   *
   * @internal
   */
  hostFunctions(): readonly DeclaredFunction[] {
    return (this.#hostFunctions ??= declaredFunctions(this.checked.symbols));
  }

  /**
   * Returns the plans of the questions that its sessions are asked.
   *
   * @internal
   */
  questionPlans(sharing: boolean): QuestionPlans {
    return standingPlans(this.checked, sharing);
  }
}

/** Returns the sum of the values of parameters and of the source, to which further source can be added. */
function sumOf({ files, symbols }: CheckedProgram): Checksum {
  const sum = new Checksum();
  for (const [name, value] of Object.entries(parametersOf(symbols))) sum.add(`${name} ${JSON.stringify(value)}`);
  return files.reduce(addSource, sum);
}

function addSource(sum: Checksum, { source }: ParsedFile): Checksum {
  sum.add(source.file);
  sum.add(source.text);
  return sum;
}

function statedOptions(checked: CheckedProgram): Pick<OpenOptions, "strategy" | "limit"> {
  const options = optionsOf(checked);
  const strategy = options.get("strategy");
  const limit = options.get("limit");
  return {
    ...(typeof strategy === "string" ? { strategy: strategy as Strategy } : {}),
    ...(typeof limit === "number" ? { limit } : {}),
  };
}
