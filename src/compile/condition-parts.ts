/** Makes the functions of a condition node: its test, its order, its trust, and the words for traces. */
import type { ConditionParts, ConditionWords } from "../gates/condition.ts";
import { valueWords } from "../gates/leaf-words.ts";
import type { Maybe } from "../base/value.ts";
import type { Match } from "../rete/match.ts";
import type { Frames } from "./frames.ts";
import { readsOf, valuesOf } from "./levels.ts";
import type { ConditionPlan, PlanExpr } from "./plan.ts";

export function conditionParts(plan: ConditionPlan, rank: number, frames: Frames): ConditionParts {
  const { level, innerLevel, test, by, trust } = plan;
  const read = [test, by, trust].filter((expr) => expr !== undefined);
  return {
    rank,
    subjectLevel: level,
    reading: plan.reading,
    test: frames.truthOf(test, innerLevel),
    by: by === undefined ? undefined : frames.matchValue(by, innerLevel),
    trusted: trust === undefined ? undefined : frames.matchTest(trust, innerLevel),
    reads: frames.reads(...read),
    values: new Set(read.flatMap((expr) => [...valuesOf(expr)])),
    words: conditionWords(plan, frames),
  };
}

function conditionWords(plan: ConditionPlan, frames: Frames): ConditionWords {
  const tests = (plan.wanted?.tests ?? []).map(({ text, value }) => ({
    text,
    value: value === undefined ? undefined : frames.matchValue(value, plan.level),
  }));
  const fields = fieldsRead(plan);
  return {
    wanted: (subject) => {
      const words = tests.map(({ text, value }) =>
        value === undefined ? text : `${text} ${valueWords(value(subject))}`,
      );
      return `${plan.wanted?.type ?? "fact"}${words.length === 0 ? "" : ` with ${words.join(" and ")}`}`;
    },
    facts: (evidence) =>
      [...fields].flatMap(([level, names]) => {
        const { fact } = evidence.at(level);
        return fact === undefined ? [] : [{ id: fact.id, values: valuesAt(evidence, level, names) }];
      }),
    unclear: (evidence) => unclear(evidence, fieldsOfTest(plan), []),
  };
}

/** The fields to show, by level: of the evidence, or of every fact that a test without evidence reads. */
function fieldsRead(plan: ConditionPlan): Map<number, Set<string>> {
  const fields = fieldsOfTest(plan);
  const { wanted } = plan;
  return wanted === undefined ? fields : new Map([[wanted.level, fields.get(wanted.level) ?? new Set()]]);
}

function fieldsOfTest({ test, by }: ConditionPlan): Map<number, Set<string>> {
  return fieldsOf([test, by].filter((expr) => expr !== undefined));
}

/** The fields that expressions read, by level. */
export function fieldsOf(exprs: readonly PlanExpr[]): Map<number, Set<string>> {
  const fields = new Map<number, Set<string>>();
  for (const { level, field } of exprs.flatMap(readsOf)) {
    fields.set(level, (fields.get(level) ?? new Set()).add(field));
  }
  return fields;
}

function valuesAt(match: Match, level: number, names: Iterable<string>): Record<string, Maybe> {
  const { fact } = match.at(level);
  return Object.fromEntries(
    [...names].map((name) => {
      const slot = fact?.shape.find(name);
      return [name, slot === undefined ? undefined : fact?.values[slot]];
    }),
  );
}

/**
 * The fields that are missing and the values that are unknown, or else all that were read: something among them is of a
 * kind that the test cannot use.
 */
export function unclear(
  match: Match,
  fields: ReadonlyMap<number, ReadonlySet<string>>,
  values: readonly { readonly level: number; readonly text: string }[],
): string {
  const unknown = values.filter(({ level }) => match.at(level).value === undefined);
  const missing = unknown.map(({ text }) => `${text} cannot be told`);
  const seen: string[] = [];
  for (const [level, names] of fields) {
    const { fact } = match.at(level);
    if (fact === undefined) missing.push(`the fact that holds ${[...names].join(", ")} is not there`);
    else {
      for (const [name, value] of Object.entries(valuesAt(match, level, names))) {
        if (value === undefined) missing.push(`${fact.id} has no ${name}`);
        else seen.push(`${name} of ${fact.id} is ${valueWords(value)}`);
      }
    }
  }
  if (missing.length > 0) return missing.join(", ");
  return seen.length === 0 ? "it cannot be told" : `it cannot be told: ${seen.join(", ")}`;
}
