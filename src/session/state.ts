/**
 * What a session keeps: working memory, agenda, supports, history, tuple spaces and listeners.
 *
 * It is made before the network. The network finds facts in `memory`, and reports every match to `activationListener`.
 */
import type { Problem } from "../base/answers.ts";
import { steadyClock } from "../base/stopwatch.ts";
import { Activity } from "./activity.ts";
import { Admission } from "./admission/admission.ts";
import { declaredLayouts, Shapes } from "./admission/shapes.ts";
import { ActivationListener } from "./agenda/activation-listener.ts";
import { Agenda } from "./agenda/agenda.ts";
import { OpenStaging } from "./changes/open-staging.ts";
import { Support } from "./changes/support.ts";
import { ClockHistory } from "./clock-history.ts";
import type { Overflow } from "./errors.ts";
import { Expiry } from "./expiry.ts";
import { History } from "./history.ts";
import { Listeners } from "./listeners.ts";
import { Memory } from "./memory.ts";
import type { SessionEvents, SessionOptions, SessionSpec } from "./options.ts";
import { Problems } from "./problems.ts";
import { SeededRandom } from "./random.ts";
import { Xuples } from "./xuples.ts";

/** Changes, and firings, that are kept to answer why. */
const DEFAULT_HISTORY = 10_000;

export class SessionState {
  /** The slots of fields, shared by facts and network. */
  readonly shapes: Shapes;
  readonly memory: Memory = new Memory();
  readonly support: Support = new Support();
  readonly agenda: Agenda;
  readonly activationListener: ActivationListener;
  /** The source of random numbers for tuple spaces, unless the host has one. */
  readonly random: SeededRandom = new SeededRandom();
  readonly xuples: Xuples;
  readonly problems: Problems = new Problems();
  readonly listeners: Listeners<SessionEvents>;
  readonly history: History;
  readonly clockHistory: ClockHistory;
  readonly open: OpenStaging = new OpenStaging();
  readonly activity: Activity;
  /** Replaced together with the program. */
  admission: Admission;
  readonly expiry: Expiry;
  /** Firings so far. */
  fired = 0;

  /** The instant that the clock of the session shows; undefined until it is set. Written when the clock moves. */
  clock: number | undefined = undefined;
  /** The clock of the host. */
  readonly #now: () => number;

  constructor(
    { schema, limits, xupleSpaces }: SessionSpec,
    options: SessionOptions,
    shapes: Shapes = new Shapes(declaredLayouts(schema)),
  ) {
    this.#now = options.now ?? Date.now;
    this.shapes = shapes;
    const strategy = options.strategy ?? "breadth";
    this.agenda = new Agenda(strategy);
    this.activationListener = new ActivationListener(this.agenda, this.support, this.memory, strategy);
    // The matches of a restored session wait only if the snapshot says so.
    this.activationListener.rebuilding = options.from !== undefined;
    const random = options.random ?? (() => this.random.next());
    this.xuples = new Xuples(xupleSpaces, this.#spaceClock(), random);
    this.listeners = new Listeners((listener, { event, error }) =>
      this.#post(this.problems.addListener(listener, event, error)),
    );
    this.clockHistory = new ClockHistory(options.history ?? DEFAULT_HISTORY);
    this.history = new History(options.history ?? DEFAULT_HISTORY, options.from === undefined);
    this.activity = new Activity(this.memory, this.agenda, this.open);
    this.expiry = new Expiry(schema);
    this.admission = new Admission(schema, this.shapes, limits, this.expiry);
  }

  /** Accepts the types and tuple spaces of another program; what is in spaces that stay is kept. */
  declare({ schema, limits, xupleSpaces }: SessionSpec): void {
    this.expiry.declare(schema);
    this.admission = new Admission(schema, this.shapes, limits, this.expiry);
    this.xuples.declare(xupleSpaces);
  }

  /**
   * Forgets everything but the types, for a session that begins again, with the facts of a snapshot or with none. Its facts are out of
   * the network already.
   */
  clear(restores: boolean): void {
    this.memory.clear();
    this.expiry.clear();
    this.expiry.refused = 0;
    this.support.clear();
    this.agenda.clear();
    this.random.state = 0;
    this.clock = undefined;
    this.xuples.clear(this.#spaceClock());
    this.problems.clear();
    this.listeners.clear();
    this.history.clear(!restores);
    this.clockHistory.clear();
    this.activity.clear();
    this.fired = 0;
  }

  /** Returns the clock of tuple spaces: that of the session once it is set, so that a replay finds the same, and the host's before. */
  #spaceClock(): () => number {
    const host = steadyClock(this.#now);
    return () => this.clock ?? host();
  }

  /** Notes rules that were switched off at their match limit. */
  noteOverflow(overflow: Overflow): void {
    this.#post(this.problems.addLimit(overflow));
  }

  /** Posts a problem that was not known before. */
  #post(problem: Problem | undefined): void {
    if (problem !== undefined) this.listeners.post("problem", problem);
  }
}
