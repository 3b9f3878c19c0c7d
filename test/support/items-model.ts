/**
 * A model of rules over the items of lists: which matches there are after each change, which of them still wait, and in which order
 * they fire. It is written from the definition alone. A match is told from others by its facts, the values of its items, and how
 * many equal items stand before each; what an update leaves of these goes on.
 */

/** The rules of the model, and the facts that they are about. */
export const ITEMS_PROGRAM = `type O(#id: string, xs: string[]?, ys: string[]?)
type K(#v: string)
rule one { when o: O x in o.xs then log("one", o.id, x) }
rule join { when o: O x in o.xs k: K(v == x) then log("join", o.id, x) }
rule either { when o: O, (x in o.xs or x in o.ys) then log("either", o.id, x) }
rule both { when o: O y in o.ys x in o.xs where x != y then log("both", o.id, y, x) }
rule late { when k: K o: O x in o.xs where x == k.v then log("late", o.id, x) }
`;

const RULES = ["one", "join", "either", "both", "late"] as const;
type RuleName = (typeof RULES)[number];

type List = readonly string[];

export interface ModelOrder {
  readonly id: string;
  readonly order: number;
  xs: List | null;
  ys: List | null;
}

interface ModelKey {
  readonly v: string;
  readonly order: number;
}

/** By what a match is ordered: a fact by its age, an item by its place. */
interface Place {
  readonly of: "fact" | "item";
  readonly at: number;
}

/** One way to a match: an alternative of its rule, and the places of its facts and items there. */
interface Way {
  readonly rule: RuleName;
  readonly identity: string;
  readonly alternative: number;
  readonly places: readonly Place[];
  /** What the rule logs. */
  readonly said: string;
}

interface Waiting {
  readonly rule: RuleName;
  readonly identity: string;
  readonly said: string;
  /** The change that completed it. */
  readonly stamp: number;
  ways: readonly Way[];
  fired: boolean;
}

interface Item {
  readonly value: string;
  readonly nth: number;
  readonly place: Place;
}

function itemsOf(list: List | null): Item[] {
  return (list ?? []).map((value, at, all) => ({
    value,
    nth: all.slice(0, at).filter((one) => one === value).length,
    place: { of: "item", at },
  }));
}

export class ItemsModel {
  readonly orders: Map<string, ModelOrder> = new Map();
  readonly keys: Map<string, ModelKey> = new Map();
  readonly #newestFirst: boolean;
  readonly #matches = new Map<string, Waiting>();
  #changes = 0;
  #asserted = 0;

  constructor(newestFirst: boolean) {
    this.#newestFirst = newestFirst;
  }

  put(id: string, xs: List | null, ys: List | null): void {
    this.orders.set(id, { id, order: (this.#asserted += 1), xs, ys });
    this.#changed();
  }

  change(id: string, lists: Partial<Pick<ModelOrder, "xs" | "ys">>): void {
    Object.assign(this.orders.get(id) ?? {}, lists);
    this.#changed();
  }

  drop(id: string): void {
    this.orders.delete(id);
    this.#changed();
  }

  putKey(v: string): void {
    this.keys.set(v, { v, order: (this.#asserted += 1) });
    this.#changed();
  }

  dropKey(v: string): void {
    this.keys.delete(v);
    this.#changed();
  }

  /** Returns what the next firing says, and takes note of it; undefined when nothing waits. */
  fire(): string | undefined {
    const [next] = [...this.#matches.values()].filter(({ fired }) => !fired).sort((a, b) => this.#compare(a, b));
    if (next === undefined) return undefined;
    next.fired = true;
    return next.said;
  }

  /** Returns the number of matches of each rule. */
  counts(): Record<RuleName, number> {
    const count = (name: RuleName): number => [...this.#matches.values()].filter(({ rule }) => rule === name).length;
    return {
      one: count("one"),
      join: count("join"),
      either: count("either"),
      both: count("both"),
      late: count("late"),
    };
  }

  #changed(): void {
    this.#changes += 1;
    const found = new Map<string, Way[]>();
    for (const way of this.#ways()) {
      const key = `${way.rule} ${way.identity}`;
      found.set(key, [...(found.get(key) ?? []), way]);
    }
    for (const key of this.#matches.keys()) if (!found.has(key)) this.#matches.delete(key);
    for (const [key, ways] of found) {
      const [{ rule, identity, said }] = ways as [Way];
      const before = this.#matches.get(key);
      const stays = before?.ways.some((was) => ways.some((is) => is.alternative === was.alternative)) === true;
      if (before !== undefined && stays) before.ways = ways;
      else this.#matches.set(key, { rule, identity, said, stamp: this.#changes, ways, fired: false });
    }
  }

  #compare(a: Waiting, b: Waiting): number {
    const direction = this.#newestFirst ? -1 : 1;
    return (
      direction * (a.stamp - b.stamp) ||
      RULES.indexOf(a.rule) - RULES.indexOf(b.rule) ||
      this.#comparePlaces(firstWay(a).places, firstWay(b).places) ||
      (a.identity < b.identity ? -1 : 1)
    );
  }

  #comparePlaces(a: readonly Place[], b: readonly Place[]): number {
    for (const [index, place] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      const sign = place.of === "fact" && this.#newestFirst ? -1 : 1;
      if (place.at !== other.at) return sign * (place.at - other.at);
    }
    return 0;
  }

  *#ways(): Iterable<Way> {
    for (const order of this.orders.values()) {
      const fact: Place = { of: "fact", at: order.order };
      const xs = itemsOf(order.xs);
      const ys = itemsOf(order.ys);
      const made = (rule: RuleName, alternative: number, places: Place[], items: Item[], id = order.id): Way => {
        const identity = JSON.stringify([id, ...items.map(({ value, nth }) => [value, nth])]);
        const said = [rule, order.id, ...items.map(({ value }) => value)].join(" ");
        return { rule, identity, alternative, places, said };
      };
      for (const x of xs) {
        yield made("one", 0, [fact, x.place], [x]);
        yield made("either", 0, [fact, x.place], [x]);
        for (const y of ys) if (x.value !== y.value) yield made("both", 0, [fact, y.place, x.place], [y, x]);
        const key = this.keys.get(x.value);
        if (key === undefined) continue;
        const other: Place = { of: "fact", at: key.order };
        yield made("join", 0, [fact, x.place, other], [x]);
        yield made("late", 0, [other, fact, x.place], [x]);
      }
      for (const y of ys) yield made("either", 1, [fact, y.place], [y]);
    }
  }
}

/** The way of the first alternative says where the items are. */
function firstWay({ ways }: Waiting): Way {
  return ways.reduce((first, way) => (way.alternative < first.alternative ? way : first));
}
