/** Makes suggested changes in a session of its own, and empties one to use it again. */
import type { Edit, RuleSession } from "../../src/index.ts";

/** Another session with the same facts, after the edits. */
export function applied(session: RuleSession, edits: readonly Edit[], open: object = {}): RuleSession {
  const other = session.program.session({ ...open, from: session.snapshot() });
  for (const edit of edits) make(other, edit);
  return other;
}

/** The session without the facts of these types: to open another one costs more. */
export function emptied(session: RuleSession, types: readonly string[]): RuleSession {
  for (const type of types) for (const { id } of session.facts(type)) session.retract(id);
  return session;
}

function make(session: RuleSession, edit: Edit): void {
  if (edit.op === "assert") session.assert(edit.type, edit.fields);
  else if (edit.op === "retract") session.retract(edit.fact);
  else if (edit.op === "wait") session.advance(edit.until);
  else session.update(edit.fact, { [edit.field]: edit.to });
}
