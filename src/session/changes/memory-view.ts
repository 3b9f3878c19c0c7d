/** Working memory as the view under a staging. */
import type { Fact } from "../../rete/fact.ts";
import type { Memory } from "../memory.ts";
import type { Known, View } from "./staging.ts";
import type { Support } from "./support.ts";
import type { Xuples } from "../xuples.ts";

export function viewOf(memory: Memory, support: Support, xuples: Xuples): View {
  const known = (fact: Fact): Known => ({
    id: fact.id,
    shape: fact.shape,
    values: fact.values,
    plain: support.isPlain(fact),
    logical: support.isLogical(fact),
  });
  return {
    get: (id) => {
      const fact = memory.get(id);
      return fact === undefined ? undefined : known(fact);
    },
    known: (type) => Array.from(memory.facts(type), known),
    lastKeyless: (type) => memory.lastKeyless(type),
    logicalWith: (content) => support.withContent(content)?.id,
    xuplesWaiting: (space) => xuples.waiting(space),
    reserve: (type, keyless) => memory.reserveKeyless(type, keyless),
  };
}
