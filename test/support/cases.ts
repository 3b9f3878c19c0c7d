/** How many cases a property tries: a tenth when `SLUICE_QUICK=1` asks for a quick run, or as many as `SLUICE_CASES` says. */
export function runs(full = 20_000): number {
  const asked = Number(process.env["SLUICE_CASES"] ?? "");
  if (Number.isInteger(asked) && asked > 0) return Math.min(asked, full);
  return process.env["SLUICE_QUICK"] === "1" ? Math.ceil(full / 10) : full;
}

/** For properties that try many cases: they have no end of their own, and machines differ. */
export const PATIENT = 900_000;
