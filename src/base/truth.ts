/** Strong Kleene logic: true, false, and undefined for unknown. */
export type Truth = boolean | undefined;

export function not(a: Truth): Truth {
  return a === undefined ? undefined : !a;
}
