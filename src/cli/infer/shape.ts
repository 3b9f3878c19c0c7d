/** What the values of one field of facts have in common. Values are added one by one; nothing of them is kept but what is counted. */

/** The kinds of plain values; a time is text that is written as one. */
type Plain = "bool" | "number" | "string" | "date" | "instant";

/** A union is guessed from at least this many values, of at most so many kinds, each so often. */
const UNION = { values: 20, options: 5, each: 3 } as const;

const UNION_WORD = /^[\p{L}][\p{L}\p{N}_-]{0,19}$/u;

export class Shape {
  readonly #kinds = new Map<Plain | "list" | "object", number>();
  readonly #texts = new Map<string, number>();
  /** The shape of the items of lists. */
  #items: Shape | undefined = undefined;
  /** The fields of objects. */
  #fields: Fields | undefined = undefined;
  #values = new Set<unknown>();
  #isUnique = true;

  /** Adds a value that is not null. */
  add(value: unknown): void {
    const kind = kindOf(value);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (kind === "list") {
      // A list with a null in it is refused when it is loaded, whatever is declared; the refusal names the place.
      for (const item of value as readonly unknown[]) if (item !== null) (this.#items ??= new Shape()).add(item);
    } else if (kind === "object") (this.#fields ??= new Fields()).add(value as Readonly<Record<string, unknown>>);
    else this.#note(value);
  }

  #note(value: unknown): void {
    if (this.#values.has(value)) this.#isUnique = false;
    this.#values.add(value);
    if (typeof value !== "string" || this.#texts.size > UNION.options) return;
    this.#texts.set(value, (this.#texts.get(value) ?? 0) + 1);
  }

  /** Whether no two values are equal. */
  get isUnique(): boolean {
    return this.#isUnique;
  }

  get items(): Shape | undefined {
    return this.#items;
  }

  get fields(): Fields | undefined {
    return this.#fields;
  }

  /** The kind of all values; undefined when there are several. A time is a string where another string is none. */
  get kind(): Plain | "list" | "object" | undefined {
    const kinds = [...this.#kinds.keys()];
    const [only, other] = kinds;
    if (other === undefined) return only;
    return kinds.every((kind) => kind === "string" || kind === "date" || kind === "instant") ? "string" : undefined;
  }

  /** The strings that the values are, when they are few and come often; undefined otherwise. */
  get options(): readonly string[] | undefined {
    const count = this.#kinds.get("string") ?? 0;
    const texts = [...this.#texts];
    const isUnion =
      this.#kinds.size === 1 && count >= UNION.values && texts.length > 1 && texts.length <= UNION.options;
    if (!isUnion || !texts.every(([text, times]) => times >= UNION.each && UNION_WORD.test(text))) return undefined;
    return texts.map(([text]) => text).sort();
  }
}

/** The fields of objects, in the order in which they were first seen. */
export class Fields {
  /** The number of objects. */
  count = 0;
  readonly #fields = new Map<string, { count: number; readonly shape: Shape }>();

  add(object: Readonly<Record<string, unknown>>): void {
    this.count += 1;
    for (const [name, value] of Object.entries(object)) {
      const field = this.#fields.get(name) ?? { count: 0, shape: new Shape() };
      this.#fields.set(name, field);
      if (value === null) continue;
      field.count += 1;
      field.shape.add(value);
    }
  }

  /** Returns each field, and whether some object lacks it. */
  *entries(): Iterable<{ readonly name: string; readonly shape: Shape; readonly optional: boolean }> {
    for (const [name, { count, shape }] of this.#fields) yield { name, shape, optional: count < this.count };
  }

  get size(): number {
    return this.#fields.size;
  }
}

function kindOf(value: unknown): Plain | "list" | "object" {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "string") return "object";
  return isDate(value) ? "date" : isInstant(value) ? "instant" : "string";
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/u.test(text) || text.startsWith("0000")) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const CLOCK = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

/** Years at both ends are left out: an offset could lead beyond them. */
function isInstant(text: string): boolean {
  return isDate(text.slice(0, 10)) && CLOCK.test(text.slice(10)) && !/^(?:0001|9999)/u.test(text);
}
