/** The ids of facts: a type, `~`, and the keys or a number. */

/** Returns the id `Type~k1_k2`; characters of a key that could be taken for a separator are escaped. */
export function keyedId(type: string, keys: readonly (string | number | boolean)[]): string {
  let id = `${type}~`;
  for (let index = 0; index < keys.length; index++) {
    if (index > 0) id += "_";
    id += escapeKey(keys[index] as string | number | boolean);
  }
  return id;
}

/** Returns the id of a fact from the parts that its keys are in it. */
export function idOfParts(type: string, parts: readonly string[]): string {
  return `${type}~${parts.join("_")}`;
}

/** Returns the part of an id that a key is; a reference to a fact is there as the key of that fact, without its type. */
export function keyPart(key: string | number | boolean, isReference: boolean): string {
  return isReference && typeof key === "string" ? keyOfId(key) : escapeKey(key);
}

/** Returns an id without its type. */
function keyOfId(id: string): string {
  return id.slice(id.indexOf("~") + 1);
}

function escapeKey(key: string | number | boolean): string {
  if (typeof key !== "string") return String(key);
  return SPECIAL.test(key) ? key.replace(/[%~_ ]/gu, escapeCharacter) : key;
}

const SPECIAL = /[%~_ ]/u;

/** Returns the id `Type~@n`, counted from 1. */
export function keylessId(type: string, count: number): string {
  return `${type}~@${count}`;
}

/** Returns the type in an id; "" where there is none. */
export function typeOfId(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf("~")));
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
