/** Makes the gates of a RET document gates of the program. Mistakes point into the document, never into the rules that were made. */
import { GateJsonError, gateSource, type Program, type RetFlow, type RetGate } from "../../index.ts";
import { quotedList, unknownName, UsageError } from "../arguments.ts";
import type { Texts } from "../report.ts";
import { extended } from "./extend.ts";
import { placeIn, requirementPath, type RetDocument } from "./ret-file.ts";

/** A program with the gates of a document, and what to decide in it. */
export interface AddedGates {
  readonly file: string;
  readonly program: Program;
  /** The source of the gates that were added. */
  readonly source: string;
  /** The names of the gates that were added, in the program. */
  readonly gates: readonly string[];
  readonly flow: RetFlow | undefined;
}

/** A gate of a document on its way into the program. */
export interface AddedGate {
  /** The name in the document. */
  readonly own: string | undefined;
  /** The name in the program. */
  readonly name: string;
  /** The gate of the program whose subject and settings it has. */
  readonly like: string | undefined;
  readonly requirement: RetGate["requirement"];
  /** Returns the path of the requirement in the document. */
  readonly path: () => string;
  readonly source: string;
}

/**
 * Adds the gates of a document to the program: the one that `wanted` names, else all. A gate has the subject and settings of
 * the gate `wanted` of the program, or of the gate of the program with its name.
 */
export function addGates(
  document: RetDocument,
  program: Program,
  wanted: string | undefined,
  texts: Texts,
): AddedGates {
  const { file, text, gates, flow } = document;
  if (flow !== undefined) refuseUnusedChoice(gates, program, wanted);
  const chosen = flow === undefined ? chosenOf(gates, program, wanted) : gates;
  const names = new Set(program.checked.symbols.gates.names());
  const added = chosen.map((gate) => {
    const path = (): string => requirementPath(text, gates.indexOf(gate));
    const one = addedGate(program, gate, { wanted, path, file, names });
    names.add(one.name);
    return one;
  });
  const made = `${file} as rules`;
  texts.addMade(made, placeIn(document, added.length === 1 ? (added[0]?.path() ?? "$") : "$"));
  const renamed = new Map(added.map((one) => [one.own, one.name]));
  const whole = added.length === 0 ? program : extended(program, added, made, document);
  const asked = flow === undefined ? undefined : inProgram(flow, renamed);
  if (asked !== undefined) refuseSeveralSubjects(whole, asked);
  const source = added.map((one) => one.source).join("\n");
  return { file, program: whole, source, gates: added.map(({ name }) => name), flow: asked };
}

/** Refuses a `--gate` that would do nothing for a stage: it lends its subject to the gates that the document defines. */
function refuseUnusedChoice(gates: readonly RetGate[], program: Program, wanted: string | undefined): void {
  if (wanted === undefined) return;
  if (gates.length === 0)
    throw new UsageError("the branches name gates of the rules, which have their own subjects; remove --gate");
  if (!has(program, wanted)) throw unknownName("gate", wanted, [...program.checked.symbols.gates.names()]);
}

/** Refuses gates about different types: no subject has an outcome of each. A gate without a subject is about every one. */
function refuseSeveralSubjects(program: Program, { branches }: RetFlow): void {
  const types = new Set(branches.flatMap(({ gate }) => subjectType(program, gate) ?? []));
  if (types.size < 2) return;
  const message = `the gates of one flow need the same subject; these have ${[...types].join(" and ")}`;
  throw new GateJsonError("$.advance_to.branches", message);
}

/** Returns the type of the subjects of a gate; undefined for a gate without one. */
export function subjectType(program: Program, gate: string): string | undefined {
  return program.checked.symbols.gates.get(gate)?.decl.subject?.type.name;
}

interface Adding {
  readonly wanted: string | undefined;
  readonly path: () => string;
  readonly file: string;
  /** The names that gates have already. */
  readonly names: ReadonlySet<string>;
}

function addedGate(program: Program, gate: RetGate, { wanted, path, file, names }: Adding): AddedGate {
  const { name: own, requirement } = gate;
  const like = [wanted, own].find((name) => has(program, name));
  const name = freeName(own, like ?? own ?? file, names);
  try {
    const source = gateSource(program, requirement, { name, ...(like === undefined ? {} : { like }) });
    return { own, name, like, requirement, path, source };
  } catch (error) {
    throw error instanceof GateJsonError ? inDocument(error, path()) : error;
  }
}

/** Returns an error of a requirement as one of the document, in the words of the command line. */
function inDocument({ path, message }: GateJsonError, base: string): GateJsonError {
  const words = message.slice(`${path}: `.length).replace('with "like"', "with --gate NAME");
  return new GateJsonError(`${base}${path.slice(1)}`, words);
}

function chosenOf(gates: readonly RetGate[], program: Program, wanted: string | undefined): readonly RetGate[] {
  const named = gates.filter(({ name }) => name !== undefined && name === wanted);
  if (named.length > 0) return named;
  if (wanted === undefined || has(program, wanted)) return gates;
  throw wrongChoice(gates, wanted);
}

/** Returns the error for `--gate` when it names no gate of a document. */
export function wrongChoice(gates: readonly RetGate[], wanted: string): UsageError {
  const names = quotedList(gates.flatMap(({ name }) => name ?? []));
  return new UsageError(`no gate "${wanted}": the document has ${names === "" ? "one without a name" : names}`);
}

function has(program: Program, name: string | undefined): name is string {
  return name !== undefined && program.checked.symbols.gates.get(name) !== undefined;
}

/** Returns the name of a new gate: its own when no other gate has it. */
function freeName(own: string | undefined, otherwise: string, names: ReadonlySet<string>): string {
  if (own !== undefined && !names.has(own)) return own;
  let one = `${otherwise} (RET JSON)`;
  while (names.has(one)) one += "'";
  return one;
}

/** Returns a flow that asks the gates of the document by their names in the program. */
function inProgram(flow: RetFlow, renamed: ReadonlyMap<string | undefined, string>): RetFlow {
  return { ...flow, branches: flow.branches.map((one) => ({ ...one, gate: renamed.get(one.gate) ?? one.gate })) };
}
