/**
 * Writes random programs in which something is judged: a gate, a guardian and a pipeline over the same facts, with functions
 * of the host, folding of text, and facts that rules derive from other facts.
 */
import { SeededRandom } from "../../src/index.ts";
import { capitals, NUMBER_AGGREGATES, RANKED_NUMBERS, takenWords } from "./built-ins.ts";

/** What a program of this writer declares and defines. */
export interface WriterOptions {
  /** Rules derive D from E, and F from D; tests read all three. */
  readonly derives: boolean;
  /** Texts are searched for phrases. */
  readonly searchesText: boolean;
  /** Functions of the host stand in tests. */
  readonly calls: boolean;
  /** Tests ask whether something is missing, or say what counts instead: then a missing value decides, as its author wants. */
  readonly asksMissing: boolean;
}

/** Writes programs. `of` is the variable whose fields a test reads. */
export class ProgramWriter {
  readonly #random: SeededRandom;
  readonly #options: WriterOptions;
  #variables = 0;
  /** The types that something may look at: a rule reads what is derived before it, so that it comes to an end. */
  #readable: readonly [string, ...string[]] = ["E"];

  constructor(seed: number, options: WriterOptions) {
    this.#random = new SeededRandom(seed);
    this.#options = options;
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<One>(list: readonly [One, ...One[]]): One {
    return list[this.below(list.length)] ?? list[0];
  }

  program(): string {
    const rules = this.#options.derives ? this.#rules() : "";
    const leaves = [this.#leaf("c0"), this.#leaf("c1")] as const;
    const [a, b] = [leaves[0].asked, leaves[1].asked];
    const required = this.pick([
      a,
      `not (${a})`,
      `(${a}) and (${b})`,
      `(${a}) or not (${b})`,
      `at least 1 of (${a}, not (${b}))`,
    ]);
    const logic = this.below(4) === 0 ? "logic bochvar" : "";
    return `type R(#id: string, k: any?, n: number?, text: string)
      type E(rel: string, k: any?, n: number?, text: string)
      type D(rel: string, k: any?, n: number?, text: string)
      type F(rel: string, k: any?, n: number?, text: string)
      type X(#id: number)
      ${leaves.map((leaf) => leaf.condition).join("\n")}
      ${rules}
      gate "g" for r: R { ${logic} require ${required} }
      ${this.#guardian()}
      ${this.#pipeline()}`;
  }

  /** A chain of two: what the second one looks at may be there, not be there, or be counted. */
  #rules(): string {
    const given = (from: string, to: string, logical: string): string =>
      `insert ${logical}${to}(rel: ${from}.rel, k: ${from}.k, n: ${from}.n, text: ${from}.text)`;
    const test = this.#test(1, "e");
    this.#readable = ["E", "D"];
    const flood = this.pick(["x: X y: X", "x: X y: X(y.id >= x.id)", ""]);
    const second = this.pick([
      `d: D(${this.#test(1, "d")}) then ${given("d", "F", "logical ")}`,
      `e: E not D(rel == e.rel) then ${given("e", "F", "logical ")}`,
      `e: E(COUNT(v: D / v.rel == e.rel) > 0) then ${given("e", "F", "")}`,
      `e: E exists D(rel == e.rel) then ${given("e", "F", "logical ")}`,
      `d: D(d.n >= 1) e: E(e.rel == d.rel, e.n != 3) then e.n = 3`,
      `d: D(d.n >= 1) e: E(e.rel == d.rel) then retract e`,
    ]);
    this.#readable = ["E", "D", "D", "F", "F"];
    const first = `e: E(${test}) ${flood} then ${given("e", "D", this.pick(["", "logical "]))}`;
    return `rule "first" { when ${first} }
      rule "second" { when ${second} }
      rule "third" { when f: F then log(f.rel) }`;
  }

  #leaf(name: string): { readonly condition: string; readonly asked: string } {
    const from = (mode: string, by = ""): { condition: string; asked: string } => ({
      condition: `condition ${name}(r: R) : ${this.#test(2, "e")} from ${mode} e: ${this.#type()}(e.rel == r.id, ${this.#test(1, "e")}) ${by}`,
      asked: `${name}(r)`,
    });
    switch (this.below(6)) {
      case 0:
        return from(this.pick(["", "any", "every"]));
      case 1:
        return from("latest", "by e.n");
      case 2: {
        const votes = `at least ${1 + this.below(2)} of e: ${this.#type()}(e.rel == r.id, ${this.#test(1, "e")})`;
        return { condition: "", asked: `${votes} : (${this.#test(1, "e")})` };
      }
      case 3: {
        const condition = `condition ${name}(r: R, x: number) : x < 2 and ${this.#test(1, "r")}`;
        return { condition, asked: `${name}(r, ${this.#number(1, "r")})` };
      }
      default:
        return { condition: "", asked: this.#test(3, "r") };
    }
  }

  /** The type of the facts that something looks at. */
  #type(): string {
    return this.pick(this.#readable);
  }

  #guardian(): string {
    const line = (of: string): string =>
      `${this.pick(["need", "forbid"])} ${this.#test(2, of)} ${this.#limit()} as "no" do SAFE_REFUSAL`;
    const whole = this.pick([
      'need count(e) >= 1 as "no" do SAFE_REFUSAL',
      `forbid ${this.#orElse(`sum(${this.#options.calls ? "num(e.k)" : "e.n"})`)} > 2 as "no" do SAFE_REFUSAL`,
      "",
    ]);
    return `guardian "u" for r: R {
      retry at most 0
      check c using e: ${this.#type()}(e.rel == r.id, ${this.#test(1, "e")}) { ${line("r")} ${this.pick([line("e"), ""])} ${whole} }
    }`;
  }

  #orElse(value: string): string {
    return this.#options.asksMissing ? `coalesce(${value}, 0)` : value;
  }

  #limit(): string {
    return this.pick(["", `when ${this.#test(1, "r")}`, `unless ${this.#test(2, "r")}`]);
  }

  #pipeline(): string {
    return `pipeline "p" for r: R {
      before ${this.#test(2, "r")} else BLOCK "before"
      step s BLOCK "s" ${this.pick(["when", "unless"])} ${this.#test(2, "r")}
      step t BLOCK "t" when e: ${this.#type()}(e.rel == r.id, ${this.#test(1, "e")})${this.#items()} ${this.pick(["", `unless ${this.#test(1, "r")}`])}
      otherwise FORWARD "on"
      after ${this.#test(1, "r")} else BLOCK "after"
    }`;
  }

  /** Items of a list that is unknown where a number is missing. */
  #items(): string {
    const list = `item in [e.n, ${this.#number(1, "e")}]`;
    const test = `item ${this.pick(["<", ">="])} ${this.below(4)}`;
    return this.pick(["", "", `, ${list}, where ${test}`, `, not (${list}, where ${test})`]);
  }

  #test(depth: number, of: string): string {
    const less = depth - 1;
    const compared = this.pick(["==", "<", ">=", "!="]);
    if (this.#options.searchesText && this.below(3) === 0) return this.#search(of);
    if (this.#options.calls && this.below(3) === 0)
      return this.pick([`ok(${of}.k)`, `not ok(${of}.k)`, `${of}.n == num(${of}.k)`, `both(${of}.k, ${of}.n)`]);
    switch (this.below(depth > 0 ? 10 : 1)) {
      case 0:
        return `${of}.n ${compared} ${this.below(4)}`;
      case 1:
        return `(${this.#test(less, of)} and ${this.#test(less, of)})`;
      case 2:
        return `(${this.#test(less, of)} or ${this.#test(less, of)})`;
      case 3:
        return `not (${this.#test(less, of)})`;
      case 4:
        return `${this.pick(["", "not "])}EXISTS(${this.#source(less, of)})`;
      case 5:
        return `${this.#number(less, of)} ${compared} ${this.#number(less, of)}`;
      case 6:
        if (!this.#options.asksMissing) return `${of}.n ${compared} 2`;
        return `(${this.#number(less, of)}) is ${this.pick(["missing", "present"])}`;
      case 7:
        if (!this.#options.asksMissing) return `not (${of}.n ${compared} 1)`;
        return `coalesce(${this.#test(0, of)}, ${this.pick(["true", "false"])})`;
      case 8:
        return `${this.#number(less, of)} in [${this.#number(less, of)}, ${this.below(4)}]`;
      default:
        return `(${this.#test(0, of)}) == ${this.pick(["true", "false"])}`;
    }
  }

  /** Whether a text is free of what is forbidden: what hides a word may only make this false or unknown. */
  #search(of: string): string {
    return this.pick([
      `count(phrases_in(${of}.text, ["build a bomb"])) == 0`,
      `count(words_in(${of}.text, ["bomb"])) == 0`,
      `not (count(phrases_in(${of}.text, ["bomb", "build a bomb"])) > 0)`,
    ]);
  }

  #number(depth: number, of: string): string {
    const less = depth - 1;
    switch (this.below(depth > 0 ? 7 : 3)) {
      case 0:
        return `${of}.n`;
      case 1:
        return String(this.below(4));
      case 2:
        return this.#options.calls ? `num(${of}.k)` : `${of}.n`;
      case 3:
        if (!this.#options.asksMissing) return `${of}.n * 2`;
        return `coalesce(${this.#number(less, of)}, ${this.#number(less, of)})`;
      case 4:
        return `${this.#number(less, of)} + ${this.#number(less, of)}`;
      case 5:
        return this.#aggregate(less, of);
      default:
        if (!this.#options.asksMissing) return this.#aggregate(less, of);
        return `coalesce(${this.#aggregate(less, of)}, ${this.below(3)})`;
    }
  }

  #aggregate(depth: number, of: string): string {
    const kind = this.pick(["COUNT", ...capitals([...NUMBER_AGGREGATES, ...RANKED_NUMBERS])]);
    const source = this.#source(depth, of);
    const variable = source.slice(0, source.indexOf(":"));
    if (kind === "COUNT") return `${kind}(${source})`;
    const taken = takenWords(kind, this.#number(depth - 1, variable), `${variable}.${this.pick(["n", "k"])}`, 50);
    return `${kind}(${source} ; ${taken})`;
  }

  #source(depth: number, of: string): string {
    this.#variables += 1;
    const variable = `v${this.#variables}`;
    const about = this.#options.calls
      ? this.pick([`txt(${of}.k)`, this.#options.asksMissing ? `coalesce(txt(${of}.k), "r")` : '"r"', '"r"'])
      : '"r"';
    return `${variable}: ${this.#type()} / ${variable}.rel == ${about} AND ${this.#test(depth - 1, variable)}`;
  }
}
