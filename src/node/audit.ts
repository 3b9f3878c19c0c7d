/** Node adapter: writes the decisions of pipelines to files. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { Audit } from "../index.ts";

/** Appends each line and returns when it is on the disk; files are named relative to the folder. */
export function fileAudit(folder = "."): Audit {
  return (file, line) => {
    const descriptor = openSync(resolve(folder, file), "a");
    try {
      const bytes = Buffer.from(line);
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };
}
