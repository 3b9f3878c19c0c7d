/** What a host and a session give the network that is assembled for them. */
import type { PureFunction } from "../functions/built-in.ts";
import type { Deadline } from "../guardian/guardian.ts";
import type { Fact } from "../rete/fact.ts";
import type { FailedCall } from "../rete/failures.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { Site } from "../rete/site.ts";
import type { Slots } from "./scope.ts";
import type { RuleInDoubt } from "./uncertain-facts.ts";

/** What a network is made for. */
export interface AssemblyOptions {
  /** The slots of the facts of the session; they find the session through it. */
  readonly shapes: Slots & { site: Site | undefined; forget(type: string): void };
  readonly facts: FactLookup;
  readonly listener: MatchListener;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly matchLimit: number;
  /** Hears of the rules that are switched off because there were too many matches. */
  readonly overflow: (rules: readonly string[], pattern: string) => void;
  /** Hears of the rules in which something was divided by zero, and of a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Hears of functions that failed, and of the rules in which they are called. */
  readonly functionFailed: (rules: readonly string[], call: FailedCall) => void;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly deadline: Deadline | undefined;
  /** The actions for which the host has a handler: it may change any fact. */
  readonly handledActions?: ReadonlySet<string>;
  /** Returns rules that cannot be relied on for another reason than a limit; called whenever it matters. */
  readonly otherDoubts?: () => Iterable<RuleInDoubt>;
}
