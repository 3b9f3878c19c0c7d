/** The entry `sluice/runtime`: sessions of saved plans, without parser, checker and explanations. */
export * from "./engine/session-names.ts";
export { loadPlan, SavedProgram } from "./engine/saved/program.ts";
export type { LoadOptions } from "./engine/saved/program.ts";
