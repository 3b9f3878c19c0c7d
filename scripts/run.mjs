// Runs a command line with the project's own tools in reach.
import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";

export function run(command, env = {}) {
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}`;
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env, PATH: path },
  });
  return status === 0;
}

/** Ends the process when the command fails. */
export function must(command, env) {
  if (!run(command, env)) process.exit(1);
}
