/** W7 by hand: a map by id for each type, and from each last fact of the kind up the chain. */
import { type CHAIN, KIND, type Link } from "../data/join-work.ts";

type Fire = (rule: number, id: number) => void;
type Fields = Link["fields"];

export class Chains {
  readonly #byId: Readonly<Record<(typeof CHAIN)[number], Map<number, Fields>>> = {
    A: new Map(),
    B: new Map(),
    C: new Map(),
    D: new Map(),
    E: new Map(),
    F: new Map(),
  };

  add({ type, fields }: Link): void {
    this.#byId[type].set(fields.id, fields);
  }

  /** Calls for every chain. */
  fireAll(fire: Fire): void {
    const { A, B, C, D, E, F } = this.#byId;
    for (const f of F.values()) {
      if (f.kind !== KIND) continue;
      const e = E.get(f.up);
      const d = e && D.get(e.up);
      const c = d && C.get(d.up);
      const b = c && B.get(c.up);
      if (b !== undefined && A.has(b.up)) fire(0, f.id);
    }
  }
}
