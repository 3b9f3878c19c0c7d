/** The public API of `sluice/node`: adapters that need Node. */
export { fileAudit } from "./audit.ts";
export type { FileAuditOptions } from "./audit.ts";
export { importReader } from "./imports.ts";
export type { ImportOptions } from "./imports.ts";
export { newPackKeys, packSigner, packVerifier } from "./pack-keys.ts";
export type { PackKeys } from "./pack-keys.ts";
export { watch } from "./watch.ts";
export type { WatchedProgram, Watching, WatchOptions } from "./watch.ts";
