/**
 * Parameters of a program: `param max_amount: number = 1000`. A parameter is a constant whose value the host can give when it
 * compiles the program; it has a declared type, and without a default it must be given.
 */
import { Report } from "../../base/diagnostic.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import { hostTimeText } from "../../base/host-time.ts";
import type { Span } from "../../base/span.ts";
import { DAY, HOUR, isTimeKind, MINUTE, readTime, SECOND } from "../../base/time.ts";
import type { Value } from "../../base/value.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { checkData, plainValue } from "./facts.ts";
import { checkTypeRef } from "./fields.ts";
import { completed } from "./records.ts";
import type { Symbols } from "./symbols.ts";
import { describe, holdsRecord, holdsTime, type Type } from "./types.ts";

/** The values of parameters, by name. */
export interface GivenParameters {
  readonly values: Readonly<Record<string, unknown>>;
  /** Values as text, from a command line or the environment; the declared type says how to read each. */
  readonly texts: Readonly<Record<string, string>>;
}

export const NO_PARAMETERS: GivenParameters = { values: {}, texts: {} };

/** Gives the parameters of a program their values; what does not fit is reported by checkParameter. */
export function giveParameters(symbols: Symbols, given: GivenParameters): void {
  symbols.constants.change((decl) => {
    if (decl.type === undefined) return decl;
    const type = symbols.typeOfRef(decl.type);
    const written = givenValue(type, decl.name, given) ?? decl.value;
    const value = holdsRecord(type) ? completed(symbols, type, written) : asTimes(type, written);
    return value === decl.value ? decl : { ...decl, value };
  });
}

function isGiven(name: string, { values, texts }: GivenParameters): boolean {
  return Object.hasOwn(values, name) || Object.hasOwn(texts, name);
}

/** Returns the given value as it would be written; undefined when there is none, or none of the type. */
function givenValue(type: Type, { name, span }: ast.Ident, { values, texts }: GivenParameters): ast.Value | undefined {
  if (Object.hasOwn(values, name)) return literalOf(values[name], span);
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return text === undefined ? undefined : literalOf(readAs(type, text), span);
}

/** Returns a value with the texts of times as the times that they name. What names none stays, and is reported by checkParameter. */
function asTimes(type: Type, value: ast.Value): ast.Value {
  if (type.kind === "list" && value.kind === "list" && holdsTime(type)) {
    return { ...value, items: value.items.map((item) => asTimes(type.item, item)) };
  }
  if (value.kind !== "text" || !isTimeKind(type.kind)) return value;
  const read = readTime(type.kind, value.value);
  if ("fault" in read) return value;
  const { span } = value;
  if (type.kind !== "duration") return { kind: "time", of: type.kind, written: value.value, value: read.value, span };
  const { size, unit } = UNITS.find((one) => read.value % one.size === 0) ?? SMALLEST;
  return { kind: "amount", of: "duration", amount: read.value / size, unit, value: read.value, span };
}

const SMALLEST = { size: 1, unit: "ms" };
const UNITS = [
  { size: DAY, unit: "days" },
  { size: HOUR, unit: "hours" },
  { size: MINUTE, unit: "min" },
  { size: SECOND, unit: "seconds" },
  SMALLEST,
];

/** Returns a text as a value of a type; undefined when it is none. */
function readAs(type: Type, text: string): unknown {
  switch (type.kind) {
    case "number":
      return numberIn(text);
    case "bool":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "list":
    case "record":
    case "any":
      return jsonIn(text) ?? (type.kind === "any" ? text : undefined);
    case "union":
      return type.options.find((option) => String(option) === text) ?? text;
    default:
      return text;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
const INTEGER = /^-?\d+$/u;

/** Returns the number that a text is in the language; undefined for an integer that a number cannot hold exactly. */
function numberIn(text: string): number | undefined {
  const written = text.trim();
  const number = NUMBER.test(written) ? Number(written) : Number.NaN;
  if (INTEGER.test(written) && !Number.isSafeInteger(number)) return undefined;
  return Number.isFinite(number) ? number : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function literalOf(value: unknown, span: Span): ast.Value | undefined {
  if (typeof value === "string") return { kind: "text", value, span };
  if (typeof value === "boolean") return { kind: "bool", value, span };
  if (typeof value === "number") return Number.isFinite(value) ? numberLiteral(value, span) : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => literalOf(item, span));
    return items.every((item) => item !== undefined) ? { kind: "list", items, span } : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const time = hostTimeText(value);
  if (time !== undefined) return { kind: "text", value: time, span };
  const entries = Object.entries(value).map(([name, item]) => ({
    name: { name, span },
    value: literalOf(item, span),
    span,
  }));
  const complete = entries.flatMap((one) => (one.value === undefined ? [] : [{ ...one, value: one.value }]));
  return complete.length < entries.length ? undefined : { kind: "object", entries: complete, span };
}

/** Numbers are plain literals; a negative zero has no sign. */
function numberLiteral(value: number, span: Span): ast.NumberExpr {
  return { kind: "number", value: value === 0 ? 0 : value, span };
}

// ---------------------------------------------------------------- checks

/** Checks a parameter: its type, its default, and the value that is given for it. */
export function checkParameter(cx: Context, decl: ast.ParamDecl, given: GivenParameters): void {
  const { name, span } = decl.name;
  checkTypeRef(cx, decl.type);
  const type = cx.symbols.typeOfRef(decl.type);
  if (holdsFacts(type)) {
    const message = `a parameter is a plain value, and ${describe(type)} stands for facts`;
    cx.report.error("E214", decl.type.span, message, "declare it as string, number, bool, a list or a union of them");
    return;
  }
  if (decl.default !== null) checkData(cx, name, type, decl.default);
  if (!isGiven(name, given)) {
    if (decl.default !== null) return;
    const hint = `give it with compile(…, { params: { ${name}: … } }), on the command line with --param ${name}=…, or add a default`;
    cx.report.error("E216", span, `parameter "${name}" has no value`, hint);
    return;
  }
  const written = givenValue(type, decl.name, given);
  const value = written === undefined ? undefined : completed(cx.symbols, type, written);
  const inner = new Report(cx.report.source);
  if (value !== undefined) checkData({ ...cx, report: inner }, name, type, value);
  if (value !== undefined && inner.diagnostics.length === 0) return;
  const found = Object.hasOwn(given.values, name) ? given.values[name] : given.texts[name];
  const message = `parameter "${name}" must be ${describe(type)}, found ${shown(found)}`;
  cx.report.error("E216", span, message, "give it a value of its type");
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? typeof value);
}

function holdsFacts(type: Type): boolean {
  if (type.kind === "record") return type.fields.some((field) => holdsFacts(field.type));
  return type.kind === "list" ? holdsFacts(type.item) : type.kind === "fact";
}

/** Reports values for parameters that the program does not declare. */
export function refuseUnknown(symbols: Symbols, { values, texts }: GivenParameters, report: Report | undefined): void {
  const known = [...symbols.constants.values()].flatMap(({ decl }) =>
    decl.type === undefined ? [] : [decl.name.name],
  );
  for (const name of [...Object.keys(values), ...Object.keys(texts)]) {
    if (known.includes(name) || symbols.excuses(symbols.constants, name)) continue;
    const list = known.length === 0 ? "this program declares none" : `parameters: ${known.join(", ")}`;
    const hint = didYouMean(nearest(name, known)) ?? list;
    report?.error("E216", { start: 0, end: 0 }, `unknown parameter "${name}"`, hint);
  }
}

/** Returns the values that the parameters of a checked program have, by name. */
export function parametersOf(symbols: Symbols): Readonly<Record<string, Value>> {
  const entries = [...symbols.constants.values()].flatMap(({ decl }) =>
    decl.type === undefined ? [] : [[decl.name.name, dataOf(decl.value, symbols)] as const],
  );
  return Object.fromEntries(entries);
}

/** Returns plain data as a value: bare words are strings, constants what they stand for. */
function dataOf(value: ast.Value, symbols: Symbols): Value {
  if (value.kind === "list") return value.items.map((item) => dataOf(item, symbols));
  if (value.kind !== "object") return plainValue(value, symbols) as Value;
  return Object.fromEntries(value.entries.map((entry) => [entry.name.name, dataOf(entry.value, symbols)]));
}
