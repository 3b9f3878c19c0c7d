/** The three outcomes of a gate, under every name that they are written with. */
export const OUTCOMES = {
  pass: "pass",
  passes: "pass",
  true: "pass",
  hold: "hold",
  holds: "hold",
  unknown: "hold",
  fail: "fail",
  fails: "fail",
  false: "fail",
} as const;
