/** A compiled program: plans its network once, and opens sessions on it. */
import type { Code } from "../base/codes.ts";
import { type Diagnostic, hasErrors } from "../base/diagnostic.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import { printableLine } from "../base/printable.ts";
import type { PureFunction } from "../functions/functions.ts";
import type { Hash } from "../plan/hash.ts";
import type { Plan } from "../plan/plan.ts";
import { namedFactIds, planProgram } from "../plan/planner.ts";
import { initialFacts, optionsOf } from "../plan/program-data.ts";
import type { Audit } from "../guardian/decisions.ts";
import { stateMachine, type StateMachine } from "../guardian/machine.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { SourceFile } from "../language/load.ts";
import type { Strategy } from "../session/agenda/activation.ts";
import type { SessionOptions, SessionSpec } from "../session/options.ts";
import { schemaOf, xupleSpacesOf } from "./schema.ts";
import { RuleSession } from "./session.ts";
import { type CheckOptions, checkFiles } from "./source.ts";
import type { TestOptions, TestReport } from "./tests/report.ts";
import { runTests } from "./tests/run-tests.ts";
import type { OpenOptionsOf, RulesTypes, SessionOf } from "./typed.ts";

export interface CompileOptions extends CheckOptions {
  /** What node names are made with; sharing never depends on it. */
  readonly hash?: Hash;
}

export interface OpenOptions extends SessionOptions {
  /** Functions that rules call, by the names they were compiled with. */
  readonly functions?: Readonly<Record<string, PureFunction>>;
  /** Switches that turn sharing and indexes off: the results are the same, only slower. */
  readonly sharing?: boolean;
  readonly indexing?: boolean;
  /** The same for the shorter ways of rules with a single pattern, and of `not` and `exists` over one. */
  readonly shortcuts?: boolean;
  /**
   * How long a check of a guardian may take, in milliseconds; a check that takes longer has not passed, and neither has one
   * during which a clock fails or steps back. Both `now` and `realTime` are read, and the longer time counts. A function
   * that never returns cannot be interrupted.
   */
  readonly checkDeadline?: number;
  /**
   * The second clock of `checkDeadline`, in milliseconds (`performance.now`). Replace it only in tests that must give the same
   * result on every machine: a `now` that stands still would otherwise hold every deadline open.
   */
  readonly realTime?: () => number;
  /**
   * How many steps a `why`, `whyNot`, `wouldOpen` or `wouldPass` may cost (5,000,000): facts that are looked at, states that a search
   * visits, facts that are copied to try a change. An answer that stopped early says so.
   */
  readonly explainSteps?: number;
  /** Writes the decisions of pipelines that say `audit to`; without it such a pipeline can only decide ERROR. */
  readonly audit?: Audit;
}

type ProgramData = Pick<SessionSpec, "schema" | "xupleSpaces" | "initialFacts" | "limits">;

/** The rules are at fault: every mistake is in `diagnostics`. */
export class CompileError extends Error {
  /** Of the first mistake. */
  readonly code: Code;
  readonly diagnostics: readonly Diagnostic[];

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

export class Program {
  readonly checked: CheckedProgram;
  readonly limits: Limits;
  readonly #files: readonly SourceFile[];
  readonly #options: CompileOptions;
  readonly #plans = new Map<string, Plan>();
  #data: ProgramData | undefined;

  /** Of a program that was checked and has no errors; `files` are what `extend` adds to. */
  constructor(files: readonly SourceFile[], checked: CheckedProgram, options: CompileOptions = {}) {
    this.checked = checked;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#files = files;
    this.#options = options;
  }

  static compile(files: readonly SourceFile[], options: CompileOptions): Program {
    const checked = checkFiles(files, options);
    if (hasErrors(checked.diagnostics)) throw new CompileError(checked.diagnostics);
    return new Program(files, checked, options);
  }

  /** With the types that `sluice types` writes for the rules, facts, answers and actions are checked by the compiler. */
  session<Rules extends RulesTypes = RulesTypes>(options?: OpenOptionsOf<Rules>): SessionOf<Rules> {
    return new RuleSession(this, { ...this.#ownOptions(), ...(options as OpenOptions) }) as SessionOf<Rules>;
  }

  /** Runs the `test` blocks, each in a session of its own. */
  test(options: TestOptions = {}): TestReport {
    return runTests(this, options);
  }

  /** This program and more source. The statements of the new source come behind all others. */
  extend(source: string, options: { readonly file?: string } = {}): Program {
    const file = options.file ?? `extension-${this.#files.length}.tsd`;
    return Program.compile([...this.#files, { file, source }], this.#options);
  }

  /** This program without one of its rules. */
  without(rule: string): Program {
    return this.extend(`remove rule ${JSON.stringify(rule)}`, { file: `without-${this.#files.length}.tsd` });
  }

  /** The network as plain data: nodes, what they stand on, and which rules share them. */
  network(): Plan {
    return this.plan(true);
  }

  /** The state machine of each pipeline, in program order. */
  stateMachines(): StateMachine[] {
    return [...this.checked.symbols.pipelines.values()].map(({ decl }) =>
      stateMachine(
        decl.name.name,
        decl.items.flatMap((item) => (item.kind === "step" ? [item.name.name] : [])),
      ),
    );
  }

  /** With `arrange` off, patterns are planned as they are written. */
  plan(sharing: boolean, arrange = true): Plan {
    const key = `${sharing} ${arrange}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const hash = this.#options.hash;
    const made = planProgram(this.checked, { sharing, arrange, ...(hash === undefined ? {} : { hash }) });
    this.#plans.set(key, made);
    return made;
  }

  /** From the names that facts of the program have to their ids. */
  factNames(): ReadonlyMap<string, string> {
    return namedFactIds(this.checked);
  }

  /** What a session is made of besides the network. */
  data(): ProgramData {
    return (this.#data ??= {
      schema: schemaOf(this.checked),
      xupleSpaces: xupleSpacesOf(this.checked),
      initialFacts: initialFacts(this.checked, namedFactIds(this.checked)),
      limits: this.limits,
    });
  }

  /** `option strategy depth`, `option limit 500`. */
  #ownOptions(): { strategy?: Strategy; limit?: number } {
    const options = optionsOf(this.checked);
    const strategy = options.get("strategy");
    const limit = options.get("limit");
    return {
      ...(typeof strategy === "string" ? { strategy: strategy as Strategy } : {}),
      ...(typeof limit === "number" ? { limit } : {}),
    };
  }
}
