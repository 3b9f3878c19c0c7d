/** A file of a program, between reading and checking. */
import type { Report } from "../base/diagnostic.ts";
import type { ParsedFile } from "./parse.ts";

/** A parsed file with its report so far. */
export interface LoadedFile {
  readonly file: ParsedFile;
  readonly report: Report;
  /** True when it comes with the package: the program's own names and facts take precedence. */
  readonly shipped?: boolean;
  /** True when another file imports it, and nobody named it. */
  readonly imported?: boolean;
  /** True when it is added to a program: it knows the names of modules as they are outside. */
  readonly added?: boolean;
  /** True for the file of a table: it has no statements, and its errors are reported here. */
  readonly isTable?: boolean;
}
