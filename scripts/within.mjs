// Runs a command line with a deadline. What it started is stopped with it: asked first, so that it can say what it was at,
// and ended when it does not answer.
import { spawn } from "node:child_process";
import { withTools } from "./run.mjs";

const GRACE = 5_000;
const LAST_WORDS = 1_000;

/** Resolves to "passed", "failed" or "late". What does not stop when it is asked to is ended after `grace` milliseconds. */
export function runWithin(seconds, command, env = {}, grace = GRACE) {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: withTools(env),
  });
  const stopAll = (signal) => {
    try {
      process.kill(-Number(child.pid), signal);
    } catch {
      // nobody is left
    }
  };
  const interrupted = () => {
    stopAll("SIGTERM");
    setImmediate(() => process.exit(1)); // others that run beside it are asked to stop first
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    stopAll("SIGTERM");
    setTimeout(stopAll, grace, "SIGKILL").unref();
  }, seconds * 1000);
  return new Promise((resolve) => {
    child.on("close", (status) => {
      clearTimeout(deadline);
      process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
      if (!late) return resolve(status === 0 ? "passed" : "failed");
      // the shell may be gone before what it ran has said its last words
      setTimeout(() => {
        stopAll("SIGKILL");
        resolve("late");
      }, LAST_WORDS);
    });
  });
}
