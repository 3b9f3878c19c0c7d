/**
 * Writes TypeScript declarations for a program: its types, actions, queries and rules as one interface `Rules`, for
 * `program.session<Rules>()`. The same program gives the same text.
 */
import { Report } from "../../base/diagnostic.ts";
import type * as ast from "../../language/ast.ts";
import type { FactType } from "../../language/check/builtin-types.ts";
import { variablesOf } from "../../language/check/rules.ts";
import type { Variable } from "../../language/check/scope.ts";
import type { Declared } from "../../language/check/symbols.ts";
import type { Program } from "../program.ts";
import { member, Names, property } from "./names.ts";
import { TypeWords } from "./type-words.ts";

/** Options of {@link declarations}. */
export interface DeclarationOptions {
  /** The package that the declarations import from. Default: `sluice`. */
  readonly library?: string;
  /** What the declarations were generated from, for the first line. */
  readonly from?: string;
}

/**
 * Generates TypeScript declarations for a program: the interface `Rules` with its types, actions, queries and rules,
 * for `program.session<Rules>()`. `sluice types` writes this text to a file. The same program gives the same text.
 *
 * @example
 * ```ts
 * declarations(compile("type Person(#id: string, age: number)")).includes("interface Person"); // => true
 * ```
 */
export function declarations(program: Program, options: DeclarationOptions = {}): string {
  return new Declarations(program, options).text();
}

class Declarations {
  readonly #program: Program;
  readonly #options: DeclarationOptions;
  readonly #names = new Names(["Rules", "FactOf", "IdOf", "RefOf", "Value"]);
  readonly #types: readonly FactType[];
  /** The interface of what is read of each type. */
  readonly #read = new Map<string, string>();
  readonly #words: TypeWords;

  constructor(program: Program, options: DeclarationOptions) {
    this.#program = program;
    this.#options = options;
    this.#types = knownTypes(program);
    for (const { name } of this.#types) this.#read.set(name, this.#names.take(name));
    this.#words = new TypeWords(program.checked.symbols);
  }

  text(): string {
    const interfaces = this.#types.flatMap((type) => this.#interfacesOf(type));
    const rules = this.#rules();
    const body = [...interfaces, rules].join("\n\n");
    return `${[this.#head(), this.#imports(body), body].filter((part) => part !== "").join("\n\n")}\n`;
  }

  #head(): string {
    const { from } = this.#options;
    const named = from === undefined ? "" : ` ${from.replace(/[\r\n\u2028\u2029]/gu, " ")}`;
    return `// Made by "sluice types${named}"; make it anew when the rules change.`;
  }

  #imports(body: string): string {
    const used = ["FactOf", "IdOf", "RefOf", "Value"].filter((name) => new RegExp(`\\b${name}\\b`, "u").test(body));
    const library = JSON.stringify(this.#options.library ?? "sluice");
    return used.length === 0 ? "" : `import type { ${used.join(", ")} } from ${library};`;
  }

  // ---------------------------------------------------------------- facts

  #interfacesOf(type: FactType): string[] {
    const read = this.#read.get(type.name) ?? "";
    const fields = [...type.fields.values()];
    const shown = fields.map((field) => member(field.name, this.#words.read(field.type), field.optional));
    const note = type.protected ? ' Written in the role "policy" alone.' : "";
    const made = [block(`/** A fact of type ${type.name}, as it is read.${note} */\nexport interface ${read}`, shown)];
    if (type.engineKept) return made;
    const given = fields.map((field) => {
      const words = this.#words.given(field.type);
      if (field.optional) return member(field.name, `${words} | null | undefined`, true);
      return field.hasDefault ? member(field.name, `${words} | undefined`, true) : member(field.name, words, false);
    });
    const changed = fields
      .filter((field) => !field.key)
      .map((field) => {
        const words = this.#words.given(field.type);
        return member(field.name, field.optional ? `${words} | null` : words, true);
      });
    return [
      ...made,
      block(`/** What is given to assert it. */\nexport interface ${this.#names.take(`${read}Input`)}`, given),
      block(
        `/** What can be changed of it; null clears a field. */\nexport interface ${this.#names.take(`${read}Changes`)}`,
        changed,
      ),
    ];
  }

  #factMembers(): string[] {
    if (this.#program.checked.symbols.open) {
      const any = "{ readonly [name: string]: Value }";
      const given = "{ readonly [name: string]: unknown }";
      return [
        `readonly [type: string]: { readonly fields: ${any}; readonly input: ${given}; readonly changes: ${given} };`,
      ];
    }
    return this.#types.map(({ name, engineKept, protected: guarded }) => {
      const read = this.#read.get(name) ?? "";
      const given = engineKept ? "never" : this.#names.of(`${read}Input`);
      const changed = engineKept ? "never" : this.#names.of(`${read}Changes`);
      const mark = guarded ? " readonly protected: true;" : "";
      return member(
        name,
        `{${mark} readonly fields: ${read}; readonly input: ${given}; readonly changes: ${changed} }`,
        false,
      );
    });
  }

  // ---------------------------------------------------------------- the program

  #rules(): string {
    const { symbols } = this.#program.checked;
    const parts = [
      block("readonly facts:", this.#factMembers()),
      block("readonly actions:", this.#actionMembers()),
      block(
        "readonly queries:",
        Array.from(symbols.queries.values(), (query) => this.#query(query)),
      ),
      block(
        "readonly rules:",
        this.#program.network().rules.flatMap(({ name }) => {
          const declared = symbols.rules.get(name);
          return declared === undefined ? [] : [member(name, this.#row(declared), false)];
        }),
      ),
    ];
    return block(
      "/** For program.session<Rules>(). */\nexport interface Rules",
      parts.map((part) => `${part};`),
    );
  }

  #actionMembers(): string[] {
    const { symbols } = this.#program.checked;
    if (symbols.openActions) return ["readonly [action: string]: any[];"];
    return Array.from(symbols.actions.values(), ({ decl }) =>
      member(decl.name.name, this.#parameters(decl.params), false),
    );
  }

  /** A parameter that may be left out comes last in a list of arguments; before another it may be undefined. */
  #parameters(params: readonly ast.FieldDecl[]): string {
    const canLack = params.map((param) => param.optional || param.default !== null);
    const words = params.map((param, index) => {
      const type = this.#words.readRef(param.type);
      const atEnd = canLack.slice(index).every(Boolean);
      const label = labelOf(param.name.name, index);
      if (canLack[index] !== true) return `${label}: ${type}`;
      return atEnd ? `${label}?: ${type} | undefined` : `${label}: ${type} | undefined`;
    });
    return `[${words.join(", ")}]`;
  }

  #query(declared: Declared<ast.QueryDecl>): string {
    const { decl } = declared;
    const args = decl.params.map((param) => {
      const optional = param.optional || param.default !== null;
      const type = this.#words.givenRef(param.type);
      return member(param.name.name, optional ? `${type} | null | undefined` : type, optional);
    });
    const words = args.length === 0 ? "{ readonly [name: string]: never }" : `{ ${args.join(" ")} }`;
    return member(decl.name.name, `{ readonly args: ${words}; readonly row: ${this.#row(declared)} }`, false);
  }

  #row(declared: Declared<ast.RuleDecl | ast.QueryDecl>): string {
    const { symbols } = this.#program.checked;
    const cx = {
      symbols,
      report: new Report(declared.source),
      limits: this.#program.limits,
      resolutions: new Map(),
      holes: new Map(),
    };
    const members = variablesOf(cx, declared.decl).map((variable) =>
      member(variable.name, this.#variable(variable), false),
    );
    return members.length === 0 ? "{}" : `{ ${members.join(" ")} }`;
  }

  #variable({ kind, type }: Variable): string {
    if (kind !== "fact" || type.kind !== "fact") return this.#words.read(type);
    const read = this.#read.get(type.type);
    return `FactOf<${JSON.stringify(type.type)}, ${read ?? "{ readonly [name: string]: Value }"}>`;
  }
}

/** Those the program declares; the engine's own only when something in the program makes them. */
function knownTypes(program: Program): FactType[] {
  const { symbols } = program.checked;
  const judges = symbols.gates.size + symbols.flows.size + symbols.guardians.size > 0;
  return symbols
    .typeNames()
    .flatMap((name) => symbols.type(name) ?? [])
    .filter((type) => judges || !type.engineKept);
}

function labelOf(name: string, index: number): string {
  return property(name) === name && !LABELS_TAKEN.has(name) ? name : `argument${index + 1}`;
}

/** Words that cannot label an item of a list. */
const LABELS_TAKEN = new Set(["this"]);

function block(head: string, lines: readonly string[]): string {
  if (lines.length === 0) return `${head} {}`;
  const inner = lines.map((line) => line.replace(/^/gmu, "  ")).join("\n");
  return `${head} {\n${inner}\n}`;
}
