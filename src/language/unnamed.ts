/** Names for the rules that have none: `rule_1`, `rule_2`, … over all files of a program, past names that are taken. */
import { SmallSteps, type Steps } from "../base/slices.ts";
import type { Declaration, RuleDecl } from "./ast.ts";
import type { ParsedFile } from "./parse.ts";

/** Returns the files with names for all rules, in small steps: one for each statement. */
export function* namingRules<File extends Pick<ParsedFile, "declarations">>(files: readonly File[]): Steps<File[]> {
  if (!files.some((file) => file.declarations.some(isUnnamed))) return [...files];
  const taken = new Set(files.flatMap((file) => file.declarations.flatMap(givenName)));
  let count = 0;
  const next = (): string => {
    do count += 1;
    while (taken.has(`rule_${count}`));
    return `rule_${count}`;
  };
  const small = new SmallSteps();
  const named: File[] = [];
  for (const file of files) {
    const declarations: Declaration[] = [];
    for (const one of file.declarations) {
      declarations.push(isUnnamed(one) ? { ...one, name: { ...one.name, name: next() } } : one);
      if (small.isDue()) yield;
    }
    named.push({ ...file, declarations });
  }
  return named;
}

type UnnamedRule = RuleDecl & { readonly legacy: "unnamed-rule" };

function isUnnamed(one: Declaration): one is UnnamedRule {
  return one.kind === "rule" && one.legacy === "unnamed-rule";
}

function givenName(one: Declaration): string[] {
  return one.kind === "rule" && !isUnnamed(one) ? [one.name.name] : [];
}
