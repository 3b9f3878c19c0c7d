/** Error codes of the operating system in words. */
const REASONS = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "part of the path is not a folder"],
  ["ELOOP", "its symbolic links form a loop"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EMFILE", "too many files are open"],
  ["EEXIST", "the file already exists"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
  ["EIO", "the disk reports an error"],
  ["EBADF", "it is closed"],
]);

/** Returns why a file operation failed; `absent` is the text for a path that does not exist. */
export function systemReason(error: unknown, absent: string): string {
  const code = systemCode(error);
  return code === "ENOENT" ? absent : (REASONS.get(code) ?? code);
}

/** Returns the error code of the system, such as `ENOENT`; empty for other errors. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
