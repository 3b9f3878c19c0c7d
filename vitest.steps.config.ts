/**
 * The tests that count steps, in a process of their own: V8 counts the turns of a loop only in code that it compiles after counting
 * has begun, and what other files have run before is compiled already.
 */
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/promises/steps.test.ts"], exclude: [], isolate: true },
});
