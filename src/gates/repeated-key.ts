/** Finds a key that occurs twice in one object of a JSON document; `JSON.parse` silently keeps the last of them. */

/** Returns the first repeated key; undefined when there is none. The text must be valid JSON. */
export function repeatedKey(text: string): string | undefined {
  /** The keys of the objects that are open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        break;
      case "[":
        open.push(undefined);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (keys !== undefined && isKey(text, end)) {
          const key = JSON.parse(text.slice(at, end)) as string;
          if (keys.has(key)) return key;
          keys.add(key);
        }
        at = end - 1;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** Returns the position after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/u.test(text[at] ?? "")) at += 1;
  return text[at] === ":";
}
