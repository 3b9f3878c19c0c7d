/** What the system says about a file, in words. */
const REASONS = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of the path is no folder"],
  ["ELOOP", "its links lead round in a circle"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EMFILE", "too many files are open"],
  ["EEXIST", "there is a file with this name already"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
  ["EIO", "the disk reports an error"],
  ["EBADF", "it is closed"],
]);

/** `absent` says what it means that something is not there. */
export function systemReason(error: unknown, absent: string): string {
  const code = systemCode(error);
  return code === "ENOENT" ? absent : (REASONS.get(code) ?? code);
}

/** The system's name for what happened. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
