/** The ids of facts. */
/** `Type~k1_k2`; what could be mistaken for a separator inside a key is escaped. */
export function keyedId(type: string, keys: readonly (string | number | boolean)[]): string {
  return `${type}~${keys.map((key) => String(key).replace(/[%~_ ]/gu, escapeCharacter)).join("_")}`;
}

/** `Type~@n`, counted from 1. */
export function keylessId(type: string, count: number): string {
  return `${type}~@${count}`;
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
