/** `matches`: patterns in RE2 syntax, by re2js. */
import { RE2JS } from "re2js";
import type { Regex } from "../../base/regex.ts";

/**
 * Regular expressions in RE2 syntax, for {@link loadPlan} of `sluice/runtime`. Programs that `sluice` compiles have them
 * already.
 */
export const regex: Regex = {
  compile(pattern) {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  },
};
