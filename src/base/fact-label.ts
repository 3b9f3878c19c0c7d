/**
 * Facts as sentences name them: `Order o_1` for the id `Order~o%5F1`, `Line o1/3` for a fact with two keys, `Alert #1` for the first fact of a
 * type without keys. Labels are for people; programs use the id.
 */
export function factLabel(id: string): string {
  const at = id.indexOf("~");
  if (at < 0) return id;
  const type = id.slice(0, at);
  const keys = id.slice(at + 1);
  if (KEYLESS.test(keys)) return `${type} #${keys.slice(1)}`;
  return `${type} ${keys.split("_").map(keyLabel).join("/")}`;
}

const KEYLESS = /^@\d+$/u;

/** Returns a key as written by the author, in quotes where its end would not be clear. */
function keyLabel(escaped: string): string {
  const key = escaped.replace(/%([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return PLAIN.test(key) ? key : JSON.stringify(key);
}

const PLAIN = /^[\p{L}\p{N}_.:@+-]+$/u;
