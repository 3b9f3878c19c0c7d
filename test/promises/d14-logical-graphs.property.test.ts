/**
 * D14 on random graphs of a thousand nodes: after every change, the logical facts are those that a search from the roots finds.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const NODES = 1000;

/** A link either names the fact it starts from, or only asks whether there is one. */
const RULES = `
  type Root(#k: number)
  type Link(#from: number, #to: number, named: bool)
  type N(#k: number)
  rule start { when r: Root then insert logical N(k: r.k) }
  rule named { when n: N l: Link(from == n.k, named == true) then insert logical N(k: l.to) }
  rule asked { when l: Link(named == false) exists N(k == l.from) then insert logical N(k: l.to) }`;

interface Link {
  readonly from: number;
  readonly to: number;
  readonly named: boolean;
}

const node = fc.nat(NODES - 1);
/** Mostly to a node nearby, so that there are long ways and circles. */
const link: fc.Arbitrary<Link> = fc
  .tuple(
    node,
    fc.oneof({ weight: 5, arbitrary: fc.integer({ min: -4, max: 6 }) }, { weight: 1, arbitrary: node }),
    fc.boolean(),
  )
  .map(([from, step, named]) => ({ from, to: (from + step + NODES) % NODES, named }));

type Change =
  | { readonly is: "root"; readonly k: number }
  | { readonly is: "plain"; readonly k: number }
  | { readonly is: "link"; readonly link: Link }
  | { readonly is: "unlink"; readonly which: number }
  | { readonly is: "restore" };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: node.map((k) => ({ is: "root" as const, k: k % 20 })) },
  { weight: 3, arbitrary: node.map((k) => ({ is: "plain" as const, k: k % 100 })) },
  { weight: 2, arbitrary: link.map((one) => ({ is: "link" as const, link: one })) },
  { weight: 5, arbitrary: fc.nat().map((which) => ({ is: "unlink" as const, which })) },
  { weight: 1, arbitrary: fc.constant({ is: "restore" as const }) },
);

class Graph {
  readonly #program = compile(RULES);
  #session: RuleSession = this.#program.session();
  readonly #links = new Map<string, Link>();
  readonly #roots = new Set<number>();
  readonly #plain = new Set<number>();

  constructor(links: readonly Link[]) {
    this.#session.batch(() => {
      for (const one of links) this.#link(one);
      this.#toggle("Root", this.#roots, 0);
    });
  }

  make(one: Change): void {
    if (one.is === "root") this.#toggle("Root", this.#roots, one.k);
    else if (one.is === "plain") this.#toggle("N", this.#plain, one.k);
    else if (one.is === "link") this.#link(one.link);
    else if (one.is === "restore") this.#session = this.#program.session({ from: this.#session.snapshot() });
    else this.#unlink(one.which);
  }

  compare(): void {
    this.#session.run({ collect: false });
    const found = this.#session.facts("N").map(({ fields }) => Number(fields["k"]));
    expect(found.sort((a, b) => a - b)).toEqual(this.#reached());
  }

  #toggle(type: string, members: Set<number>, k: number): void {
    if (members.delete(k)) this.#session.retract(`${type}~${k}`);
    else {
      members.add(k);
      this.#session.assert(type, { k });
    }
  }

  #link(one: Link): void {
    const id = `Link~${one.from}_${one.to}`;
    if (this.#links.has(id)) return;
    this.#links.set(id, one);
    this.#session.assert("Link", { ...one });
  }

  #unlink(which: number): void {
    const id = [...this.#links.keys()][which % Math.max(1, this.#links.size)];
    if (id === undefined) return;
    this.#links.delete(id);
    this.#session.retract(id);
  }

  #reached(): number[] {
    const reached = new Set([...this.#roots, ...this.#plain]);
    for (let before = -1; before < reached.size;) {
      before = reached.size;
      for (const { from, to } of this.#links.values()) if (reached.has(from)) reached.add(to);
    }
    return [...reached].sort((a, b) => a - b);
  }
}

test(
  "along random graphs",
  () => {
    const links = fc.array(link, { minLength: 1500, maxLength: 2500, size: "max" });
    const changes = fc.array(change, { minLength: 20, maxLength: 60, size: "max" });
    fc.assert(
      fc.property(links, changes, (first, then) => {
        const graph = new Graph(first);
        graph.compare();
        for (const one of then) {
          graph.make(one);
          graph.compare();
        }
      }),
      { numRuns: runs(20), endOnFailure: true },
    );
  },
  PATIENT,
);
