/** Turns canonical text of a node into source text: `.age > 18` becomes `age > 18`. Quoted strings stay as they are. */
export function readable(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![\p{L}\p{N}_$)\]"])\.(?=[\p{L}_"])/gu, (found) =>
    found.startsWith('"') ? found : "",
  );
}
