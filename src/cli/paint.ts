/** Colours for a terminal, or none. */
export type Paint = (code: keyof typeof CODES, words: string) => string;

const CODES = { bold: "1", faint: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

export function painter(color: boolean): Paint {
  return (code, words) => (color && words !== "" ? `\u001b[${CODES[code]}m${words}\u001b[0m` : words);
}
