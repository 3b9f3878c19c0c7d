/** Canonical texts of nodes in words nearer to those of the author: `.age > 18` is `age > 18`. Quoted texts stay as they are. */
export function readable(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![\p{L}\p{N}_$)\]"])\.(?=[\p{L}_"])/gu, (found) =>
    found.startsWith('"') ? found : "",
  );
}
