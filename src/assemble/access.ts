/** How the test of an alpha node can be decided, or narrowed down, by the value of one field. */
import type { Access } from "../rete/dispatch.ts";
import type { PlanExpr } from "../plan/plan.ts";

type SlotOf = (field: string) => number;

/** Returns how facts that may pass the test are found by the value of a field; undefined when each fact must be tested. */
export function accessOf(test: PlanExpr, slotOf: SlotOf): Access | undefined {
  switch (test.op) {
    case "compare":
      return byComparison(test, slotOf);
    case "in":
      return byList(test, slotOf);
    case "field":
      return { kind: "equals", slot: slotOf(test.field), value: true };
    case "not":
      return test.of.op === "field" ? { kind: "equals", slot: slotOf(test.of.field), value: false } : undefined;
    case "nottrue":
      return unlessOther(test.of, slotOf);
    case "or":
      return byTerms(test.items, slotOf);
    case "and":
      return byConjunct(test.items, slotOf);
    default:
      return undefined;
  }
}

function byComparison({ by, left, right }: Extract<PlanExpr, { op: "compare" }>, slotOf: SlotOf): Access | undefined {
  if (left.op !== "field" || right.op !== "const" || right.value === null) return undefined;
  const slot = slotOf(left.field);
  const { value } = right;
  if (by === "==" && typeof value !== "object") return { kind: "equals", slot, value };
  if (typeof value !== "number") return undefined;
  if (by === ">" || by === ">=") return { kind: "above", slot, bound: value, inclusive: by === ">=" };
  if (by === "<" || by === "<=") return { kind: "below", slot, bound: value, inclusive: by === "<=" };
  return undefined;
}

/** Returns the access for `NOTTRUE(field != value)`: the field is the value, or has none that could be compared. */
function unlessOther(test: PlanExpr, slotOf: SlotOf): Access | undefined {
  if (test.op !== "compare" || test.by !== "!=") return undefined;
  const equals = byComparison({ ...test, by: "==" }, slotOf);
  return equals?.kind === "equals" ? { kind: "any", of: [equals, { ...equals, value: undefined }] } : undefined;
}

/** Returns the access for a field in a list of constants, each once. */
function byList({ left, right }: Extract<PlanExpr, { op: "in" }>, slotOf: SlotOf): Access | undefined {
  if (left.op !== "field") return undefined;
  const items = constantsOf(right);
  if (items === undefined) return undefined;
  const slot = slotOf(left.field);
  return { kind: "any", of: [...new Set(items)].map((value): Access => ({ kind: "equals", slot, value })) };
}

function constantsOf(list: PlanExpr): (string | number | boolean)[] | undefined {
  const items =
    list.op === "list"
      ? list.items.map((item) => (item.op === "const" ? item.value : null))
      : list.op === "const" && Array.isArray(list.value)
        ? (list.value as readonly unknown[])
        : undefined;
  if (items === undefined || items.length === 0) return undefined;
  if (!items.every((item) => item !== null && typeof item !== "object")) return undefined;
  return items as (string | number | boolean)[];
}

/** Returns the access for an OR; undefined unless all of its terms have one. */
function byTerms(terms: readonly PlanExpr[], slotOf: SlotOf): Access | undefined {
  const of = terms.map((term) => accessOf(term, slotOf));
  return of.every((one) => one !== undefined) ? { kind: "any", of } : undefined;
}

/** Returns the access of the conjunct that is likely to leave the fewest facts: an equality, then a list, then a bound. */
function byConjunct(terms: readonly PlanExpr[], slotOf: SlotOf): Access | undefined {
  const found = terms.flatMap((term) => accessOf(term, slotOf) ?? []);
  const [best] = found.toSorted((a, b) => WEIGHT[a.kind] - WEIGHT[b.kind]);
  return best === undefined ? undefined : { kind: "first", of: best };
}

const WEIGHT: Readonly<Record<Access["kind"], number>> = { equals: 0, first: 1, any: 2, above: 3, below: 3 };
