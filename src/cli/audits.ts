/** Reports pipelines whose audit file is outside the allowed folders, before anything runs. */
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
      const message = `the audit file "${item.to}" is outside the current folder`;
      return [{ ...place, severity: "error", code: "E702", message, hint: HINT }];
    });
  });
}

const HINT = "use a file below the current folder, or allow another folder with --root DIR";

/** Returns false for a folder that does not exist: that is reported when the first decision is written. */
function isOutside(io: Io, file: string): boolean {
  try {
    return auditPath(".", file, io.roots) === undefined;
  } catch {
    return false;
  }
}
