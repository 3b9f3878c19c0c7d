// Bundles the entries of the package into dist/: ES modules that share their common code in chunks/, with source maps, and
// what CommonJS needs. Dependencies are part of the bundles; their licences are in dist/third-party-licenses.txt.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** The public entries, and the source of each. `package.json` exports them. */
export const ENTRIES = {
  index: "src/index.ts",
  runtime: "src/runtime.ts",
  regex: "src/regex.ts",
  tools: "src/tools.ts",
  node: "src/node/index.ts",
};

/** re2js is evaluated when the first pattern is compiled, not when a module that may need it is loaded. */
export const lazyRegex = {
  name: "lazy-regex",
  setup(builder) {
    builder.onResolve({ filter: /^re2js$/ }, ({ importer }) =>
      importer.endsWith("evaluated") ? undefined : { path: "lazy", namespace: "lazy-regex", sideEffects: false },
    );
    builder.onResolve({ filter: /^evaluated-regex$/ }, () => ({ path: "evaluated", namespace: "lazy-regex" }));
    builder.onLoad({ filter: /.*/, namespace: "lazy-regex" }, ({ path }) => ({
      contents:
        path === "evaluated"
          ? 'export { RE2JS } from "re2js";'
          : 'export const RE2JS = { compile: (...args) => require("evaluated-regex").RE2JS.compile(...args) };',
      resolveDir: process.cwd(),
    }));
  },
};

/** What all bundles have in common. Names stay as they are written, so that stacks can be read without a source map. */
export const COMMON = {
  bundle: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2022",
  external: ["node:*"],
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160, // Node prints the line of an uncaught error: not the whole file
  legalComments: "none",
  logLevel: "error",
  plugins: [lazyRegex],
};

export async function bundleEntries() {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: { ...ENTRIES, "cli/main": "src/cli/main.ts" },
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    sourcemap: true,
    metafile: true,
  });
  writeFileSync("dist/third-party-licenses.txt", licences(Object.keys(metafile.inputs)));
}

/** The licence of every package that is part of a bundle. */
function licences(inputs) {
  const names = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(input)?.[1] ?? []);
  return [...new Set(names)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const folder = `node_modules/${name}`;
      const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/iu.test(one));
      const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** Keeps the declarations that the entries reach, and copies them for CommonJS, where they belong to another module system. */
export function placeDeclarations(from) {
  const reached = new Set();
  const open = Object.values(ENTRIES).map((source) => source.replace(/^src\//u, "").replace(/\.ts$/u, ".d.ts"));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(from, file), "utf8");
    for (const [, specifier] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/gu)) {
      open.push(join(dirname(file), `${specifier}.d.ts`));
    }
  }
  for (const file of reached) {
    const text = readFileSync(join(from, file), "utf8").replace(/((?:from |import\()"\.[^"]+)\.ts"/gu, '$1.js"');
    for (const folder of ["dist/types", "dist/cjs/types"]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }
}

/** The one entry with a default export, which tools must see without running it. */
const REGEX = `const { regex } = require("../regex.js");
Object.defineProperty(exports, "__esModule", { value: true });
exports.regex = regex;
exports.default = regex;`;

/** `require` gets the same modules as `import`: there is one copy of every class, whichever way it is loaded. */
export function writeCommonJs() {
  mkdirSync("dist/cjs", { recursive: true });
  writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
  for (const name of Object.keys(ENTRIES)) {
    writeFileSync(`dist/cjs/${name}.js`, `"use strict";\n${name === "regex" ? REGEX : required(name)}\n`);
  }
}

function required(name) {
  return `module.exports = require("../${name}.js");`;
}
