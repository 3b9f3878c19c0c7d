/** Names for the rules that have none: `rule_1`, `rule_2`, … over all files of a program, past names that are taken. */
import type { Declaration, RuleDecl } from "./ast.ts";
import type { ParsedFile } from "./parse.ts";

export function nameRules<File extends Pick<ParsedFile, "declarations">>(files: readonly File[]): File[] {
  if (!files.some((file) => file.declarations.some(isUnnamed))) return [...files];
  const taken = new Set(files.flatMap((file) => file.declarations.flatMap(givenName)));
  let count = 0;
  const next = (): string => {
    do count += 1;
    while (taken.has(`rule_${count}`));
    return `rule_${count}`;
  };
  return files.map((file) => ({
    ...file,
    declarations: file.declarations.map((one) =>
      isUnnamed(one) ? { ...one, name: { ...one.name, name: next() } } : one,
    ),
  }));
}

type UnnamedRule = RuleDecl & { readonly legacy: "unnamed-rule" };

function isUnnamed(one: Declaration): one is UnnamedRule {
  return one.kind === "rule" && one.legacy === "unnamed-rule";
}

function givenName(one: Declaration): string[] {
  return one.kind === "rule" && !isUnnamed(one) ? [one.name.name] : [];
}
