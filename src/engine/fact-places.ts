/** Where a program states the facts that have a key: for saying where the other one is. */
import { namedFactIds } from "../plan/planner.ts";
import { initialFacts } from "../plan/program-data.ts";
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

/** Returns the places where the program states facts with a key, by the id of the fact. */
export function factPlaces(program: Program): Map<string, FactPlace> {
  const { checked } = program;
  const { schema, limits } = program.data();
  const admission = new Admission(schema, new Shapes(), limits);
  const names = namedFactIds(checked);
  const places = new Map<string, FactPlace>();
  for (const file of checked.files) {
    for (const decl of file.declarations) {
      const [fact] = initialFacts({ ...checked, files: [{ ...file, declarations: [decl] }] }, names);
      const id = fact === undefined ? undefined : admission.idFor(fact.type, fact.fields, { role: "policy" });
      if (id !== undefined) places.set(id, { file: file.source.file, ...file.source.position(decl.span.start) });
    }
  }
  return places;
}
