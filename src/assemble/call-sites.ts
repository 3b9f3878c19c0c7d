/**
 * Where a network calls functions of the host: in nodes, known by their keys, and in the actions of rules. A site outlives the
 * plan that it was made for, as its node does, and its failures with it.
 */
import { type Failures, type FailureSite, failureSite } from "../rete/failures.ts";

/** The call sites of a network. */
export class CallSites {
  readonly #failures: Failures;
  readonly #nodes = new Map<string, FailureSite>();
  readonly #actions = new Map<string, { readonly site: FailureSite; readonly direct: boolean }>();

  constructor(failures: Failures) {
    this.#failures = failures;
  }

  /** Returns the site of a node; undefined when it calls no function. */
  ofNode(key: string): FailureSite | undefined {
    return this.#nodes.get(key);
  }

  /** Keeps the site of a node that calls functions. */
  setNode(key: string, site: FailureSite): void {
    this.#nodes.set(key, site);
  }

  /** Removes the site of a node that is taken down, with what failed there. */
  forgetNode(key: string): void {
    const site = this.#nodes.get(key);
    if (site !== undefined) this.#failures.forget(site);
    this.#nodes.delete(key);
  }

  /** Returns the site of a rule's actions; undefined when they call no function. */
  ofActions(rule: string): FailureSite | undefined {
    return this.#actions.get(rule)?.site;
  }

  /**
   * Returns the site for which the actions of a rule are compiled, again for every plan. What failed in them is kept until they
   * are tried again, for the match still waits to fire. A rule with a single pattern that gets a second one is another rule.
   */
  siteForActions(rule: string, direct: boolean): FailureSite {
    const known = this.#actions.get(rule);
    if (known?.direct === direct) return Object.assign(known.site, { alpha: undefined, calls: false });
    if (known !== undefined) this.#failures.forget(known.site);
    return failureSite([rule], true);
  }

  /** Keeps the site if the compiled actions call functions. */
  setActions(rule: string, site: FailureSite, direct: boolean): void {
    if (site.calls) this.#actions.set(rule, { site, direct });
    else this.#forgetActions(rule);
  }

  /** Removes the sites of rules that are no longer there. */
  keepActions(isThere: (rule: string) => boolean): void {
    for (const rule of this.#actions.keys()) if (!isThere(rule)) this.#forgetActions(rule);
  }

  #forgetActions(rule: string): void {
    const known = this.#actions.get(rule);
    if (known !== undefined) this.#failures.forget(known.site);
    this.#actions.delete(rule);
  }
}
