/** One shape per type, shared by facts and network. */
import { Shape } from "../../rete/fact.ts";
import type { Schema } from "./schema.ts";

export class Shapes {
  readonly #byType = new Map<string, Shape>();

  /** Returns the shape of a type, made when there is none yet. */
  of(type: string): Shape {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const shape = new Shape(type);
    this.#byType.set(type, shape);
    return shape;
  }

  find(type: string): Shape | undefined {
    return this.#byType.get(type);
  }

  /** The number of slots of all types. It grows when an open program meets a new field. */
  get slots(): number {
    let slots = 0;
    for (const shape of this.#byType.values()) slots += shape.fields.length;
    return slots;
  }

  /** Gives declared fields slots in declared order. A field keeps its slot for the whole session. */
  declare(schema: Schema): void {
    for (const type of schema.types.values()) {
      const shape = this.of(type.name);
      for (const field of type.fields) shape.slot(field.name);
    }
  }
}
