/**
 * All names of a program, collected from all its files before anything is checked, so that the order of statements does
 * not matter for names.
 */
import type { Steps } from "../../base/slices.ts";
import { Report } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { normalForm } from "../../base/normal.ts";
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import { AGGREGATES } from "../../functions/aggregates.ts";
import { FUNCTIONS } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import type { BrokenName } from "../broken.ts";
import { declaresBuiltIn } from "../legacy.ts";
import type { ParsedFile } from "../parse.ts";
import { sameFields } from "../restart.ts";
import { ENGINE_TYPES, type FactType, type Field } from "./builtin-types.ts";
import { ACTIONS, type Signature } from "./signature.ts";
import { hostSignatures } from "./host-signatures.ts";
import { ANY, BOOL, factOf, listOf, NUMBER, STRING, type Type } from "./types.ts";

/** A declaration and its location. */
export interface Declared<Decl> {
  readonly decl: Decl;
  readonly source: Source;
  readonly span: Span;
}

/** The names of one kind; each can be declared once. */
export class Names<Decl> {
  readonly kind: string;
  readonly #byName = new Map<string, Declared<Decl>>();
  /** The names declared by statements that could not be read. */
  readonly #broken = new Set<string>();
  /** The written form of each name, by its normalised form. */
  readonly #normalised = new Map<string, string>();

  constructor(kind: string) {
    this.kind = kind;
  }

  get(name: string): Declared<Decl> | undefined {
    return this.#byName.get(name);
  }

  names(): IterableIterator<string> {
    return this.#byName.keys();
  }

  values(): IterableIterator<Declared<Decl>> {
    return this.#byName.values();
  }

  get size(): number {
    return this.#byName.size;
  }

  /** Returns whether nothing of this kind is declared, not even by a statement that could not be read. */
  get isEmpty(): boolean {
    return this.#byName.size === 0 && this.#broken.size === 0;
  }

  /** Replaces every declaration. */
  change(by: (decl: Decl) => Decl): void {
    for (const [name, declared] of this.#byName) this.#byName.set(name, { ...declared, decl: by(declared.decl) });
  }

  isBroken(name: string): boolean {
    return this.#broken.has(name);
  }

  addBroken(name: string): void {
    this.#broken.add(name);
  }

  nearest(name: string): string | undefined {
    return nearest(name, this.#byName.keys());
  }

  delete(name: string): void {
    this.#byName.delete(name);
    this.#normalised.delete(normalForm(name));
  }

  add(report: Report, name: ast.Ident, decl: Decl): void {
    if (isReserved(name.name)) {
      report.error("E210", name.span, `"${name.name}" is a reserved name`, "choose another name");
      return;
    }
    const before = this.#byName.get(name.name);
    if (before !== undefined) {
      report.error(
        "E204",
        name.span,
        `${this.kind} "${name.name}" is defined twice`,
        `first defined at ${place(before)}`,
      );
      return;
    }
    const normal = normalForm(name.name);
    const twin = this.#normalised.get(normal);
    if (twin !== undefined) {
      const other = this.#byName.get(twin);
      report.error(
        "E211",
        name.span,
        `${this.kind} "${name.name}" equals another ${this.kind} after Unicode normalisation`,
        other === undefined ? undefined : `the other is at ${place(other)}; use the same characters in both`,
      );
      return;
    }
    this.#normalised.set(normal, name.name);
    this.#byName.set(name.name, { decl, source: report.source, span: name.span });
  }
}

const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype", "_id_"]);

export function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(name);
}

export function place(declared: { readonly source: Source; readonly span: Span }): string {
  const { line, column } = declared.source.position(declared.span.start);
  return `${declared.source.file}:${line}:${column}`;
}

/** The signatures of host functions, by name. */
export interface HostFunctions {
  readonly [name: string]: Signature;
}

export class Symbols {
  readonly types: Names<FactType> = new Names("type");
  readonly actions: Names<ast.ActionDecl> = new Names("action");
  readonly rules: Names<ast.RuleDecl> = new Names("rule");
  readonly conditions: Names<ast.ConditionDecl> = new Names("condition");
  readonly gates: Names<ast.GateDecl> = new Names("gate");
  readonly flows: Names<ast.FlowDecl> = new Names("flow");
  readonly guardians: Names<ast.GuardianDecl> = new Names("guardian");
  readonly pipelines: Names<ast.PipelineDecl> = new Names("pipeline");
  readonly lists: Names<ast.ListDecl> = new Names("list");
  readonly queries: Names<ast.QueryDecl> = new Names("query");
  readonly tests: Names<ast.TestDecl> = new Names("test");
  readonly spaces: Names<ast.XupleSpaceDecl> = new Names("xuple-space");
  /** The named facts: `alice = Person(…)`. */
  readonly facts: Names<ast.FactDecl> = new Names("fact");
  /** The rules that were removed; `test` blocks may still name them. */
  readonly removedRules: Set<string> = new Set();
  readonly functions: ReadonlyMap<string, Signature>;
  readonly #engineTypes = new Map(ENGINE_TYPES.map((type) => [type.name, type]));
  readonly #typeDecls = new Map<string, ast.TypeDecl>();
  #typesMissed = false;
  #complete = true;

  constructor(functions: HostFunctions = {}) {
    const builtIn = [...FUNCTIONS.values()].map(({ name, signature }): [string, Signature] => [name, signature]);
    this.functions = new Map([...builtIn, ...hostSignatures(functions)]);
  }

  /** Returns whether no type is declared, so that any type and field may be used. */
  get open(): boolean {
    return this.#typeDecls.size === 0 && !this.#typesMissed && this.complete;
  }

  get openActions(): boolean {
    return this.actions.isEmpty;
  }

  /** Returns whether all files of the program were read to their end. */
  get complete(): boolean {
    return this.#complete;
  }

  /**
   * Returns whether an unknown name may be declared in a part that could not be read, where something else was
   * reported.
   */
  excuses(names: Names<unknown>, name: string): boolean {
    return !this.complete || names.isBroken(name);
  }

  type(name: string): FactType | undefined {
    return this.#engineTypes.get(name) ?? this.types.get(name)?.decl;
  }

  typeNames(): string[] {
    return [...this.types.names(), ...this.#engineTypes.keys()];
  }

  function(name: string): Signature | undefined {
    return this.functions.get(this.functionName(name));
  }

  /** Returns the name under which a called function is known: built-in functions are found in any case, those of the host as registered. */
  functionName(name: string): string {
    return !this.functions.has(name) && this.functions.has(name.toLowerCase()) ? name.toLowerCase() : name;
  }

  /** Returns what an expression can call: functions, those of the host included, and aggregates. */
  callableNames(): string[] {
    return [...new Set([...this.functions.keys(), ...AGGREGATES.keys()])];
  }

  builtInAction(name: string): Signature | undefined {
    return ACTIONS.get(name.toLowerCase());
  }

  *collecting(file: ParsedFile, report: Report): Steps<void> {
    if (file.unread?.more === true) this.#complete = false;
    for (const { kind, name } of file.unread?.names ?? []) {
      for (const names of this.#named(kind)) names.addBroken(name);
      if (kind === "type" || kind === "any") this.#typesMissed = true;
    }
    for (const decl of file.declarations) {
      this.#collectOne(decl, report);
      yield;
    }
  }

  /** Completes the tables. Call it when everything is collected: a field of an undeclared type gets the type `any`. */
  resolveFieldTypes(): void {
    this.types.change((type) => ({
      ...type,
      fields: new Map(
        [...type.fields].map(([name, field]) => [name, { ...field, type: this.#declaredOrAny(field.type) }]),
      ),
    }));
  }

  /** Returns the type that a declaration names; `any` when it is not declared. */
  typeOfRef(ref: ast.TypeRef): Type {
    return this.#declaredOrAny(typeOfRef(ref));
  }

  #declaredOrAny(type: Type): Type {
    if (type.kind === "list") return listOf(this.#declaredOrAny(type.item));
    return type.kind !== "fact" || this.open || this.type(type.type) !== undefined ? type : ANY;
  }

  /** Returns the tables that a statement which could not be read may have added to. */
  #named(kind: BrokenName["kind"]): readonly Names<unknown>[] {
    const byKind: Readonly<Record<Exclude<BrokenName["kind"], "any">, Names<unknown>>> = {
      type: this.types,
      action: this.actions,
      rule: this.rules,
      condition: this.conditions,
      gate: this.gates,
      flow: this.flows,
      guardian: this.guardians,
      pipeline: this.pipelines,
      list: this.lists,
      query: this.queries,
      test: this.tests,
      "xuple-space": this.spaces,
      fact: this.facts,
    };
    return kind === "any" ? Object.values(byKind) : [byKind[kind]];
  }

  /** Collects a file of the package: its types give way to the program's own, and leave an open program open. */
  collectShipped(file: ParsedFile, report: Report): void {
    for (const decl of file.declarations) {
      if (decl.kind !== "type") this.#collectOne(decl, report);
      else if (this.types.get(decl.name.name) === undefined)
        this.types.add(report, decl.name, factTypeOf(decl, report));
    }
  }

  #collectOne(decl: ast.Declaration, report: Report): void {
    switch (decl.kind) {
      case "type":
        return this.#addType(decl, report);
      case "action":
        return this.#addAction(decl, report);
      case "rule":
        return this.rules.add(report, decl.name, decl);
      case "condition":
        return this.conditions.add(report, decl.name, decl);
      case "gate":
        return this.gates.add(report, decl.name, decl);
      case "flow":
        return this.flows.add(report, decl.name, decl);
      case "guardian":
        return this.guardians.add(report, decl.name, decl);
      case "pipeline":
        return this.pipelines.add(report, decl.name, decl);
      case "list-decl":
        return this.lists.add(report, decl.name, decl);
      case "query":
        return this.queries.add(report, decl.name, decl);
      case "test":
        return this.tests.add(report, decl.name, decl);
      case "xuple-space":
        return this.spaces.add(report, decl.name, decl);
      case "fact":
        if (decl.name !== null) this.facts.add(report, decl.name, decl);
        return;
      case "remove-rule":
        return this.#removeRule(decl, report);
      case "use":
        return this.#use(decl, report);
      default:
        return;
    }
  }

  #addType(decl: ast.TypeDecl, report: Report): void {
    if (this.#engineTypes.has(decl.name.name) || PRIMITIVES.has(decl.name.name)) {
      report.error("E210", decl.name.span, `"${decl.name.name}" is a built-in type`, "choose another name");
      return;
    }
    const before = this.#typeDecls.get(decl.name.name);
    if (before !== undefined && before.protected === decl.protected && sameFields(before, decl)) {
      report.warning(
        "W102",
        decl.name.span,
        `type "${decl.name.name}" is declared twice with the same fields`,
        "remove one of them",
      );
      return;
    }
    this.types.add(report, decl.name, factTypeOf(decl, report));
    if (before === undefined && !isReserved(decl.name.name)) this.#typeDecls.set(decl.name.name, decl);
  }

  /** Adds an action. One that is built in is there already, and does not close the list of actions (W101). */
  #addAction(decl: ast.ActionDecl, report: Report): void {
    if (!declaresBuiltIn(decl)) this.actions.add(report, decl.name, decl);
  }

  /** Removes a rule. Statements apply in file order: it may be defined again below. */
  #removeRule(decl: ast.RemoveRuleDecl, report: Report): void {
    const { name, span } = decl.rule;
    if (this.rules.get(name) !== undefined) {
      this.removedRules.add(name);
      return this.rules.delete(name);
    }
    if (this.excuses(this.rules, name)) return;
    const meant = this.rules.nearest(name);
    report.error("E207", span, `cannot remove unknown rule "${name}"`, didYouMean(meant));
  }

  #use(decl: ast.UseDecl, report: Report): void {
    if (decl.name.name.toLowerCase() !== "standard") {
      report.error(
        "E213",
        decl.name.span,
        `unknown built-in guardian "${decl.name.name}"`,
        'the only one is "standard"',
      );
    }
  }
}

export const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "bool", "boolean", "any"]);

function factTypeOf(decl: ast.TypeDecl, report: Report): FactType {
  const fields = new Names<Field>("field");
  for (const field of decl.fields) {
    fields.add(report, field.name, {
      name: field.name.name,
      type: typeOfRef(field.type),
      key: field.key,
      optional: field.optional,
      hasDefault: field.default !== null,
    });
  }
  return {
    name: decl.name.name,
    engineKept: false,
    protected: decl.protected,
    fields: new Map([...fields.values()].map((field) => [field.decl.name, field.decl])),
  };
}

/** Returns the type that a declaration names; whether it exists is checked elsewhere. */
export function typeOfRef(ref: ast.TypeRef): Type {
  switch (ref.kind) {
    case "union":
      return { kind: "union", options: ref.options.map((option) => option.value) };
    case "list-of":
      return listOf(typeOfRef(ref.item));
    case "named":
      return NAMED.get(ref.name) ?? factOf(ref.name);
  }
}

const NAMED: ReadonlyMap<string, Type> = new Map([
  ["string", STRING],
  ["number", NUMBER],
  ["bool", BOOL],
  ["any", ANY],
]);

export function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean "${name}"?`;
}

/**
 * Returns the hint for an unknown name: the nearest one, or, for `total-tax`, that a minus between letters belongs to
 * the name.
 */
export function hintFor(name: string, meant: string | undefined): string | undefined {
  if (meant !== undefined && normalForm(meant) === normalForm(name)) {
    return `"${meant}" looks the same but uses other characters: copy the name from its declaration`;
  }
  if (meant !== undefined) return didYouMean(meant);
  if (!name.includes("-")) return undefined;
  return `"-" between letters is part of a name; to subtract, put spaces around it: ${name.replaceAll("-", " - ")}`;
}
