/** The types of facts that hold the parameters of questions. No program can name them. */

const MARK = "\u0000";

/** Returns the type of the parameters of a question. */
export function parameterType(question: string): string {
  return `${MARK}${question}`;
}

export function isParameterType(type: string): boolean {
  return type.startsWith(MARK);
}
