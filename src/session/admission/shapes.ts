/**
 * The layouts of a program, and the shapes of a session: one for each type, shared by facts and network. A shape is made when
 * its type is first used.
 */
import { LateMap } from "../../base/late.ts";
import { isParameterType } from "../../base/parameter-type.ts";
import { Layout, Shape, type ShapeHome } from "../../rete/fact.ts";
import type { Site } from "../../rete/site.ts";
import { type Schema, timeKindOf } from "./schema.ts";

/** The layouts of types. They grow while the network of a program is prepared, and not after that. */
export class Layouts {
  readonly #byType = new Map<string, Layout>();

  /** Returns the layout of a type, made when there is none yet. */
  of(type: string): Layout {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const layout = new Layout(type);
    this.#byType.set(type, layout);
    return layout;
  }

  find(type: string): Layout | undefined {
    return this.#byType.get(type);
  }

  /** Gives declared fields slots in declared order. */
  declare(schema: Schema): void {
    for (const type of schema.types.values()) {
      const layout = this.of(type.name);
      for (const field of type.fields) {
        const slot = layout.slot(field.name);
        const kind = timeKindOf(field.type);
        if (kind !== undefined) (layout.times ??= [])[slot] = kind;
      }
    }
  }
}

/** Returns layouts in which the declared fields of a program have slots. */
export function declaredLayouts(schema: Schema): Layouts {
  const layouts = new Layouts();
  layouts.declare(schema);
  return layouts;
}

/** The shapes of a session. */
export class Shapes implements ShapeHome {
  /** The session of the facts; set when its network is made. */
  site: Site | undefined = undefined;
  #layouts: Layouts;
  readonly #byType = new LateMap<string, Shape>();

  constructor(layouts: Layouts = new Layouts()) {
    this.#layouts = layouts;
  }

  /** Returns the shape of a type, made when there is none yet. */
  of(type: string): Shape {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const shape = new Shape(this.#layouts.find(type) ?? new Layout(type), this);
    this.#byType.set(type, shape);
    return shape;
  }

  find(type: string): Shape | undefined {
    return this.#byType.get(type) ?? (this.#layouts.find(type) === undefined ? undefined : this.of(type));
  }

  /** Forgets a type without facts. */
  forget(type: string): void {
    this.#byType.delete(type);
  }

  /**
   * The number of slots that the layouts do not have, without those of the parameters of questions. It grows when an open program
   * meets a new field.
   */
  get slots(): number {
    let slots = 0;
    for (const [type, shape] of this.#byType) if (!isParameterType(type)) slots += shape.later;
    return slots;
  }

  /** Returns whether every fact has its values where these layouts want them. */
  fit(layouts: Layouts): boolean {
    return [...this.#byType].every(([type, shape]) => shape.fits(layouts.find(type)));
  }

  /** Returns layouts that begin as the shapes are now, for a program that the session continues with. */
  continued(): Layouts {
    const layouts = new Layouts();
    for (const [type, shape] of this.#byType) for (const field of shape.fields) layouts.of(type).slot(field);
    return layouts;
  }

  /** Returns which slots the fields of facts have, as text. */
  text(): string {
    const shapes = [...this.#byType].map(([type, { fields }]) => [type, ...fields]);
    return JSON.stringify(shapes.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  }

  /** Continues with layouts that fit. */
  continueWith(layouts: Layouts): void {
    this.#layouts = layouts;
    for (const [type, shape] of this.#byType) shape.continueWith(layouts.of(type));
  }
}
