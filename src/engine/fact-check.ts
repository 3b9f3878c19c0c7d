/**
 * Says everything that is wrong with a fact, field by field. Asserting it would stop at the first mistake; whoever reads a
 * file of facts wants all of them.
 *
 * Codes and words are those that asserting would give: the same functions give them here.
 */
import type { Code } from "../base/codes.ts";
import type { Limits } from "../base/limits.ts";
import { nearest } from "../base/nearest.ts";
import type { Maybe } from "../base/value.ts";
import { type AdmissionOptions, Admission } from "../session/admission/admission.ts";
import { FactError } from "../session/errors.ts";
import { fit } from "../session/admission/field-type.ts";
import { ValueCopier } from "../session/admission/host-value.ts";
import type { FieldSchema, Schema, SchemaType, TypeSchema } from "../session/admission/schema.ts";
import { Shapes } from "../session/admission/shapes.ts";
import type { ChangeBy } from "../session/options.ts";
import type { Program } from "./program.ts";

export interface FactProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint: string | undefined;
  /** The field that is at fault; undefined when it is the fact as a whole. */
  readonly field: string | undefined;
}

export class FactChecker {
  readonly schema: Schema;
  readonly #limits: Limits;
  readonly #copier: ValueCopier;
  readonly #admission: Admission;
  readonly #how: AdmissionOptions;
  readonly #typeProblems = new Map<string, FactProblem | undefined>();

  /** Facts of protected types are a mistake unless they are given in the role `policy`. */
  constructor(program: Program, { role }: ChangeBy = {}) {
    this.#how = { role };
    const { schema, limits } = program.data();
    this.schema = schema;
    this.#limits = limits;
    this.#copier = new ValueCopier(limits);
    this.#admission = new Admission(schema, new Shapes(), limits);
  }

  /** Why there can be no facts of this type; undefined when there can. */
  typeProblem(type: string): FactProblem | undefined {
    if (!this.#typeProblems.has(type)) {
      const problem = problemOf(undefined, () => this.#admission.admit(type, {}, this.#how));
      this.#typeProblems.set(type, problem?.code === "E402" ? undefined : problem);
    }
    return this.#typeProblems.get(type);
  }

  /** What is wrong with one field; null is a missing value. */
  fieldProblem(type: string, name: string, value: unknown): FactProblem | undefined {
    return problemOf(name, () => this.#copyField(type, name, value));
  }

  /** The required fields that are not among these. */
  missing(type: string, given: ReadonlySet<string>): FactProblem | undefined {
    const schema = this.schema.types.get(type);
    if (schema === undefined) return undefined;
    const rest = { ...schema, fields: schema.fields.filter((field) => !given.has(field.name)) };
    return problemOf(undefined, () => this.#admissionFor(rest).admit(type, {}, this.#how));
  }

  /** All mistakes of a fact, as far as they show without looking at other facts. */
  problems(type: string, fields: Readonly<Record<string, unknown>>): FactProblem[] {
    const wrongType = this.typeProblem(type);
    if (wrongType !== undefined) return [wrongType];
    const tooMany = problemOf(undefined, () => this.#admission.refuseManyFields(Object.keys(fields).length));
    if (tooMany !== undefined) return [tooMany];
    const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    const wrong = Object.entries(fields).map(([name, value]) => this.fieldProblem(type, name, value));
    const missing = this.missing(type, new Set([...given.map(([name]) => name), ...this.#meant(type, wrong)]));
    return [...wrong, missing].filter((problem) => problem !== undefined);
  }

  /** The id that a fact gets from its key; undefined for a type without keys. */
  idOf(type: string, fields: Readonly<Record<string, unknown>>): string | undefined {
    return this.#admission.idFor(type, fields, this.#how);
  }

  isKeyed(type: string): boolean {
    return this.schema.types.get(type)?.fields.some((field) => field.key) ?? false;
  }

  fieldNamed(type: string, name: string): FieldSchema | undefined {
    return this.schema.types.get(type)?.fields.find((field) => field.name === name);
  }

  /** Those without a default; they must be given. */
  requiredFields(type: string): string[] {
    const fields = this.schema.types.get(type)?.fields ?? [];
    return fields
      .filter((field) => (field.key || !field.optional) && field.default === undefined)
      .map(({ name }) => name);
  }

  /** The kind of the one key that references to a type can be given by. */
  keyKind(type: string): SchemaType["kind"] | undefined {
    const keys = this.schema.types.get(type)?.fields.filter((field) => field.key) ?? [];
    return keys.length === 1 ? keys[0]?.type.kind : undefined;
  }

  #copyField(type: string, name: string, value: unknown): void {
    const field = this.fieldNamed(type, name);
    if (field === undefined) {
      this.#admission.admit(type, Object.fromEntries([[name, value]]), this.#how);
      return;
    }
    this.#copier.begin();
    const where = `${type}.${name}`;
    const copied: Maybe = this.#copier.copy(where, value);
    if (copied !== undefined) fit(this.schema, where, field.type, copied);
  }

  /** A mistyped field is one mistake: the field it was meant to be does not count as missing too. */
  #meant(type: string, problems: readonly (FactProblem | undefined)[]): string[] {
    const names = this.schema.types.get(type)?.fields.map((field) => field.name) ?? [];
    return problems.flatMap((problem) => {
      const meant = problem?.code === "E401" ? nearest(problem.field ?? "", names) : undefined;
      return meant === undefined ? [] : [meant];
    });
  }

  #admissionFor(type: TypeSchema): Admission {
    const schema = { open: this.schema.open, types: new Map([...this.schema.types, [type.name, type]]) };
    return new Admission(schema, new Shapes(), this.#limits);
  }
}

function problemOf(field: string | undefined, work: () => unknown): FactProblem | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof FactError)) throw error;
    return { code: error.code, message: error.message, hint: error.hint, field };
  }
}
