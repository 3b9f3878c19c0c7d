/** What programs on Node may import as `sluice/node`. */
export { fileAudit } from "./audit.ts";
export type { FileAuditOptions } from "./audit.ts";
export { importReader } from "./imports.ts";
export type { ImportOptions } from "./imports.ts";
