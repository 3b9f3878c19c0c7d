/**
 * The subscriptions of a session.
 *
 * Subscriptions that ask the same have one source of rows. When a change is committed, each source that it touched is asked
 * once for what differs, and the delta is queued for its subscribers, behind the events that are queued already. A change
 * that a subscriber makes is therefore delivered after the delivery that it belongs to.
 */
import { frozen } from "../base/frozen.ts";
import { LateMap, LateSet } from "../base/late.ts";
import { didYouMean, nearest } from "../base/nearest.ts";
import type { GateNode } from "../gates/gate.ts";
import type { Value } from "../base/value.ts";
import { fit } from "../session/admission/field-type.ts";
import { FactError, SessionError, unknownName } from "../session/errors.ts";
import type { FactRef } from "../session/options.ts";
import type { SessionState } from "../session/state.ts";
import { idOf } from "../session/views.ts";
import { GateRows } from "./gate-rows.ts";
import { plainArgument } from "./plain-arguments.ts";
import { queryArguments } from "./query-arguments.ts";
import type { QuestionPlans } from "./question-plans.ts";
import { type BoundQuestion, QuestionSource } from "./question-source.ts";
import { isEmptyDelta, type RowDelta } from "./row-delta.ts";
import type { QueryRow } from "./rows.ts";
import type { RowSource, Subscriber, TouchListener } from "./row-source.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";
import type { SubscriptionParameters, SubscriptionPort, SubscriptionTarget } from "./subscription-port.ts";
import { declaredQuery } from "./standing-queries.ts";
import { StandingQuestion } from "./standing-question.ts";
import {
  ListenerSubscription,
  type SubscribeOptions,
  type Subscription,
  SubscriptionIterator,
} from "./subscription.ts";
import type { StandingPlan } from "../plan/standing.ts";

export class Subscriptions implements SubscriptionPort, TouchListener {
  readonly #running: RunningProgram<RunnableProgram>;
  readonly #state: SessionState;
  /** Returns the plans of the program that runs now. */
  readonly #plans: () => QuestionPlans;
  readonly #sources = new LateMap<string, RowSource>();
  readonly #touched = new LateSet<RowSource>();
  /** The questions that stand, with the number of sources that ask each. */
  readonly #questions = new LateMap<StandingPlan, { readonly question: StandingQuestion; users: number }>();
  /** The number of sources of gates: their outcomes may change with what is in doubt. */
  #gates = 0;

  constructor(running: RunningProgram<RunnableProgram>, state: SessionState, plans: () => QuestionPlans) {
    this.#running = running;
    this.#state = state;
    this.#plans = plans;
  }

  /** Opens a subscription; the first delta has all rows. */
  subscribe(
    target: SubscriptionTarget,
    parameters: SubscriptionParameters,
    how: ((delta: RowDelta<unknown>) => unknown) | SubscribeOptions,
  ): Subscription<unknown> {
    const { activity, listeners } = this.#state;
    activity.refuseWhileApplying();
    const source = this.#sourceOf(target, parameters);
    const leave = (left: Subscriber): void => this.#leave(source, left);
    const subscription =
      typeof how === "function"
        ? new ListenerSubscription(source, leave, how)
        : new SubscriptionIterator(source, leave, how);
    source.subscribers.add(subscription);
    this.#send(subscription, { added: source.rows(), removed: [], changed: [] });
    listeners.deliver();
    return subscription;
  }

  /** Notes that rows of a source may have changed. */
  touched(source: RowSource): void {
    this.#touched.add(source);
  }

  /** Continues with the program that runs now: every source asks it again, and what differs is delivered. */
  programReplaced(): void {
    const sources = [...this.#sources.values()];
    for (const source of sources) {
      source.detach();
      source.touchAll();
    }
    for (const source of sources) {
      try {
        source.attach();
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        source.end({ code: error.code, message: error.message });
      }
    }
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const source of [...this.#sources.values()])
      for (const subscriber of [...source.subscribers]) subscriber.close();
  }

  /** Queues what the last change did to the rows. */
  #collect(): void {
    if (this.#gates > 0) this.#running.upToDate();
    if (this.#touched.size === 0) return;
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const source of touched) {
      const delta = source.takeDelta();
      if (isEmptyDelta(delta)) continue;
      for (const subscriber of source.subscribers) this.#send(subscriber, delta);
      if (delta.ended !== undefined) this.#remove(source);
    }
  }

  #send(subscriber: Subscriber, delta: RowDelta<unknown>): void {
    this.#state.listeners.send("subscribe", frozen(delta), subscriber.receive);
  }

  #leave(source: RowSource, subscriber: Subscriber): void {
    this.#state.activity.refuseWhileApplying();
    source.subscribers.delete(subscriber);
    if (source.subscribers.size === 0) this.#remove(source);
  }

  // ---------------------------------------------------------------- sources

  #sourceOf(target: SubscriptionTarget, parameters: SubscriptionParameters): RowSource {
    const { key, make } = this.#find(target, parameters);
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    made.attach();
    made.takeDelta(); // the first delta of a subscriber has all rows
    this.#touched.delete(made);
    this.#sources.set(key, made);
    if (made instanceof GateRows) this.#gates += 1;
    this.#state.listeners.beforeDelivery ??= () => this.#collect();
    return made;
  }

  #remove(source: RowSource): void {
    if (!this.#sources.delete(source.key)) return;
    this.#touched.delete(source);
    source.detach();
    if (source instanceof GateRows) this.#gates -= 1;
    if (this.#sources.size === 0) this.#state.listeners.beforeDelivery = undefined;
  }

  #find(
    target: SubscriptionTarget,
    parameters: SubscriptionParameters,
  ): { key: string; make: (key: string) => RowSource } {
    if ("query" in target) {
      const open = (): BoundQuestion => this.#openQuery(target.query, parameters);
      const values = this.#queryValues(target.query, parameters);
      return {
        key: keyOf("query", target.query, values),
        make: (key) => this.#questionSource(key, open, (row) => row),
      };
    }
    if ("gate" in target) {
      const subject = subjectOf(target.gate, parameters);
      this.#gate(target.gate);
      const find = (): GateNode => this.#gate(target.gate);
      const key = keyOf("gate", target.gate, new Map([["subject", subject ?? null]]));
      return { key, make: () => new GateRows(key, find, subject, this) };
    }
    const values = this.#fieldValues(target.type, parameters);
    const open = (): BoundQuestion => this.#openType(target.type, parameters);
    const shown = (row: QueryRow): unknown => row["fact"];
    return { key: keyOf("type", target.type, values), make: (key) => this.#questionSource(key, open, shown) };
  }

  #questionSource(key: string, open: () => BoundQuestion, shown: (row: QueryRow) => unknown): RowSource {
    const close = (question: StandingQuestion): void => this.#giveBack(question);
    const limit = (): number => this.#running.network.tally.limit;
    return new QuestionSource(key, { open, close, shown, limit }, this);
  }

  #gate(name: string): GateNode {
    const { gates } = this.#running.upToDate();
    const gate = gates.get(name);
    if (gate === undefined) throw unknownName("gate", "gates", name, gates.keys());
    return gate;
  }

  #openQuery(name: string, parameters: SubscriptionParameters): BoundQuestion {
    const values = this.#queryValues(name, parameters);
    return { question: this.#take(this.#plans().query(name, "live")), values };
  }

  #queryValues(name: string, parameters: SubscriptionParameters): Map<string, Value | null> {
    return queryArguments(this.#running.program.data().schema, declaredQuery(this.#plans(), name), parameters);
  }

  #openType(type: string, parameters: SubscriptionParameters): BoundQuestion {
    const values = this.#fieldValues(type, parameters);
    return { question: this.#take(this.#plans().type(type, [...values.keys()], "live")), values };
  }

  #take(plan: StandingPlan): StandingQuestion {
    const { shapes, activity } = this.#state;
    const known = this.#questions.get(plan);
    if (known?.question.isLive === true) {
      known.users += 1;
      return known.question;
    }
    const question = new StandingQuestion(plan, { assembly: this.#running.assembly, shapes, activity });
    this.#questions.set(plan, { question, users: 1 });
    return question;
  }

  #giveBack(question: StandingQuestion): void {
    const known = this.#questions.get(question.spec);
    if (known?.question !== question) return;
    known.users -= 1;
    if (known.users > 0) return;
    this.#questions.delete(question.spec);
    question.drop();
  }

  /** Returns the values that fields of a type must equal, by name; throws E201, E401 or E407. */
  #fieldValues(type: string, parameters: SubscriptionParameters): Map<string, Value | null> {
    const { schema } = this.#running.program.data();
    const declared = schema.types.get(type);
    if (declared === undefined && !schema.open) {
      throw new FactError("E201", `unknown type "${type}"`, didYouMean(nearest(type, schema.types.keys())));
    }
    const names = Object.keys(parameters).sort();
    return new Map(
      names.map((name) => {
        const value = plainArgument(parameters[name]);
        if (declared === undefined) return [name, value];
        const field = declared.fields.find((one) => one.name === name);
        if (field !== undefined)
          return [name, value === null ? null : fit(schema, `field "${name}" of ${type}`, field.type, value)];
        const known = declared.fields.map((one) => one.name);
        throw new FactError("E401", `type ${type} has no field "${name}"`, didYouMean(nearest(name, known)));
      }),
    );
  }
}

/** Returns the subject that a subscription to a gate is about; undefined for all subjects. */
function subjectOf(gate: string, parameters: SubscriptionParameters): string | undefined {
  for (const name of Object.keys(parameters)) {
    if (name === "subject") continue;
    throw new SessionError("E205", `a subscription to gate "${gate}" has no parameter "${name}"`, 'pass "subject"');
  }
  const subject = parameters["subject"] as FactRef | null | undefined;
  return subject === undefined || subject === null ? undefined : idOf(subject);
}

function keyOf(kind: string, name: string, values: ReadonlyMap<string, Value | null>): string {
  const given = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([kind, name, given]);
}
