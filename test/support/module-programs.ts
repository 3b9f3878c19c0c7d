/** Random programs of four files that import each other, merged and under aliases, as data and as text. */
import * as fc from "fast-check";

export const FILES = ["main", "a", "b", "c"] as const;
export type File = (typeof FILES)[number];
type Kind = "type" | "const" | "param" | "function" | "table" | "condition" | "query";
export const NAMES: readonly (readonly [kind: Kind, name: string])[] = [
  ["type", "T"],
  ["type", "U"],
  ["const", "K"],
  ["const", "L"],
  ["param", "P"],
  ["function", "f"],
  ["table", "d"],
  ["condition", "c"],
  ["query", "q"],
];

export interface Import {
  readonly target: File;
  readonly alias: "x" | "y" | null;
}
export interface Use {
  readonly kind: Kind;
  readonly name: string;
  readonly path: readonly ("x" | "y")[];
  /** The file that a condition is asked about. */
  readonly asked: File;
}
interface Written {
  readonly imports: readonly Import[];
  /** For each of the names: not declared, declared, or private. */
  readonly declares: readonly ("no" | "public" | "private")[];
  readonly uses: readonly Use[];
}
export type Program = Readonly<Record<File, Written>>;

const anyImport: fc.Arbitrary<Import> = fc.record({
  target: fc.constantFrom(...FILES),
  alias: fc.constantFrom("x", "y", null),
});
const use: fc.Arbitrary<Use> = fc
  .tuple(fc.constantFrom(...NAMES), fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }), fc.constantFrom(...FILES))
  .map(([[kind, name], path, asked]) => ({ kind, name, path, asked }));
const written: fc.Arbitrary<Written> = fc.record({
  imports: fc.array(anyImport, { maxLength: 3 }),
  declares: fc.tuple(...NAMES.map(() => fc.constantFrom("no", "no", "public", "public", "private"))),
  uses: fc.array(use, { minLength: 1, maxLength: 8 }),
});
export const program: fc.Arbitrary<Program> = fc.record({ main: written, a: written, b: written, c: written });

// ---------------------------------------------------------------- writing a program

function declaration(file: File, kind: Kind, name: string): string {
  switch (kind) {
    case "type":
      return `type ${name}(#id: string)`;
    case "const":
      return `const ${name} = "${file}"`;
    case "param":
      return `param ${name}: string = "${file}"`;
    case "table":
      return `table ${name}(x: string) first {\n| x || string |\n| - || "${file}" |\n}`;
    case "function":
      return `function ${name}(x: string): string = x + "${file}"`;
    case "condition":
      return `condition ${name}(x: string) : x == "${file}"`;
    case "query":
      return `query ${name} { g: Go_${file} }`;
  }
}

/** Writes a rule on one line that shows which declaration a name means. */
export function rule(file: File, index: number, { kind, name, path, asked }: Use): string {
  const full = [...path, name].join(".");
  const [elements, shown] = {
    type: [`t: ${full}`, "t.id"],
    const: [`g: Go_${file}`, full],
    param: [`g: Go_${file}`, full],
    table: [`g: Go_${file}`, `${full}("")`],
    function: [`g: Go_${file}`, `${full}("")`],
    condition: [`g: Go_${file} where ${full}("${asked}")`, `"${asked}"`],
    query: [`r in ${full}()`, "r.g.id"],
  }[kind] as [string, string];
  return `rule "${file} ${index}" { when ${elements} then log("${file} ${index}", ${shown}) }`;
}

export function sourceOf(file: File, { imports, declares }: Written, rules: readonly string[]): string {
  const lines = imports.map(({ target, alias }) => `import "${target}.tsd"${alias === null ? "" : ` as ${alias}`}`);
  lines.push(`type Go_${file}(#id: string)`, `Go_${file}("${file}")`);
  for (const [at, [kind, name]] of NAMES.entries()) {
    const how = declares[at] ?? "no";
    if (how === "no") continue;
    lines.push(`${how === "private" ? "private " : ""}${declaration(file, kind, name)}`);
    if (kind === "type") lines.push(`${name}("${file}")`);
  }
  return [...lines, ...rules].join("\n");
}
