/** Makes a folder for what the tests of one run share (SLUICE_RUN_FOLDER), and removes it when the run ends. See vitest.config.ts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "sluice-run-"));
  process.env["SLUICE_RUN_FOLDER"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
