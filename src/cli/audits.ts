/** Finds pipelines that would write their decisions outside the folders that they may use, before anything runs. */
import type { CheckedProgram, Diagnostic } from "../index.ts";
import { auditPath } from "../node/audit.ts";
import type { Io } from "./io.ts";

export function auditsOutside(io: Io, program: CheckedProgram): Diagnostic[] {
  return program.files.flatMap(({ source, declarations }) => {
    const items = declarations.flatMap((decl) => (decl.kind === "pipeline" ? decl.items : []));
    return items.flatMap((item): Diagnostic[] => {
      if (item.kind !== "audit" || !isOutside(io, item.to)) return [];
      const [start, end] = [source.position(item.span.start), source.position(item.span.end)];
      const place = { file: source.file, ...start, endLine: end.line, endColumn: end.column };
      const message = `the audit file "${item.to}" is outside the folder that the command runs in`;
      return [{ ...place, severity: "error", code: "E702", message, hint: HINT }];
    });
  });
}

const HINT = "name a file below the working folder; --root DIR allows another folder";

/** A folder that does not exist is reported when a decision cannot be written. */
function isOutside(io: Io, file: string): boolean {
  try {
    return auditPath(".", file, io.roots) === undefined;
  } catch {
    return false;
  }
}
