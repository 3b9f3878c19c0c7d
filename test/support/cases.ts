const FULL = 20_000;

/**
 * How many cases a property tries: a tenth when `SLUICE_QUICK=1` asks for a quick run, or as many as `SLUICE_CASES` says.
 * A property that tries fewer than others in a full run also tries fewer when more are asked for.
 */
export function runs(full = FULL): number {
  const asked = Number(process.env["SLUICE_CASES"] ?? "");
  if (Number.isInteger(asked) && asked > 0) return asked <= FULL ? Math.min(asked, full) : scaled(full, asked / FULL);
  return process.env["SLUICE_QUICK"] === "1" ? scaled(full, 1 / 10) : full;
}

function scaled(count: number, by: number): number {
  return Math.ceil(count * by);
}

/** For properties that try many cases: they have no end of their own, and machines differ. */
export const PATIENT = 900_000;
