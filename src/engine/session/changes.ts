/** How a host changes the facts of a session. {@link Session} implements it. */
import type { ChangeBy, FactRef } from "../../session/options.ts";
import type { FactHandle } from "../../session/results.ts";

export interface SessionChanges {
  /**
   * Adds a fact to working memory.
   *
   * @param type - The name of its type.
   * @param fields - Its fields. References may be handles, ids or keys.
   * @param by - `{ role: "policy" }` for facts of protected types.
   * @returns A handle with the id of the fact.
   * @throws {@link FactError} E201 for an unknown type, E401 to E407 for a wrong field, E410 when the key is taken,
   *   E411 for a protected type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number)").session();
   * session.assert("Person", { id: "p1", age: 30 }).id; // => "Person~p1"
   * ```
   */
  assert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle;

  /**
   * Changes the given fields of a fact; `null` clears a field. Returns false when nothing differs. An update ends
   * exactly the matches that read a changed field, and starts them again where they still hold.
   *
   * @throws {@link FactError} E401 to E407 for a wrong field, E411 for a protected type, E412 for a key field, E532
   *   when there is no such fact.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number)").session();
   * const ann = session.assert("Person", { id: "p1", age: 30 });
   * session.update(ann, { age: 31 }); // => true
   * session.fact(ann)?.fields["age"]; // => 31
   * ```
   */
  update(fact: FactRef, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): boolean;

  /**
   * Removes a fact. Returns false when there is no such fact. A fact that rules also inserted logically stays as long
   * as one of their matches supports it; a fact that is only logical is removed.
   *
   * @throws {@link FactError} E411 for a protected type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * const ann = session.assert("Person", { id: "p1" });
   * session.retract(ann); // => true
   * session.retract(ann); // => false
   * ```
   */
  retract(fact: FactRef, by?: ChangeBy): boolean;

  /**
   * Asserts a fact, or updates the one with the same key: given fields change, others stay.
   *
   * @throws {@link FactError} with the codes of {@link Session.assert} and {@link Session.update}.
   */
  upsert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle;

  /**
   * Makes many changes as one. They are made when `work` returns; if it throws, none is made. Inside `work`, `facts`
   * and `fact` show the changes, `matches` does not yet.
   *
   * @returns What `work` returned.
   * @throws {@link SessionError} E530 when `work` returns a promise, and whatever `work` throws.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.batch(() => {
   *   session.assert("Person", { id: "p1" });
   *   session.assert("Person", { id: "p2" });
   * });
   * session.size; // => 2
   * ```
   */
  batch<Result>(work: () => Result): Result;

  /**
   * Activates a group of rules for the rest of the session, as the action `focus("name")` does.
   *
   * @throws {@link SessionError} E213 when no rule has this group.
   */
  focus(group: string): void;
}
