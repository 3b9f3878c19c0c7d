// Runs a command line with the project's own tools in reach.
import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";

export function run(command, env = {}) {
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: withTools(env),
  });
  return status === 0;
}

/** The environment of this process and more, with the project's tools on the path. */
export function withTools(env) {
  return { ...process.env, ...env, PATH: `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}` };
}

/** Ends the process when the command fails. */
export function must(command, env) {
  if (!run(command, env)) process.exit(1);
}
