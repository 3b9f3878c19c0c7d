/** Names that other languages have: `o.tags.includes(x)`, `now()`, `len(x)`, `int`, `.length`; each with what is written here. */
import { readTime } from "../../base/time.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { describe, isText, isTime, type Type } from "./types.ts";

/** Returns an expression as it is written. */
export function writtenAs({ report }: Context, { span }: ast.Value): string {
  return report.source.text.slice(span.start, span.end);
}

/** Writes a call of a method in this language: from what it is called on, its arguments, and whether that is a list. */
type Write = (on: string, args: readonly string[], type: Type | undefined) => string;

const size: Write = (on, _, type) =>
  type?.kind === "list"
    ? `count(${on})`
    : type !== undefined && isText(type)
      ? `length(${on})`
      : `count(${on}) for a list, length(${on}) for a string`;
const called =
  (name: string): Write =>
  (on, args) =>
    `${name}(${[on, ...args].join(", ")})`;
const joined =
  (operator: string): Write =>
  (on, [other = "…"]) =>
    `${on} ${operator} ${other}`;
const takesFunction: Write = () => "any(x in list : test), all(x in list : test), or [value for x in list if test]";

const METHODS: ReadonlyMap<string, Write> = new Map<string, Write>(
  (
    [
      [["length", "size", "len", "getlength", "getsize"], size],
      [["includes", "contains", "has", "include"], joined("contains")],
      [["containsall"], joined("contains all")],
      [["startswith", "starts_with", "hasprefix"], called("starts")],
      [["endswith", "ends_with", "hassuffix"], called("ends")],
      [["tolowercase", "tolower", "lower", "downcase"], called("lower")],
      [["touppercase", "toupper", "upper", "upcase"], called("upper")],
      [["trim", "strip"], called("trim")],
      [["split"], called("split")],
      [["join"], called("join")],
      [["replace", "replaceall"], called("replace")],
      [["indexof", "index"], called("index_of")],
      [["substring", "substr"], called("substring")],
      [["slice"], (on, args, type) => called(type?.kind === "list" ? "slice" : "substring")(on, args, type)],
      [["tostring", "str"], (on) => `(string) ${on}`],
      [["isempty"], (on, _, type) => (type?.kind === "list" ? `count(${on}) == 0` : `${on} == ""`)],
      [["equals"], joined("==")],
      [["matches", "match"], joined("matches")],
      [["concat"], joined("+")],
      [["padstart"], called("pad_left")],
      [["padend"], called("pad_right")],
      [["repeat"], called("repeat")],
      [["at", "get"], (on, [place = "0"]) => `${on}[${place}]`],
      [["map", "filter", "some", "every", "find", "reduce", "foreach", "anymatch", "allmatch"], takesFunction],
      ...["first", "last", "sort", "reverse", "distinct", "sum", "avg", "min", "max", "median", "flatten"].map(
        (name) => [[name], called(name)] as const,
      ),
    ] satisfies readonly (readonly [readonly string[], Write])[]
  ).flatMap(([names, write]) => names.map((name) => [name, write] as const)),
);

/** Returns what to write for `o.tags.includes("a")`; `receiver` finds the type of what is before the last dot. */
export function methodHint(cx: Context, { name, args }: ast.CallExpr, receiver: () => Type): string | undefined {
  const dot = name.name.lastIndexOf(".");
  if (dot < 0) return undefined;
  const on = name.name.slice(0, dot);
  const method = name.name.slice(dot + 1);
  const texts = args.map((arg) => writtenAs(cx, arg));
  if (on.toLowerCase() === "math") return `write ${method.toLowerCase()}(${texts.join(", ")})`;
  const write = METHODS.get(method.toLowerCase());
  if (write !== undefined) return `write ${write(on, texts, receiver())}`;
  const [, field] = /^get(\p{Lu}.*)$/u.exec(method) ?? [];
  return field === undefined || args.length > 0
    ? undefined
    : `write ${on}.${field.charAt(0).toLowerCase()}${field.slice(1)}`;
}

/** What functions of other languages are called here. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map(
  (
    [
      ["coalesce(value, instead)", ["ifnull", "nvl", "isnull", "default", "or_else"]],
      ["upper(text)", ["toupper", "uppercase", "ucase", "to_upper"]],
      ["lower(text)", ["tolower", "lowercase", "lcase", "to_lower"]],
      ["substring(text, start, length)", ["substr", "mid"]],
      ["starts(text, beginning)", ["startswith", "starts_with"]],
      ["ends(text, ending)", ["endswith", "ends_with"]],
      ["index_of(text, part)", ["indexof", "strpos", "instr", "find"]],
      ["a + b", ["concat", "concatenate"]],
      ["ceil(number)", ["ceiling"]],
      ["floor(number)", ["trunc", "truncate"]],
      ["pow(number, power)", ["power"]],
      ["log(number)", ["ln"]],
      ["avg(list)", ["mean", "average"]],
      ["(number) x", ["number", "int", "integer", "float", "parseint", "parsefloat", "to_number"]],
      ["(string) x", ["string", "str", "text", "to_string", "tostring"]],
      ["(bool) x", ["bool", "boolean"]],
      ["if … then … else …", ["if", "iif", "when", "case", "switch"]],
      ["parse_date(x), or a date such as @2026-11-16", ["to_date", "todate"]],
      ["parse_instant(x), or an instant such as @2026-11-16T09:30:00Z", ["datetime", "timestamp", "to_timestamp"]],
      ["parse_duration(x), or a duration such as 15 min", ["duration", "timedelta", "interval"]],
      ["days_between(from, to)", ["datediff", "date_diff"]],
      ["d + 1 day", ["dateadd", "date_add", "adddays", "add_days"]],
      ["from..to, after in", ["range"]],
      ["distinct(list)", ["unique"]],
    ] as const
  ).flatMap(([here, names]) => names.map((name) => [name, here] as const)),
);

/** Returns what to write for a call of a function that other languages have. */
export function functionHint(cx: Context, { name, args }: ast.CallExpr, types: readonly Type[]): string | undefined {
  const folded = name.name.toLowerCase();
  const [first] = args;
  if ((folded === "now" || folded === "today") && first === undefined) return `write ${folded}, without parentheses`;
  if ((folded === "len" || folded === "size" || folded === "strlen") && first !== undefined) {
    return `write ${size(writtenAs(cx, first), [], types[0])}`;
  }
  if (folded === "duration" && first?.kind === "text") return "write a duration such as 15 min";
  if (folded === "random" || folded === "uuid")
    return "rules give the same for the same facts: pass the value in a fact";
  const here = FUNCTIONS.get(folded);
  return here === undefined ? undefined : `write ${here}`;
}

/** Returns what to write where the arguments of a built-in function are those of one in another language. */
export function argumentHint(
  cx: Context,
  name: string,
  args: readonly ast.Value[],
  types: readonly Type[],
): string | undefined {
  const [first] = args;
  const [type] = types;
  if (first === undefined || type === undefined) return undefined;
  if (name === "length" && type.kind === "list") return `write count(${writtenAs(cx, first)})`;
  if (name === "count" && isText(type)) return `write length(${writtenAs(cx, first)})`;
  if ((name !== "date" && name !== "instant") || args.length > 1 || !isText(type)) return undefined;
  return (
    (first.kind === "text" ? timeLiteral(name, first.value) : undefined) ??
    `write parse_${name}(${writtenAs(cx, first)})`
  );
}

/** Returns the hint to write a text as a time; undefined when it holds none. */
function timeLiteral(kind: "date" | "instant", text: string): string | undefined {
  return "value" in readTime(kind, text) ? `write @${text}` : undefined;
}

/** Returns the hint for a time that is compared with a string or a subtraction, such as `2026-01-31`. */
export function comparedTimeHint(cx: Context, sides: readonly (readonly [Type, ast.Expr])[]): string | undefined {
  const [time] = sides.find(([type]) => type.kind === "date" || type.kind === "instant") ?? [];
  const [, other] = sides.find(([type]) => !isTime(type)) ?? [];
  if (other === undefined || (time?.kind !== "date" && time?.kind !== "instant")) return undefined;
  if (other.kind === "text") return timeLiteral(time.kind, other.value);
  return other.kind === "chain" && other.items.every(({ kind }) => kind === "number")
    ? timeLiteral("date", writtenAs(cx, other))
    : undefined;
}

const PARTS_OF_TIMES = new Set(["year", "month", "day", "week", "weekday", "hour", "minute"]);

/** Returns what to write for a field that values of other languages have: `o.tags.length`, `o.due.year`. */
export function propertyHint(type: Type, field: string, on: string): string | undefined {
  const folded = field.toLowerCase();
  if (folded === "length" || folded === "size" || folded === "count") {
    return type.kind === "list" || isText(type) ? `write ${size(on, [], type)}` : undefined;
  }
  if (!PARTS_OF_TIMES.has(folded)) return undefined;
  if (type.kind === "date") return `write ${folded}(${on})`;
  if (type.kind !== "instant") return undefined;
  const inZone = folded === "hour" || folded === "minute" ? `${folded}(${on}, zone)` : `${folded}(date(${on}, zone))`;
  return `write ${inZone}`;
}

/** What types of other languages are called here. */
const TYPES: ReadonlyMap<string, string> = new Map(
  (
    [
      ["number", ["int", "integer", "float", "double", "decimal", "long", "short", "real", "money", "bigint", "num"]],
      ["string", ["str", "text", "char", "varchar", "uuid", "symbol"]],
      ["bool", ["logical", "bit"]],
      ["instant", ["datetime", "timestamp", "zoneddatetime", "localdatetime"]],
      ["date for a day, or instant for a moment", ["date", "time", "localdate"]],
      ["duration", ["interval", "timespan", "timedelta"]],
      ["any", ["object", "json", "map", "dict", "dictionary", "unknown", "mixed", "value"]],
      ["string[], with the type of the items", ["list", "array", "set"]],
    ] as const
  ).flatMap(([here, names]) => names.map((name) => [name, here] as const)),
);

/** Returns what to write for a type that other languages have. */
export function typeHint(name: string): string | undefined {
  const here = TYPES.get(name.toLowerCase());
  return here === undefined ? undefined : `write ${here}`;
}

/** Returns the hint for a type that is used as a value: `count(Order)`. */
export function typeAsValueHint({ symbols }: Context, name: string): string | undefined {
  if (symbols.open || symbols.type(name) === undefined) return undefined;
  const variable = name.charAt(0).toLowerCase();
  return `${describe({ kind: "fact", type: name })} is a type: for its facts write COUNT(${variable}: ${name}) or exists ${name}(…)`;
}
