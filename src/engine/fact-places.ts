/** Where a program states its facts: for saying where a fact, or another one with its key, comes from. */
import { keylessId } from "../base/identity.ts";
import { namedFactIds } from "../plan/named-facts.ts";
import { statedFacts } from "../plan/program-data.ts";
import { Admission } from "../session/admission/admission.ts";
import { Shapes } from "../session/admission/shapes.ts";
import type { Program } from "./program.ts";

/** The place of a statement in a source file. */
export interface FactPlace {
  /** The file name. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 units. */
  readonly column: number;
}

/** Returns the places where the program states facts, by the id of the fact; one without a key is numbered in its type. */
export function factPlaces(program: Program): Map<string, FactPlace> {
  const { checked } = program;
  const { schema, limits } = program.data();
  const admission = new Admission(schema, new Shapes(), limits);
  const sources = new Map(
    checked.files.flatMap(({ declarations, source }) => declarations.map((decl) => [decl, source])),
  );
  const places = new Map<string, FactPlace>();
  const keyless = new Map<string, number>();
  for (const { type, fields, decl } of statedFacts(checked, namedFactIds(checked))) {
    let id = admission.idFor(type, fields, { role: "policy" });
    if (id === undefined) {
      const number = (keyless.get(type) ?? 0) + 1;
      keyless.set(type, number);
      id = keylessId(type, number);
    }
    const source = sources.get(decl);
    if (source !== undefined) places.set(id, { file: source.file, ...source.position(decl.span.start) });
  }
  return places;
}
