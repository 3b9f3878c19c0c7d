/** Explains an aggregate of a condition: its value, and the facts that it was computed from. */
import { factLabel } from "../../base/fact-label.ts";
import type { Maybe } from "../../base/value.ts";
import { aggregateNamed } from "../../functions/aggregates.ts";
import { memberValues, valueOfAggregate } from "../read/members.ts";
import type { AggregatePart } from "../read/parts.ts";
import { extended } from "../read/solve.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import type { Draft } from "../read/draft.ts";
import { seenWords } from "./step.ts";
import { doubtIn } from "./tests.ts";
import { plural, seenValue, type Words } from "../read/words.ts";
import type { World } from "../read/world.ts";

interface AggregateContext {
  readonly world: World;
  readonly words: Words;
  /** Returns the explanation of a fact's origin. */
  origin?(id: string): Draft | undefined;
}

/** The most members of an aggregate that are listed. */
const MAX_MEMBERS = 5;

export function aggregateDraft(part: AggregatePart, text: string, chosen: Chosen, context: AggregateContext): Draft {
  const { world, words } = context;
  const scope = { world, chosen, ownFact: undefined };
  const results = part.items.map((item) => {
    const values = memberValues(part.inner, item.value, scope);
    return { ...item, values, result: valueOfAggregate(part, item, world, chosen) };
  });
  const doubt = doubtIn(part.inner, world, chosen, words);
  const listed: string[][] = [];
  for (const one of allSolutions(part, world, chosen)) {
    if (listed.length === MAX_MEMBERS) break;
    listed.push(part.inner.map((inner) => chosenFor(one, inner)?.id ?? ""));
  }
  const ids = listed.map((member) => member.map(factLabel).join(" with "));
  const count = results[0]?.values.length ?? 0;
  const members = `${ids.join(", ")}${count > ids.length ? `, and ${count - ids.length} more` : ""}`;
  const over =
    doubt !== undefined
      ? doubt
      : count === 0
        ? `no ${part.inner.map((inner) => inner.type).join(" with ")} matches`
        : `from ${members}`;
  const seen = results.map(
    ({ name, result }) => `${name} is ${result === undefined ? "unknown" : seenValue(result)} (${over})`,
  );
  const outcome = results.every(({ result }) => result !== undefined) ? true : undefined;
  const unknown = results.find(({ result }) => result === undefined);
  const reasons = results.map(({ name, result }) => {
    return { words: `${name} is ${seenValue(result)} (over ${plural(count, "fact")})`, minor: true };
  });
  const why = count === 0 || doubt !== undefined || unknown === undefined ? "" : `; ${noResult(unknown)}`;
  return {
    text,
    seen,
    down: `${text} is computed from the facts that match.`,
    up: `${seenWords(seen)}${why}.`,
    ...(outcome === undefined ? {} : { reasons }),
    ...(outcome === undefined ? {} : { method: part.items.map(({ fn }) => fn).join(", ") }),
    outcome,
    children: [...new Set(listed.flat())].flatMap((id) => context.origin?.(id) ?? []),
  };
}

/** Returns why an aggregate over facts has no value. */
function noResult({ fn, values }: { readonly fn: string; readonly values: readonly Maybe[] }): string {
  const missing = values.filter((value) => value === undefined).length;
  if (missing > 0)
    return `${missing} of ${plural(values.length, "value")} ${missing === 1 ? "is" : "are"} missing or unknown`;
  const { takes, count } = aggregateNamed(fn);
  if (takes === "keyed" && count === undefined) return "the keys cannot be compared with each other";
  if (takes === "keyed")
    return `the keys cannot be compared with each other, or ${count?.name} is not ${count?.allowed}`;
  if (takes !== "numbers") return "the values cannot be compared with each other";
  if (count !== undefined) return `a value is not a number, or ${count.name} is not ${count.allowed}`;
  if (values.length < 2) return "it needs two numbers";
  return values.every((value) => typeof value === "number")
    ? "the result is too large for a number"
    : "a value is not a number";
}

function* allSolutions(part: AggregatePart, world: World, chosen: Chosen, index = 0): Iterable<Chosen> {
  const inner = part.inner[index];
  if (inner === undefined) yield chosen;
  else for (const next of extended(inner, world, chosen)) yield* allSolutions(part, world, next, index + 1);
}
