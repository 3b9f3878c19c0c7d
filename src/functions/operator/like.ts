/** `like` patterns. */

/** One step of a `like` pattern: a literal character, `_` for any one, `%` for any run. */
type LikeStep =
  { readonly kind: "one" } | { readonly kind: "run" } | { readonly kind: "literal"; readonly character: string };

export function likeSteps(pattern: string): readonly LikeStep[] {
  const steps: LikeStep[] = [];
  const characters = [...pattern];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    if (character === "\\" && index + 1 < characters.length) {
      index += 1;
      steps.push({ kind: "literal", character: characters[index] ?? "" });
    } else if (character === "%") steps.push({ kind: "run" });
    else if (character === "_") steps.push({ kind: "one" });
    else steps.push({ kind: "literal", character });
  }
  return steps;
}

/** Two pointers: on a mismatch go back to the last `%` and let it take one character more. Never exponential. */
export function like(text: string, steps: readonly LikeStep[]): boolean {
  const characters = [...text];
  let at = 0;
  let step = 0;
  let run = -1;
  let runAt = 0;
  while (at < characters.length) {
    const wanted = steps[step];
    if (
      wanted !== undefined &&
      (wanted.kind === "one" || (wanted.kind === "literal" && wanted.character === characters[at]))
    ) {
      at += 1;
      step += 1;
    } else if (wanted?.kind === "run") {
      run = step;
      runAt = at;
      step += 1;
    } else if (run >= 0) {
      runAt += 1;
      at = runAt;
      step = run + 1;
    } else return false;
  }
  while (steps[step]?.kind === "run") step += 1;
  return step === steps.length;
}
