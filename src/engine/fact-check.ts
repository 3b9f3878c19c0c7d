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
import { refuseReserved, ValueCopier } from "../session/admission/host-value.ts";
import { mistakesOf } from "../session/admission/record-values.ts";
import {
  type FieldSchema,
  holdsTime,
  plainKeyOf,
  type Schema,
  type SchemaType,
  type TypeSchema,
} from "../session/admission/schema.ts";
import { Shapes } from "../session/admission/shapes.ts";
import type { ChangeBy } from "../session/options.ts";
import type { Program } from "./program.ts";

/** A mistake in a fact. */
export interface FactProblem {
  /** The stable code, such as `E401`. */
  readonly code: Code;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it; undefined when there is nothing to suggest. */
  readonly hint: string | undefined;
  /** The name of the field; undefined when the mistake concerns the fact as a whole. */
  readonly field: string | undefined;
  /** Where inside the value of the field it is: names of fields of records, and places in lists, from 0. Absent for the whole value. */
  readonly path?: readonly (string | number)[];
}

/**
 * Checks facts against the types of a program without asserting them, and reports all mistakes instead of the first.
 * Codes and messages are those that {@link Session.assert} would give.
 *
 * @example
 * ```ts
 * const checker = new FactChecker(compile("type Person(#id: string, age: number)"));
 * checker.problems("Person", { id: "p1", agee: 30 }).map((problem) => problem.code); // => ["E401"]
 * ```
 */
export class FactChecker {
  /** The types of the program. */
  readonly schema: Schema;
  readonly #limits: Limits;
  readonly #copier: ValueCopier;
  readonly #admission: Admission;
  readonly #options: AdmissionOptions;
  readonly #typeProblems = new Map<string, FactProblem | undefined>();

  /** Creates a checker for a program. Facts of protected types are a mistake (E411) unless `role` is `policy`. */
  constructor(program: Program, { role }: ChangeBy = {}) {
    this.#options = { role };
    const { schema, limits } = program.data();
    this.schema = schema;
    this.#limits = limits;
    this.#copier = new ValueCopier(limits);
    this.#admission = new Admission(schema, new Shapes(), limits);
  }

  /** Returns why no fact of this type can exist, such as an unknown type (E201); undefined when facts can. */
  typeProblem(type: string): FactProblem | undefined {
    if (!this.#typeProblems.has(type)) {
      const problem = problemOf(undefined, () => this.#admission.admit(type, {}, this.#options));
      this.#typeProblems.set(type, problem?.code === "E402" ? undefined : problem);
    }
    return this.#typeProblems.get(type);
  }

  /** Returns what is wrong with the value of one field; undefined when nothing is. `null` counts as a missing value. */
  fieldProblem(type: string, name: string, value: unknown): FactProblem | undefined {
    return problemOf(name, () => this.#copyField(type, name, value));
  }

  /** Returns all problems of the value of one field. */
  #fieldProblems(type: string, name: string, value: unknown): FactProblem[] {
    return problemsOf(name, () => this.#copyField(type, name, value));
  }

  /** Returns the problem (E402) that required fields are not among the given ones; undefined when all are. */
  missing(type: string, given: ReadonlySet<string>): FactProblem | undefined {
    const schema = this.schema.types.get(type);
    if (schema === undefined) return undefined;
    const rest = { ...schema, fields: schema.fields.filter((field) => !given.has(field.name)) };
    return problemOf(undefined, () => this.#admissionFor(rest).admit(type, {}, this.#options));
  }

  /** Returns all problems of a fact that can be found without looking at other facts. */
  problems(type: string, fields: Readonly<Record<string, unknown>>): FactProblem[] {
    const wrongType = this.typeProblem(type);
    if (wrongType !== undefined) return [wrongType];
    const tooMany = problemOf(undefined, () => this.#admission.refuseManyFields(Object.keys(fields).length));
    if (tooMany !== undefined) return [tooMany];
    const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    const wrong = Object.entries(fields).flatMap(([name, value]) => this.#fieldProblems(type, name, value));
    const missing = this.missing(type, new Set([...given.map(([name]) => name), ...this.#meant(type, wrong)]));
    return [...wrong, missing].filter((problem) => problem !== undefined);
  }

  /**
   * Returns the id that a fact gets from its key fields; undefined for a type without key fields.
   *
   * @throws {@link FactError} when the fact is refused.
   */
  idOf(type: string, fields: Readonly<Record<string, unknown>>): string | undefined {
    return this.#admission.idFor(type, fields, this.#options);
  }

  /** Returns whether the type has key fields. */
  isKeyed(type: string): boolean {
    return this.schema.types.get(type)?.fields.some((field) => field.key) ?? false;
  }

  /** Returns the declaration of a field; undefined when the type has no such field. */
  fieldNamed(type: string, name: string): FieldSchema | undefined {
    return this.schema.types.get(type)?.fields.find((field) => field.name === name);
  }

  /** Returns the names of the fields that must be given: those that are neither optional nor have a default. */
  requiredFields(type: string): string[] {
    const fields = this.schema.types.get(type)?.fields ?? [];
    return fields
      .filter((field) => (field.key || !field.optional) && field.default === undefined)
      .map(({ name }) => name);
  }

  /**
   * Returns the kind of the single key of a type, by whose value references can be given; undefined when the type has none or
   * several.
   */
  keyKind(type: string): SchemaType["kind"] | undefined {
    return plainKeyOf(this.schema, type)?.type.kind;
  }

  #copyField(type: string, name: string, value: unknown): void {
    const field = this.fieldNamed(type, name);
    if (field === undefined && this.schema.types.get(type)?.more === true) return refuseReserved(name);
    if (field === undefined) {
      this.#admission.admit(type, Object.fromEntries([[name, value]]), this.#options);
      return;
    }
    this.#copier.begin();
    const where = `${type}.${name}`;
    this.#copier.acceptsTimes = holdsTime(this.schema, field.type);
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
    const schema = { ...this.schema, types: new Map([...this.schema.types, [type.name, type]]) };
    return new Admission(schema, new Shapes(), this.#limits);
  }
}

function problemOf(field: string | undefined, work: () => unknown): FactProblem | undefined {
  const error = errorOf(work);
  return error === undefined ? undefined : { code: error.code, message: error.message, hint: error.hint, field };
}

/** Returns the mistakes that stop the work; those inside a value each have their place. */
function problemsOf(field: string, work: () => unknown): FactProblem[] {
  const error = errorOf(work);
  if (error === undefined) return [];
  return mistakesOf(error).map(({ error: { code, message, hint }, path }) => {
    return { code, message, hint, field, ...(path.length > 0 && { path }) };
  });
}

function errorOf(work: () => unknown): FactError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof FactError)) throw error;
    return error;
  }
}
