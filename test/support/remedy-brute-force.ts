/** Every single edit of the facts of a small session that a remedy may make, tried one by one: the oracle of remedies. */
import type { Edit, FactView, RuleSession } from "../../src/index.ts";
import type { FieldDomain, RemedyProgram } from "./remedy-programs.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the first single edit after which the goal is reached; undefined when no edit of the domain reaches it. */
export function oneEdit(
  one: RemedyProgram,
  open: () => RuleSession,
  reached: (session: RuleSession) => boolean,
): Edit | undefined {
  let session = open();
  const facts = session.facts();
  for (const edit of [...updates(one, facts), ...asserts(one, facts)]) {
    const undo = made(session, edit);
    if (reached(session)) return edit;
    undo();
  }
  for (const edit of retracts(one, facts)) {
    session = open();
    made(session, edit);
    if (reached(session)) return edit;
  }
  return undefined;
}

function made(session: RuleSession, edit: Edit): () => void {
  if (edit.op === "update") {
    session.update(edit.fact, { [edit.field]: edit.to });
    return () => void session.update(edit.fact, { [edit.field]: edit.from ?? null });
  }
  if (edit.op === "retract") {
    session.retract(edit.fact);
    return () => {};
  }
  if (edit.op === "wait") throw new Error("the programs of remedies read no clock");
  const { id } = session.assert(edit.type, edit.fields);
  return () => void session.retract(id);
}

function valuesOf(domain: FieldDomain, facts: readonly FactView[]): readonly unknown[] {
  const { refers } = domain;
  return refers === undefined ? domain.values : facts.filter(({ type }) => type === refers).map(({ id }) => id);
}

function* updates(one: RemedyProgram, facts: readonly FactView[]): Iterable<Edit> {
  for (const { id, type, fields } of facts) {
    for (const [field, domain] of Object.entries(one.types[type] ?? {})) {
      const from = (fields as Fields)[field];
      if (domain.key === true || !one.mayChange(type, field, from)) continue;
      const values = [...valuesOf(domain, facts), ...(domain.optional === true ? [null] : [])];
      for (const to of values) {
        if (to !== from && !(to === null && from === undefined))
          yield { op: "update", fact: id, field, from, to } as Edit;
      }
    }
  }
}

function* asserts(one: RemedyProgram, facts: readonly FactView[]): Iterable<Edit> {
  for (const type of one.added) {
    for (const fields of combinations(Object.entries(one.types[type] ?? {}), type, facts)) {
      yield { op: "assert", type, fields } as Edit;
    }
  }
}

function* combinations(
  [first, ...rest]: readonly (readonly [string, FieldDomain])[],
  type: string,
  facts: readonly FactView[],
): Iterable<Fields> {
  if (first === undefined) {
    yield {};
    return;
  }
  const [name, domain] = first;
  const used = new Set(facts.filter((fact) => fact.type === type).map((fact) => (fact.fields as Fields)[name]));
  const values = domain.key === true ? [freeKey(domain, used)] : valuesOf(domain, facts);
  for (const others of combinations(rest, type, facts)) {
    for (const value of values) yield { [name]: value, ...others };
    if (domain.optional === true) yield others;
  }
}

function freeKey({ values }: FieldDomain, used: ReadonlySet<unknown>): unknown {
  return typeof values[0] === "number" ? 9 : used.has("free") ? "free2" : "free";
}

function* retracts({ removed }: RemedyProgram, facts: readonly FactView[]): Iterable<Edit> {
  for (const { id, type } of facts) if (removed.includes(type)) yield { op: "retract", fact: id };
}

// ---------------------------------------------------------------- what a remedy may do

/** Returns whether edits change only what a remedy may change, to values of the domain or ones next to it. */
export function arePermitted(edits: readonly Edit[], one: RemedyProgram, facts: readonly FactView[]): boolean {
  const known = [...facts];
  for (const edit of edits) {
    if (!isPermitted(edit, one, known)) return false;
    if (edit.op === "assert" && "id" in edit.fields)
      known.push({ ...edit, id: `${edit.type}~${JSON.stringify(edit.fields["id"])}` });
  }
  return true;
}

function isPermitted(edit: Edit, one: RemedyProgram, facts: readonly FactView[]): boolean {
  if (edit.op === "assert") {
    const domains = one.types[edit.type] ?? {};
    const fields = Object.entries(edit.fields);
    return one.added.includes(edit.type) && fields.every(([name, value]) => isValue(value, domains[name], facts));
  }
  if (edit.op === "wait") return true;
  const fact = facts.find(({ id }) => id === edit.fact);
  if (fact === undefined) return false;
  if (edit.op === "retract") return one.removed.includes(fact.type);
  const domain = one.types[fact.type]?.[edit.field];
  if (domain === undefined || domain.key === true || !one.mayChange(fact.type, edit.field, edit.from)) return false;
  return edit.to === null ? domain.optional === true : isValue(edit.to, domain, facts);
}

/** The string that stands for any other one. */
const PLACEHOLDER = "…";

function isValue(value: unknown, domain: FieldDomain | undefined, facts: readonly FactView[]): boolean {
  if (domain === undefined) return false;
  if (domain.refers !== undefined) return facts.some(({ id, type }) => id === value && type === domain.refers);
  const [first] = domain.values;
  if (typeof value === "number") return typeof first === "number" && Number.isInteger(value) && value >= 0;
  if (domain.key === true) return isPlaceholder(value);
  return domain.values.includes(value) || (isPlaceholder(value) && !isClosed(domain));
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value.startsWith(PLACEHOLDER);
}

/** Returns whether the values of a domain are all that the type has. */
function isClosed({ values }: FieldDomain): boolean {
  return values.includes("lo") || values.includes("asserted") || typeof values[0] !== "string";
}

/** Returns the edits with other values in the fields that are said not to matter; the same edits when there are none. */
export function withOtherFree(edits: readonly Edit[], { types }: RemedyProgram): readonly Edit[] {
  if (!edits.some((edit) => edit.op === "assert" && edit.free !== undefined)) return edits;
  return edits.map((edit, index) => {
    if (edit.op !== "assert") return edit;
    const others = (edit.free ?? []).map((name) => [
      name,
      otherValue(edit.fields[name], types[edit.type]?.[name], index),
    ]);
    return { ...edit, fields: { ...edit.fields, ...(Object.fromEntries(others) as typeof edit.fields) } };
  });
}

function otherValue(value: unknown, domain: FieldDomain | undefined, index: number): unknown {
  if (domain?.refers !== undefined) return value;
  if (typeof value === "number") return value + 70 + index;
  const closed = domain !== undefined && isClosed(domain);
  return closed ? domain.values.find((other) => other !== value) : `other ${index}`;
}
