/** Loads a JavaScript module of the user, or a package that is installed beside this one. */
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

/** Returns the exports of a package. It is found from the folder of this file, never from the working folder: that may be anybody's. */
export async function loadPackage(name: string): Promise<Readonly<Record<string, unknown>>> {
  return (await import(name)) as Readonly<Record<string, unknown>>;
}
