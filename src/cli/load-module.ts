/** Loads a JavaScript module of the user. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Returns the exports of a module. The stack of an error says where it is, also for text that is no JavaScript. */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new Error("there is no such file");
  const url = pathToFileURL(resolve(file)).href;
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // The error of import() has no line; Node prints one when it checks the file.
    if (error instanceof SyntaxError) error.stack = spawnSync(process.execPath, ["--check", file]).stderr.toString();
    throw error;
  }
}
