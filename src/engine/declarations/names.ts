/** Names in TypeScript for names in rules. */

const PLAIN = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** The name of a property; one that is no plain word is quoted. */
export function property(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}

export function member(name: string, type: string, optional: boolean): string {
  return `readonly ${property(name)}${optional ? "?" : ""}: ${type};`;
}

/** Gives interfaces names that are allowed and not taken. */
export class Names {
  readonly #taken: Set<string>;
  readonly #given = new Map<string, string>();

  constructor(taken: readonly string[]) {
    this.#taken = new Set([...taken, ...RESERVED]);
  }

  take(wanted: string): string {
    const plain = wanted.replace(/[^\p{ID_Continue}$]/gu, "_").replace(/^(?![\p{ID_Start}_$])/u, "_");
    let name = plain;
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    this.#given.set(wanted, name);
    return name;
  }

  /** The name that was given for a wanted one. */
  of(wanted: string): string {
    return this.#given.get(wanted) ?? wanted;
  }
}

/** Words that cannot name an interface. */
const RESERVED = (
  "any unknown never number bigint boolean string symbol void object undefined null true false break case catch class const " +
  "continue debugger default delete do else enum export extends finally for function if import in instanceof new return " +
  "super switch this throw try typeof var while with implements interface let package private protected public static " +
  "yield await async of type declare namespace module abstract as is keyof readonly infer unique global"
).split(" ");
