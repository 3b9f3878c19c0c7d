/** The functions of the host on a command line: what the modules of `--functions FILE` export. */
import { basename } from "node:path";
import type { OpenOptions } from "../index.ts";
import { UsageError } from "./arguments.ts";
import type { Io } from "./io.ts";

export type HostFunctions = NonNullable<OpenOptions["functions"]>;

/** Returns the functions that the modules export, by name: named exports, and those of an object that is the default export. */
export async function loadFunctions(io: Pick<Io, "module">, files: readonly string[]): Promise<HostFunctions> {
  const functions = new Map<string, HostFunctions[string]>();
  const from = new Map<string, string>();
  for (const file of files) {
    // One module after the other: what is wrong with the first is reported first.
    // oxlint-disable-next-line no-await-in-loop -- modules may depend on each other
    const found = functionsIn(await exportsOf(io, file));
    if (found.length === 0)
      throw new UsageError(`--functions: "${file}" exports no functions; write: export function name(…) { … }`);
    for (const [name, one] of found) {
      const other = from.get(name);
      if (other !== undefined)
        throw new UsageError(`--functions: "${name}" is exported by "${other}" and by "${file}"`);
      functions.set(name, one);
      from.set(name, file);
    }
  }
  return Object.fromEntries(functions);
}

async function exportsOf(io: Pick<Io, "module">, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await io.module(file);
  } catch (error) {
    throw new UsageError(`--functions: cannot load "${file}"${placeIn(file, error)}: ${reasonOf(error)}`);
  }
}

function functionsIn({
  default: whole,
  ...named
}: Readonly<Record<string, unknown>>): [string, HostFunctions[string]][] {
  const object = typeof whole === "object" && whole !== null ? whole : {};
  return Object.entries({ ...object, ...named }).flatMap(([name, value]) =>
    typeof value === "function" ? [[name, value as HostFunctions[string]] as const] : [],
  ) as [string, HostFunctions[string]][];
}

/** Returns the line of the file at which loading failed, as far as the stack of the error has it. */
function placeIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const name = encodeURI(basename(file)).replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  const line = new RegExp(`${name}:(\\d+)`, "u").exec(stack)?.[1];
  return line === undefined ? "" : `, line ${line}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "it must be a JavaScript module: name it .mjs, .js or .cjs";
  return `${error.name === "Error" ? "" : `${error.name}: `}${error.message}`;
}
