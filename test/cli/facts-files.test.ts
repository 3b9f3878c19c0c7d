/** Tests facts files: JSON, NDJSON and CSV, the types that values get, and the errors with their locations. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const MODEL = `type Person(#id: string, name: string, age: number, vip: bool = false, tags: string[]?, boss: Person?)
type Note(text: string)
type Badge(#no: number, of: Person?, grade: "a" | "b" = "a")
Person(id: "p0", name: "Zero", age: 1)
rule all : {p: Person} / ==> show(p.id, p.name, p.age, p.vip, p.tags, p.boss)
rule notes : {n: Note} / ==> show(n.text)
rule badges : {b: Badge} / ==> show(b.no, b.of, b.grade)
`;

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The arguments of all effects, without those of the program's own fact. */
function shown(files: Files, ...args: string[]): unknown[] {
  const facts = args.length > 0 ? args : Object.keys(files).flatMap((file) => ["--facts", file]);
  const ran = runCli(["run", "m.tsd", "--json", "--seed-facts", "no", ...facts], { "m.tsd": MODEL, ...files });
  return ran.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .flatMap((event) => {
      if (event["event"] === "effect") return [event["args"]];
      return event["event"] === "diagnostic" ? [event["message"]] : [];
    });
}

/** Every mistake as `file:line:column code message (hint)`. */
function mistakes(files: Files): string[] {
  const facts = Object.keys(files).flatMap((file) => ["--facts", file]);
  const ran = runCli(["run", "m.tsd", "--json", ...facts], { "m.tsd": MODEL, ...files });
  expect(ran.exit).toBe(1);
  return ran.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>)
    .map(
      (one) => `${one["file"]}:${one["line"]}:${one["column"]} ${one["code"]} ${one["message"]} (${one["hint"] ?? ""})`,
    );
}

// ---------------------------------------------------------------- formats

test("JSON holds lists of facts, or single ones, by type", () => {
  const json = '{"Person": [{"id": "a", "name": "Ann", "age": 3, "tags": ["x"]}], "Note": {"text": "n"}}';
  expect(shown({ "f.json": json })).toEqual([["a", "Ann", 3, false, ["x"], null], ["n"]]);
});

test("NDJSON holds an object on each line; blank lines and CRLF do not matter", () => {
  const lines = '{"Note": {"text": "one"}}\r\n\r\n{"Note": {"text": "two"}}\r\n';
  expect(shown({ "f.ndjson": lines })).toEqual([["one"], ["two"]]);
});

test("CSV is read by the declared types, and an empty cell is a missing value", () => {
  const csv = `id,name,age,vip,tags,boss
a,"Ann, ""A""",-1.5e1,TRUE,"[""x"", ""y""]",b
b,"two
lines",0,,,
`;
  expect(shown({ "data/Person.csv": csv })).toEqual([
    ["a", 'Ann, "A"', -15, true, ["x", "y"], "Person~b"],
    ["b", "two\nlines", 0, false, null, null],
  ]);
});

test("in CSV a quoted empty cell is an empty text, and a missing value where no text can stand", () => {
  expect(shown({ "Person.csv": 'id,name,age,vip\r\na,"",1,""\r\n' })).toEqual([["a", "", 1, false, null, null]]);
});

test("in CSV a number key and a union are read as declared", () => {
  expect(shown({ "Badge.csv": "no,of,grade\n7,p1,b\n" })).toEqual([[7, "Person~p1", "b"]]);
});

test("without declared types, CSV cells that look like numbers, true or false are such", () => {
  const rules = "rule r { when a: A then show(a.x, a.y, a.z, a.w) }\n";
  const csv = 'x,y,z,w\n12,true,007,"5"\n';
  const ran = runCli(["run", "o.tsd", "--json", "A.csv"], { "o.tsd": rules, "A.csv": csv });
  expect(ran.out).toContain('"args":[12,true,"007","5"]');
});

test("standard input is told apart by its content", () => {
  const two = '{"Note": {"text": "one"}}\n{"Note": {"text": "two"}}\n';
  expect(shown({ "-": two })).toEqual([["one"], ["two"]]);
  expect(shown({ "-": '{"Note":\n {"text": "one"}}\n' })).toEqual([["one"]]);
});

test("facts files may follow each other, as a shell writes them for *.csv", () => {
  const files = { "Note.csv": "text\none\n", "g.json": '{"Note": {"text": "two"}}' };
  expect(shown(files, "--facts", "Note.csv", "g.json")).toEqual([["one"], ["two"]]);
});

test("a byte order mark is no part of the text", () => {
  expect(shown({ "Note.csv": "\ufefftext\none\n" })).toEqual([["one"]]);
});

test("a reference is the key of the fact it points to, or its id, which need not be there", () => {
  const json = '{"Person": {"id": "a", "name": "A", "age": 1, "boss": "Person~zz"}}';
  expect(shown({ "f.json": json })).toEqual([["a", "A", 1, false, null, "Person~zz"]]);
});

test("lines are put together from pieces of any size", () => {
  const bytes = new TextEncoder().encode('{"Note": {"text": "Zoë"}}\n{"Note": {"text": "😀"}}\n');
  const pieces = (): Uint8Array[] => Array.from(bytes, (_, index) => bytes.slice(index, index + 1));
  const ran = runCli(["run", "m.tsd", "--facts", "f.ndjson"], { "m.tsd": MODEL }, { chunks: pieces });
  expect(ran.out).toContain('show("Zoë")');
  expect(ran.out).toContain('show("😀")');
});

test("many lines are loaded without keeping them", () => {
  function* chunks(): Iterable<Uint8Array> {
    for (let n = 0; n < 20_000; n++) yield new TextEncoder().encode(`{"Note": {"text": "n${n}"}}\n`);
  }
  const rules = 'type Note(text: string)\nrule r { when n: Note(text == "n19999") then log(n.text) }\n';
  const ran = runCli(["run", "m.tsd", "--facts", "f.ndjson"], { "m.tsd": rules }, { chunks });
  expect(ran.out).toContain("20000 facts now");
  expect(ran.out).toContain("n19999");
});

// ---------------------------------------------------------------- mistakes

test("all mistakes of all files are reported at once, in order, and nothing is loaded", () => {
  const json = `{"Person": [
  {"id": "a", "name": 7, "agee": 30, "tags": ["x", 1]},
  {"id": "b", "age": 1},
  {"id": "p0", "name": "Again", "age": 2}
], "Persn": []}`;
  const ndjson = '{"Note": {"text": "x", "text": "y"}}\n{"Verdict": {}}\n{"Note": {"text": "fine"}}\n';
  expect(mistakes({ "f.json": json, "g.ndjson": ndjson })).toEqual([
    "f.json:2:23 E407 Person.name must be string, found number ()",
    'f.json:2:26 E401 Person has no field "agee" (did you mean "age"?)',
    "f.json:2:46 E407 Person.tags must be string, found number ()",
    'f.json:3:3 E402 Person is missing the required field "name" (add a value, or declare the field optional (?) or with a default)',
    "f.json:4:3 E410 duplicate key: Person p0 already exists (the other fact is at m.tsd:4:1; change one of the keys, or remove one fact)",
    'f.json:5:4 E201 unknown type "Persn" (did you mean "Person"?)',
    'g.ndjson:1:24 E404 duplicate field "text" (remove one of them)',
    "g.ndjson:2:2 E214 facts of type Verdict are written by the engine (rules can match them but not change them)",
  ]);
});

test("a key that two files have is reported with the other place", () => {
  const person = '{"Person": {"id": "a", "name": "A", "age": 1}}\n';
  expect(mistakes({ "f.ndjson": `\n${person}`, "Person.csv": "id,name,age\na,B,2\n" })).toEqual([
    "Person.csv:2:1 E410 duplicate key: Person a already exists (the other fact is at f.ndjson:2:12; change one of the keys, or remove one fact)",
  ]);
});

test.each([
  ['{"Note": {"text": "a"},}', '1:24 E100 unexpected "}" (remove the comma after the last entry)'],
  ['{"Note": [{"text": "a"}, ]}', '1:26 E100 unexpected "]" (remove the comma after the last item)'],
  ['{"Note": {"text" "a"}}', '1:18 E100 unexpected "a" (expected ":" and a value)'],
  ['{"Note": {"text": "a" "b": 1}}', '1:23 E100 unexpected "b" (expected "," or "}")'],
  ["{'Note': 1}", `1:2 E100 unexpected "'" (use double quotes)`],
  ["{Note: 1}", '1:2 E100 unexpected "Note" (put names in double quotes)'],
  ['// facts\n{"Note": 1}', '1:1 E100 unexpected "/" (remove the comment: JSON has none)'],
  ['{"Note": {"text": None}}', '1:19 E100 unexpected "None" (write null for a missing value)'],
  ['{"Note": {"text": True}}', '1:19 E100 unexpected "True" (write true)'],
  ['{"Note": {"text": .5}}', /^1:19 E100 ".5" is not a JSON number/u],
  ['{"Note": {"text": 01}}', /^1:19 E100 "01" is not a JSON number/u],
  ['{"Note": {"text": "a\\qb"}}', /^1:21 E100 invalid escape "\\q"/u],
  ['{"Note": {"text": "a\tb"}}', "1:21 E100 unexpected control character U+0009 in a string (write it as \\t)"],
  ['{"Note": {"text": "a\nb"}}', /^1:19 E102 unclosed string/u],
  ['{"Note": [\n  {"text": "a"}\n', '2:15 E101 unexpected end of file ("[" on line 1 is not closed)'],
  ["", "1:1 E101 unexpected end of file (expected a value)"],
  [
    '{"Note": []} x',
    '1:14 E100 unexpected "x" (a JSON file has one value; use NDJSON (.ndjson) for one object per line)',
  ],
  ["[]", '1:1 E100 unexpected list (group facts by type, for example {"Person": [{"id": "p1"}]})'],
  ['{"Note": 7}', '1:10 E407 expected an object with the fields of Note (for example {"Note": [{"name": "Ann"}]})'],
  ['{"Badge": {"no": 9007199254740993}}', /^1:18 E111 the number 9007199254740993 cannot be stored exactly/u],
  ['{"Badge": {"no": -1e400}}', "1:18 E110 the number -1e400 is too large (the largest number is about 1.8e308)"],
  ['{"Badge": {"no": NaN}}', /^1:18 E405 "NaN" is not a finite number/u],
  ['{"Badge": {"no": -Infinity}}', /^1:18 E405 "-Infinity" is not a finite number/u],
  ['{"Note": {"text": "\\ud800"}}', /^1:19 E406 Note.text contains an unpaired surrogate/u],
  ['{"Note": {"text": "a", "__proto__": 1}}', /^1:24 E403 "__proto__" is a reserved field name/u],
  [
    `{"Note": {"text": ${"[".repeat(33)}${"]".repeat(33)}}}`,
    "1:51 E301 nested more than 32 levels deep (flatten the value)",
  ],
  ["[".repeat(1_000_000), "1:34 E301 nested more than 32 levels deep (flatten the value)"],
])("in JSON, mistake %# is reported with its place and in plain words", (json, message) => {
  const [only, ...more] = mistakes({ "f.json": json });
  expect(more).toEqual([]);
  const text = only?.replace("f.json:", "");
  if (typeof message === "string") expect(text).toBe(message);
  else expect(text).toMatch(message);
});

test("a broken line of NDJSON does not hide the next", () => {
  expect(mistakes({ "f.ndjson": '{"Note": {"text": "a"}\n{"Note": {"text": 1}}\n' })).toEqual([
    'f.ndjson:1:22 E101 unexpected end of line ("{" is not closed)',
    "f.ndjson:2:19 E407 Note.text must be string, found number ()",
  ]);
});

test("mistakes in CSV are reported at their cells", () => {
  const csv = `id,name,age,tags
a,Ann,abc,
b,Ben,1
c,Cat,2,,more
d,"x"y,3,
e,f"g,3,
h,Hal,12345678901234567890,"[1,"
i,,4,
"j,Jo,5,
`;
  expect(mistakes({ "Person.csv": csv }).map((line) => line.replace(/ \(.*$/u, ""))).toEqual([
    "Person.csv:2:7 E407 Person.age must be number, found string",
    "Person.csv:3:1 E402 the row has 3 cells, the header has 4",
    "Person.csv:4:10 E401 the row has 5 cells, the header has 4",
    'Person.csv:5:6 E100 unexpected "y" after a closing quote',
    "Person.csv:6:4 E100 unexpected quote in a cell",
    "Person.csv:7:7 E111 the number 12345678901234567890 cannot be stored exactly",
    "Person.csv:7:28 E101 unexpected end of cell",
    'Person.csv:8:1 E402 Person is missing the required field "name"',
    "Person.csv:9:1 E102 unclosed quote",
  ]);
});

test("a wrong header is reported once, not for every row", () => {
  expect(mistakes({ "Person.csv": "id,nam,age,age\na,b,1,2\nc,d,1,2\n", "Note.csv": "\n\nx\n" })).toHaveLength(3);
  expect(mistakes({ "Person.csv": "id,name\na,b\nc,d\n" })).toEqual([
    'Person.csv:1:1 E402 the header has no column for the required field "age" (add a column, or declare the field optional (?) or with a default)',
  ]);
  expect(mistakes({ "People.csv": "id,name\na,b\n" })).toEqual(['People.csv:1:1 E201 unknown type "People" ()']);
});

test("a byte that is not UTF-8 is reported with its line and column, and what comes before is read", () => {
  const latin1 = new Uint8Array([
    ...new TextEncoder().encode('{"Note": {"txt": "a"}}\n{"Note": "Zo'),
    0xeb,
    0x22,
    0x7d,
  ]);
  expect(mistakes({ "f.ndjson": latin1 })).toEqual([
    'f.ndjson:1:11 E401 Note has no field "txt" (did you mean "text"?)',
    "f.ndjson:2:13 E104 byte 13 of the line (0xEB) is not UTF-8 (save the file as UTF-8)",
  ]);
  expect(mistakes({ "f.json": new Uint8Array([0xff, 0xfe, 0x7b, 0]) })).toEqual([
    "f.json:1:1 E104 byte 1 of the line (0xFF) is not UTF-8; this looks like UTF-16 (save the file as UTF-8)",
  ]);
});

test("a mistake is shown with its line", () => {
  const files = { "m.tsd": MODEL, "f.ndjson": '{"Note": {"text": "a"}}\n{"Note": {"txt": "b"}}\n' };
  const ran = runCli(["run", "m.tsd", "--facts", "f.ndjson"], files);
  expect(ran).toMatchObject({ exit: 1, out: "" });
  expect(ran.err).toBe(`f.ndjson:2:11  error E401  Note has no field "txt"
    2 | {"Note": {"txt": "b"}}
      |           ^^^^^ did you mean "text"?
1 error in the facts; nothing was run
`);
});

test("a file that cannot be read is E701 and ends in 2", () => {
  const ran = runCli(["run", "m.tsd", "--facts", "nowhere.json"], { "m.tsd": MODEL });
  expect(ran).toMatchObject({ exit: 2, out: "" });
  expect(ran.err).toContain("nowhere.json:1:1  error E701  cannot read the file: no such file");
});
