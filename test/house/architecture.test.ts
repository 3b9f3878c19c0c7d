/**
 * Tests who may import whom: the house rules as a table and a loop over import specifiers, type imports included. Files must not
 * import each other in a circle; there, type imports do not count, as nothing of them is left at run time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { checkPlantedBugs } from "../support/planted-bugs.ts";

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  functions: ["base"],
  rete: ["base"],
  tables: ["base"],
  language: ["base", "functions", "tables"],
  plan: ["base", "functions", "tables", "language"],
  gates: ["base", "rete"],
  guardian: ["base", "rete", "gates"],
  session: ["base", "rete"],
  assemble: ["base", "functions", "tables", "rete", "gates", "guardian", "plan/plan", "plan/read"],
  explain: ["base", "functions", "tables", "language", "guardian", "session"],
  prove: ["base", "language"],
  engine: [
    ...[
      "base",
      "functions",
      "tables",
      "language",
      "rete",
      "gates",
      "guardian",
      "session",
      "plan",
      "assemble",
      "explain",
      "prove",
    ],
  ],
  index: [
    ...["engine", "base", "functions", "language", "rete", "gates", "guardian", "session", "plan", "explain", "prove"],
  ],
  runtime: ["engine"],
  regex: ["base", "functions"],
  tools: ["engine", "base", "language", "explain", "prove"],
  node: ["index", "tools", "runtime"],
  cli: ["index", "tools", "runtime", "node"],
};

/** Packages that the product itself may use; each has its reason in docs/decisions/. */
const PACKAGES = ["nearley", "moo", "re2js", "xxhash-wasm", "@noble/hashes/sha2.js"];

/** Packages that only the command line may use. */
const CLI_PACKAGES = ["@dagrejs/dagre"];

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join("src", name));

/** The files of the packages beside the core. */
const packageFiles = readdirSync("packages").flatMap((name) =>
  readdirSync(`packages/${name}/src`, { recursive: true, encoding: "utf8" }).map((file) => ({
    file: join(`packages/${name}/src`, file),
    folder: `packages/${name}`,
  })),
);

function specifiers(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [
    ...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gmu),
  ].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
}

/** `src/rete/join.ts` is in the room `rete`, `src/engine.ts` is the room `engine`. */
function roomOf(file: string): string {
  const parts = file.split("/");
  return parts.length === 2 ? (parts[1] ?? "").replace(/\.ts$/u, "") : (parts[1] ?? "");
}

function allowed(from: string, target: string): boolean {
  const room = roomOf(target);
  if (room === from) return true;
  return (MAY_IMPORT[from] ?? []).some(
    (may) => room === may || target === `src/${may}.ts` || target.startsWith(`src/${may}/`),
  );
}

describe("imports go only where the house allows", () => {
  test.each(files)("%s", (file) => {
    const room = roomOf(file);
    expect(Object.keys(MAY_IMPORT)).toContain(room);
    for (const specifier of specifiers(file)) {
      if (specifier.startsWith(".")) {
        const target = normalize(join(dirname(file), specifier));
        expect(allowed(room, target), `${file} imports ${target}`).toBe(true);
      } else if (specifier.startsWith("node:")) {
        expect(["cli", "node"], `${file} imports ${specifier}`).toContain(room);
      } else {
        const packages = room === "cli" ? [...PACKAGES, ...CLI_PACKAGES] : PACKAGES;
        expect(packages, `${file} imports ${specifier}`).toContain(specifier);
      }
    }
  });
});

/** What packages may import of the core. */
const ENTRIES = ["sluice", "sluice/tools", "sluice/runtime", "sluice/node"];

test.each(packageFiles)(
  "$file imports its own package, what that depends on, and the entries of the core",
  ({ file, folder }) => {
    const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
      dependencies?: Record<string, string>;
    };
    for (const specifier of specifiers(file)) {
      if (specifier.startsWith(".")) expect(normalize(join(dirname(file), specifier))).toMatch(`${folder}/src/`);
      else if (!specifier.startsWith("node:")) expect([...ENTRIES, ...Object.keys(dependencies)]).toContain(specifier);
    }
  },
);

/** The files whose code a file needs when it is loaded. */
function valueImports(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s+(?!type\b)([^;"]*?)\s*(?:\bfrom\s+)?"(\.[^"]+)"/gmu,
  );
  return [...statements]
    .filter(([, names = ""]) => !/^\{(?:\s*type\s[^,}]+,?)+\s*\}$/u.test(names))
    .map(([, , specifier = ""]) => normalize(join(dirname(file), specifier)));
}

/** Returns the groups of files that reach each other through imports. */
function circles(): string[][] {
  const imports = new Map(files.map((file) => [file, valueImports(file)]));
  const reached = new Map(files.map((file) => [file, reachedFrom(file, imports)]));
  const groups = files.map((file) =>
    files.filter((other) => reached.get(file)?.has(other) === true && reached.get(other)?.has(file) === true).sort(),
  );
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(" ")))]
    .sort()
    .map((group) => group.split(" "));
}

function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(file) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return reached;
}

/**
 * What a session of a saved plan does without: whatever reads or plans source text, or explains. Of the planner it needs what plans
 * the facts of a type for a subscription: no source text is read.
 */
const NOT_IN_RUNTIME =
  /^src\/(?:language|explain|prove)\/|^src\/plan\/(?!plan\.ts|read\/|standing\.ts|standing-type\.ts|node-table\.ts)|operator\/regex\.ts$|standard\.ts$/u;

test("the runtime loads no parser, no checker, no planner, no explanations and no regular expressions", () => {
  const reached = reachedFrom("src/runtime.ts", new Map(files.map((file) => [file, valueImports(file)])));
  expect(reached.size).toBeGreaterThan(100);
  expect([...reached].filter((file) => NOT_IN_RUNTIME.test(file))).toEqual([]);
});

test("no module awaits when it is loaded", () => {
  for (const file of files)
    expect(readFileSync(file, "utf8"), file).not.toMatch(
      /^(?:await\b|for await\b|(?:export )?(?:const|let) .*= await\b)/mu,
    );
});

test("files do not import each other in a circle", () => {
  expect(circles()).toEqual([]);
});

/** The floors of a room, lower ones first: a file imports its own floor and those before it. */
const FLOORS: Readonly<Record<string, readonly string[]>> = { explain: ["read", "search", "tell", "show"] };

test.each(Object.entries(FLOORS))("floors of %s import only floors below them", (room, floors) => {
  const floorOf = (path: string): string => path.split("/")[2] ?? "";
  const wrong = files
    .filter((file) => roomOf(file) === room)
    .flatMap((file) =>
      specifiers(file)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => normalize(join(dirname(file), specifier)))
        .filter((target) => roomOf(target) === room && floors.indexOf(floorOf(target)) > floors.indexOf(floorOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

test("no code is made from texts at run time", () => {
  for (const file of files) expect(readFileSync(file, "utf8"), file).not.toMatch(/\beval\(|new Function\b/u);
});

test("the bugs that tests plant still fit the source", () => {
  expect(checkPlantedBugs).not.toThrow();
});
