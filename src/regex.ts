/** The entry `sluice/regex`: regular expressions for plans that test with `matches`. */
export { regex, regex as default } from "./functions/operator/regex.ts";
export type { Regex } from "./base/regex.ts";
