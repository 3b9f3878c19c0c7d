/** Judges of a session by name, in the order of the program. */
export interface Named<Node> {
  /** How many the program has. */
  readonly size: number;
  has(name: string): boolean;
  /** Returns a judge, made when no subject came to it yet; undefined when the program has none of this name. */
  get(name: string): Node | undefined;
  /** Returns the names of all of them. */
  keys(): Iterable<string>;
  /** Returns those that were made, in the order of the program. All others have no subject. */
  made(): readonly Node[];
}
