/**
 * All names of a program, collected from all its files before anything is checked, so that the order of statements does
 * not matter for names.
 */
import type * as ast from "../ast.ts";
import { SmallSteps, type Steps } from "../../base/slices.ts";
import type { HostType } from "../../base/host-types.ts";
import { Report } from "../../base/diagnostic.ts";
import { LayeredMap } from "../../base/layered-map.ts";
import { LONGEST_CHAIN } from "../../base/limits.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Source } from "../../base/source.ts";
import { AGGREGATES } from "../../functions/aggregates.ts";
import { FUNCTIONS } from "../../functions/functions.ts";
import type { BrokenName } from "../broken.ts";
import { declaresBuiltIn } from "../legacy.ts";
import { groupOf } from "../modules/declared.ts";
import type { Modules } from "../modules/modules.ts";
import type { ParsedFile } from "../parse.ts";
import { sameFields } from "../restart.ts";
import { ENGINE_TYPES, type FactType } from "./builtin-types.ts";
import { ACTIONS, type Signature } from "./signature.ts";
import { hostSignatures } from "./host-signatures.ts";
import {
  factOf,
  holdsTime,
  isHostType,
  isTime,
  listOf,
  type RecordField,
  type RecordType,
  REPORTED,
  type Type,
} from "./types.ts";
import { type Declared, Names, isReserved, place } from "./names.ts";
import { PRIMITIVES, factTypeOf, typeOfRef } from "./declared-types.ts";

/** The signatures of host functions, by name. */
export interface HostFunctions {
  readonly [name: string]: Signature;
}

/** A function that is computed in the language. */
export type ComputedFunction = ast.FunctionDecl & { readonly body: ast.Expr };

export function isComputed(decl: ast.FunctionDecl): decl is ComputedFunction {
  return decl.body !== null;
}

export class Symbols {
  readonly types: Names<FactType>;
  readonly actions: Names<ast.ActionDecl>;
  readonly rules: Names<ast.RuleDecl>;
  readonly conditions: Names<ast.ConditionDecl>;
  readonly gates: Names<ast.GateDecl>;
  readonly flows: Names<ast.FlowDecl>;
  readonly guardians: Names<ast.GuardianDecl>;
  readonly pipelines: Names<ast.PipelineDecl>;
  readonly constants: Names<ast.ConstDecl>;
  /** The declarations of records: values inside facts. */
  readonly records: Names<ast.RecordDecl>;
  readonly #recordTypes: Map<ast.RecordDecl, RecordType>;
  /** The names of types of values: `type Severity = "low" | "high"`. */
  readonly aliases: Names<ast.AliasDecl>;
  readonly queries: Names<ast.QueryDecl>;
  readonly tables: Names<ast.TableDecl>;
  readonly tests: Names<ast.TestDecl>;
  readonly spaces: Names<ast.XupleSpaceDecl>;
  /** The named facts: `alice = Person(…)`. */
  readonly facts: Names<ast.FactDecl>;
  /** The functions that the program declares. */
  readonly functions: Names<ast.FunctionDecl>;
  /** The built-in functions, and those of the host that are passed to `compile`. */
  readonly #undeclared: ReadonlyMap<string, Signature>;
  readonly #signatures: Map<ast.FunctionDecl, Signature>;
  readonly #engineTypes = new Map(ENGINE_TYPES.map((type) => [type.name, type]));
  readonly #typeDecls: Map<string, ast.TypeDecl>;
  readonly #removedRules: LayeredMap<string, true>;
  /** The modules of the program; undefined when every file knows every name. */
  readonly modules: Modules | undefined;
  #typesMissed = false;
  #hasTimes: boolean | undefined = undefined;
  #complete = true;
  /** The first alias or record found that uses too many others in a row. */
  longRow: Declared<ast.AliasDecl> | Declared<ast.RecordDecl> | undefined = undefined;

  /**
   * Takes the functions of the host; and the names of a program without errors that is continued. Only rules, queries and tests
   * are added to those: everything else is shared.
   */
  constructor(functions: HostFunctions = {}, before?: Symbols, modules?: Modules) {
    this.modules = modules;
    this.types = before?.types ?? new Names("type");
    this.actions = before?.actions ?? new Names("action");
    this.rules = new Names("rule", before?.rules);
    this.conditions = before?.conditions ?? new Names("condition");
    this.gates = before?.gates ?? new Names("gate");
    this.flows = before?.flows ?? new Names("flow");
    this.guardians = before?.guardians ?? new Names("guardian");
    this.pipelines = before?.pipelines ?? new Names("pipeline");
    this.constants = before?.constants ?? new Names("constant");
    this.aliases = before?.aliases ?? new Names("type");
    this.records = before?.records ?? new Names("record");
    this.#recordTypes = before === undefined ? new Map() : before.#recordTypes;
    this.queries = new Names("query", before?.queries);
    this.tables = before?.tables ?? new Names("table");
    this.tests = new Names("test", before?.tests);
    this.spaces = before?.spaces ?? new Names("xuple-space");
    this.facts = before?.facts ?? new Names("fact");
    this.functions = before?.functions ?? new Names("function");
    this.#undeclared = before === undefined ? undeclaredFunctions(functions) : before.#undeclared;
    this.#signatures = before === undefined ? new Map() : before.#signatures;
    this.#typeDecls = before === undefined ? new Map() : before.#typeDecls;
    this.#removedRules = before === undefined ? LayeredMap.empty() : before.#removedRules.continued();
  }

  /** Returns whether a rule was removed; `test` blocks may still name it. */
  isRemovedRule(name: string): boolean {
    return this.#removedRules.has(name);
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
    return !this.complete || names.isBroken(name) || this.modules?.reported.has(name) === true;
  }

  /** Returns whether a file knows a name of one kind without an alias. */
  knows(names: Names<unknown>, name: string, within: Source): boolean {
    const found = this.modules?.plain(groupOf(names.kind), name, within);
    return found === undefined
      ? names.get(name) !== undefined
      : found.some(({ unique }) => names.get(unique) !== undefined);
  }

  /** Returns the names of one kind as a file writes them: in a program with modules those that it can use. */
  written(names: Names<unknown>, within: Source): readonly string[] {
    const known = this.modules?.spellings(groupOf(names.kind), within);
    if (known === undefined) return [...names.names()];
    return [...known].flatMap(([name, { unique }]) => (names.get(unique) === undefined ? [] : [name]));
  }

  type(name: string): FactType | undefined {
    return this.#engineTypes.get(name) ?? this.types.get(name)?.decl;
  }

  /** Returns whether a field of a declared type holds times. Asked when all types are known. */
  get hasTimes(): boolean {
    this.#hasTimes ??= [...this.types.names()].some((name) =>
      [...(this.type(name)?.fields.values() ?? [])].some(({ type }) => holdsTime(type)),
    );
    return this.#hasTimes;
  }

  /** Returns the names of types; for a text, as its file writes them. */
  typeNames(within?: Source): string[] {
    const declared = within === undefined ? this.types.names() : this.written(this.types, within);
    return [...declared, ...this.#engineTypes.keys()];
  }

  /** Returns the signature of a called function. One that the program declares comes before a built-in one of the same name. */
  function(name: string): Signature | undefined {
    const declared = this.declaredFunction(name);
    return declared === undefined ? this.#undeclared.get(this.functionName(name)) : this.#signatureOf(declared);
  }

  /** Returns the declaration of a called function; undefined for one that is built in, or that only the host knows. */
  declaredFunction(name: string): ast.FunctionDecl | undefined {
    return this.functions.get(this.functionName(name))?.decl;
  }

  /** Returns the declaration of a called function that is computed in the language. */
  computedFunction(name: string): ComputedFunction | undefined {
    const declared = this.declaredFunction(name);
    return declared !== undefined && isComputed(declared) ? declared : undefined;
  }

  /** Returns the signature that `compile` was given for a function. */
  hostSignature(name: string): Signature | undefined {
    const signature = this.#undeclared.get(name);
    return signature === FUNCTIONS.get(name)?.signature ? undefined : signature;
  }

  /** Returns the name under which a called function is known: built-in functions are found in any case, others as declared. */
  functionName(name: string): string {
    const lower = name.toLowerCase();
    return !this.#isFunction(name) && this.#isFunction(lower) ? lower : name;
  }

  #isFunction(name: string): boolean {
    return this.functions.get(name) !== undefined || this.#undeclared.has(name);
  }

  #signatureOf(decl: ast.FunctionDecl): Signature {
    let signature = this.#signatures.get(decl);
    if (signature !== undefined) return signature;
    const params = decl.params.map(({ name, type, optional, default: otherwise }) => ({
      name: name.name,
      type: this.typeOfRef(type),
      optional: optional || otherwise !== null,
    }));
    const result = this.typeOfRef(decl.result);
    signature = { params, result: decl.optional ? { ...result, optional: true } : result };
    this.#signatures.set(decl, signature);
    return signature;
  }

  /** Returns the functions that an expression can call, those of the host included; for a text, as its file writes them. */
  functionNames(within?: Source): string[] {
    const declared = within === undefined ? this.functions.names() : this.written(this.functions, within);
    return [...new Set([...declared, ...this.#undeclared.keys()])];
  }

  /** Returns what an expression can call: functions, those of the host included, and aggregates. */
  callableNames(): string[] {
    return [...new Set([...this.functionNames(), ...AGGREGATES.keys()])];
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
    const small = new SmallSteps();
    for (const decl of file.declarations) {
      this.#collectOne(decl, report);
      if (small.isDue()) yield;
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

  /** Replaces statements by what the checker made of them. */
  elaborate(elaborated: ReadonlyMap<ast.Declaration, ast.Declaration>): void {
    for (const [before, decl] of elaborated) {
      if (decl.kind === "rule") this.rules.replace(decl.name.name, before, decl);
      else if (decl.kind === "condition") this.conditions.replace(decl.name.name, before, decl);
      else if (decl.kind === "gate") this.gates.replace(decl.name.name, before, decl);
      else if (decl.kind === "guardian") this.guardians.replace(decl.name.name, before, decl);
      else if (decl.kind === "pipeline") this.pipelines.replace(decl.name.name, before, decl);
      else if (decl.kind === "query") this.queries.replace(decl.name.name, before, decl);
    }
  }

  /** Returns the type that a declaration names; `any` when it is not declared. */
  typeOfRef(ref: ast.TypeRef): HostType {
    const type = this.#declaredOrAny(typeOfRef(ref));
    return isHostType(type) ? type : { kind: "any" };
  }

  /** Returns the type with aliases replaced; `seen` are those that it is inside of: a circular one is `any`. */
  #declaredOrAny(type: Type, seen: ReadonlySet<string> = new Set()): Type {
    if (type.kind === "list") return listOf(this.#declaredOrAny(type.item, seen));
    // A program that declares a type called "date" means its own.
    const name = isTime(type) ? type.kind : type.kind === "fact" ? type.type : undefined;
    if (name !== undefined && seen.has(name)) return REPORTED;
    if (seen.size > LONGEST_CHAIN) return this.#refuseRow(seen);
    const alias = name === undefined ? undefined : this.aliases.get(name)?.decl;
    if (alias !== undefined) {
      return this.#declaredOrAny(typeOfRef(alias.type), new Set([...seen, alias.name.name]));
    }
    const record = name === undefined ? undefined : this.records.get(name)?.decl;
    if (record !== undefined) return this.#recordType(record, new Set([...seen, record.name.name]));
    if (isTime(type)) return this.types.get(type.kind) === undefined ? type : factOf(type.kind);
    return type.kind !== "fact" || this.open || this.type(type.type) !== undefined ? type : REPORTED;
  }

  /** Notes the first declaration that too many others in a row belong to. */
  #refuseRow([first = ""]: Iterable<string>): Type {
    this.longRow ??= this.aliases.get(first) ?? this.records.get(first);
    return REPORTED;
  }

  /** Returns the type of a declared record. */
  recordNamed(name: string): RecordType | undefined {
    const decl = this.records.get(name)?.decl;
    return decl === undefined ? undefined : this.#recordType(decl, new Set([name]));
  }

  /** Returns the type of a record. What it is inside of itself is `any`, and reported where the record is declared. */
  #recordType(decl: ast.RecordDecl, seen: ReadonlySet<string>): RecordType {
    const known = this.#recordTypes.get(decl);
    if (known !== undefined) return known;
    const fields = new Map<string, RecordField>();
    for (const { name, type, optional, default: otherwise } of decl.fields) {
      const of = this.#declaredOrAny(typeOfRef(type), seen);
      if (!isReserved(name.name))
        fields.set(name.name, { name: name.name, type: of, optional, hasDefault: otherwise !== null });
    }
    const made: RecordType = {
      kind: "record",
      name: decl.name.name,
      fields: [...fields.values()],
      more: decl.more !== undefined,
    };
    this.#recordTypes.set(decl, made);
    return made;
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
      record: this.records,
      list: this.constants,
      const: this.constants,
      param: this.constants,
      function: this.functions,
      query: this.queries,
      table: this.tables,
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
      case "record":
        return this.#addRecord(decl, report);
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
      case "const":
        return this.constants.add(report, decl.name, decl);
      case "param":
        return this.constants.add(report, decl.name, constantOf(decl));
      case "function":
        return this.functions.add(report, decl.name, decl);
      case "alias":
        return this.#addAlias(decl, report);
      case "query":
        return this.queries.add(report, decl.name, decl);
      case "table":
        return this.tables.add(report, decl.name, decl);
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
    if (this.#isValueType(decl.name, report)) return;
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

  /** Reports a type of facts with the name of an alias or record. */
  #isValueType({ name, span }: ast.Ident, report: Report): boolean {
    const before = this.aliases.get(name) ?? this.records.get(name);
    if (before === undefined) return false;
    report.error("E204", span, `type "${name}" is defined twice`, `first defined at ${place(before)}`);
    return true;
  }

  /** Adds an alias: types of facts, of values and records share their names. */
  #addAlias(decl: ast.AliasDecl, report: Report): void {
    if (this.#isFreeFor(decl.name, this.records, report)) this.aliases.add(report, decl.name, decl);
  }

  #addRecord(decl: ast.RecordDecl, report: Report): void {
    if (this.#isFreeFor(decl.name, this.aliases, report)) this.records.add(report, decl.name, decl);
  }

  /** Returns whether a type of values can have a name; reports why not. `others` are those that it shares names with. */
  #isFreeFor({ name, span }: ast.Ident, others: Names<unknown>, report: Report): boolean {
    const before = this.types.get(name) ?? others.get(name);
    if (this.#engineTypes.has(name) || PRIMITIVES.has(name)) {
      report.error("E210", span, `"${name}" is a built-in type`, "choose another name");
    } else if (before !== undefined) {
      report.error("E204", span, `type "${name}" is defined twice`, `first defined at ${place(before)}`);
    } else return true;
    return false;
  }

  /** Adds an action. One that is built in is there already, and does not close the list of actions (W101). */
  #addAction(decl: ast.ActionDecl, report: Report): void {
    if (!declaresBuiltIn(decl)) this.actions.add(report, decl.name, decl);
  }

  /** Removes a rule. Statements apply in file order: it may be defined again below. */
  #removeRule(decl: ast.RemoveRuleDecl, report: Report): void {
    const { name, span } = decl.rule;
    if (this.rules.get(name) !== undefined) {
      this.#removedRules.set(name, true);
      return this.rules.delete(name);
    }
    if (this.excuses(this.rules, name)) return;
    const meant = nearest(name, this.written(this.rules, report.source));
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

/** Returns the functions that no statement declares: the built-in ones, and those of the host. */
function undeclaredFunctions(functions: HostFunctions): Map<string, Signature> {
  const builtIn = [...FUNCTIONS.values()].map(({ name, signature }): [string, Signature] => [name, signature]);
  return new Map([...builtIn, ...hostSignatures(functions)]);
}

/** Returns a parameter as a constant. One without a value is reported when it is checked. */
function constantOf({ name, type, default: value, span }: ast.ParamDecl): ast.ConstDecl {
  return { kind: "const", name, value: value ?? { kind: "bool", value: false, span }, spelling: "param", type, span };
}
