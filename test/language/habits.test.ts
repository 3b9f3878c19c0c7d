/**
 * What people write who know other languages: each slip is one error at its place, with a hint that says how it is written here,
 * and what the hint says is a program without errors.
 */
import { describe, expect, test } from "vitest";
import { check } from "../../src/index.ts";

const TYPES = `
record Line(sku: string, qty: number)
type Order(#id: string, total: number, qty: number, paid: bool, lines: Line[], tags: string[], at: instant?, due: date?)
type Host(#id: string)
`;

/** A slip, its hint, and what the hint says. */
type Slip = readonly [written: string, hint: string, right: string];

function saidOf(source: string): string[] {
  return check(TYPES + source, { read: () => "const y = 1" })
    .diagnostics.filter((one) => one.severity === "error")
    .map(({ code, hint = "" }) => `${code}: ${hint}`);
}

function expectSlip([written, hint, right]: Slip, around: (part: string) => string): void {
  const said = saidOf(around(written));
  expect(said).toEqual([expect.stringMatching(/^E\d{3}: /u)]);
  expect(said[0]?.replace(/^E\d{3}: /u, "")).toBe(hint);
  expect(saidOf(around(right))).toEqual([]);
}

const NO_LOOPS =
  "there are no loops: write x in list as an element, any(x in list : test), all(x in list : test) or [value for x in list]";

describe("among the elements of a rule", () => {
  test.each<Slip>([
    ["let x := 1 where x > 0", 'write "="', "let x = 1 where x > 0"],
    [
      "let x = if o.paid then 1 where x > 0",
      "add the other side: if … then … else …",
      "let x = if o.paid then 1 else 2 where x > 0",
    ],
    [
      "let x = if (o.paid) then 1 let y = x",
      "add the other side: if … then … else …",
      "let x = if (o.paid) then 1 else 2 let y = x",
    ],
    ["let x = o.paid ? 1 : 2", 'write "if … then … else …"', "let x = if o.paid then 1 else 2"],
    [
      "let x = if o.paid then 1 elseif o.qty > 1 then 2 else 3",
      'write "else if"',
      "let x = if o.paid then 1 else if o.qty > 1 then 2 else 3",
    ],
    [
      "let x = if o.paid then 1 elif o.qty > 1 then 2 else 3",
      'write "else if"',
      "let x = if o.paid then 1 else if o.qty > 1 then 2 else 3",
    ],
    ["let x = if o.paid then 1 esle 2", 'did you mean "else"?', "let x = if o.paid then 1 else 2"],
    [
      "let x = if o.paid { 1 } else { 2 }",
      'write "if … then … else …", without braces',
      "let x = if o.paid then 1 else 2",
    ],
    [
      "let x = case when o.paid then 1 else 2 end",
      'write "if … then … else …", or a decision table',
      "let x = if o.paid then 1 else 2",
    ],
    ["let x = if(o.paid, 1, 2)", "write if … then … else …", "let x = if o.paid then 1 else 2"],
    ["where (o.qty ?? 0) > 5", "write coalesce(o.qty, 0)", "where coalesce(o.qty, 0) > 5"],
    [
      'where o.lines[0]?.sku == "a"',
      'leave out the "?": a path is unknown where a part of it is missing',
      'where o.lines[0].sku == "a"',
    ],
    ["where o.qty ** 2 > 5", "write pow(o.qty, 2)", "where pow(o.qty, 2) > 5"],
    ["where o.qty ^ 2 > 5", "write pow(o.qty, 2)", "where pow(o.qty, 2) > 5"],
    ["where o.qty === 2", 'write "=="', "where o.qty == 2"],
    ["where o.qty !== 2", 'write "!="', "where o.qty != 2"],
    ["where o.qty <> 2", 'write "!="', "where o.qty != 2"],
    ["where o.qty between 1 and 5", "write: o.qty in 1..5", "where o.qty in 1..5"],
    ["where (o.qty between 1 and 5)", "write: o.qty in 1..5", "where (o.qty in 1..5)"],
    ["where o.qty in 1...5", 'write ".."', "where o.qty in 1..5"],
    ["where o.qty in (1..5)", "leave out the parentheses: in 1..5", "where o.qty in 1..5"],
    ["where o.at == null", "to test whether a value is missing, write: x is missing", "where o.at is missing"],
    ["where o.at != undefined", "to test whether a value is missing, write: x is missing", "where o.at is present"],
    ["where o.at is null", 'write "is missing"', "where o.at is missing"],
    ["where o.at is not null", 'write "is present"', "where o.at is present"],
    ["where o.at is not missing", 'write "is present"', "where o.at is present"],
    ["where o.at is not present", 'write "is missing"', "where o.at is missing"],
    ["where o.paid is true", 'write "=="', "where o.paid == true"],
    ["where o.qty gt 5", 'write ">"', "where o.qty > 5"],
    ["where (o.qty mod 5) == 1", 'write "%"', "where (o.qty % 5) == 1"],
    ['where o.tags includes "a"', 'write "contains"', 'where o.tags contains "a"'],
    [
      "where o.paid xor o.qty > 1",
      "write (a or b) and not (a and b)",
      "where (o.paid or o.qty > 1) and not (o.paid and o.qty > 1)",
    ],
    ["where o.total > 10%", 'write 0.1 instead of 10%: "%" is the remainder of a division', "where o.total > 0.1"],
    ["where (o.total > 10%)", 'write 0.1: "%" is the remainder of a division', "where (o.total > 0.1)"],
    ["where o.total >", 'a value is missing between ">" and "then"', "where o.total > 1"],
    ["where o.total > 1_000", "write 1000", "where o.total > 1000"],
    ["where (o.total > 1_000)", "write 1000", "where (o.total > 1000)"],
    ["where o.at < now()", "write now, without parentheses", "where o.at < now"],
    ["where o.due < today()", "write today, without parentheses", "where o.due < today"],
    ['where o.due < date("2026-01-31")', "write @2026-01-31", "where o.due < @2026-01-31"],
    ["where o.due < date(o.id)", "write parse_date(o.id)", "where o.due < parse_date(o.id)"],
    ['where o.due < "2026-01-31"', "write @2026-01-31", "where o.due < @2026-01-31"],
    ["where o.due < 2026-01-31", "write @2026-01-31", "where o.due < @2026-01-31"],
    ['where o.at < "2026-01-31T10:00:00Z"', "write @2026-01-31T10:00:00Z", "where o.at < @2026-01-31T10:00:00Z"],
    ["where o.at < 10 minutes ago", "write now - 10 minutes", "where o.at < now - 10 minutes"],
    ["where (o.at < 10 minutes ago)", "write now - 10 minutes", "where (o.at < now - 10 minutes)"],
    ["where o.due < 2 days ago", "write now - 2 days; for a date, today - 2 days", "where o.due < today - 2 days"],
    ["where o.at < 10 minutes from now", "write now + 10 minutes", "where o.at < now + 10 minutes"],
    ["where now - o.at > 10m", "write 10 min", "where now - o.at > 10 min"],
    ["where now - o.at > 1d", "write 1 day", "where now - o.at > 1 day"],
    ["where now - o.at > 10 mins", "write 10 min", "where now - o.at > 10 min"],
    ["where (now - o.at > 2 hrs)", "write 2 h", "where (now - o.at > 2 h)"],
    ['where now - o.at > duration("PT10M")', "write a duration such as 15 min", "where now - o.at > 15 min"],
    [
      "where o.due + 1 month 2 days > @2026-01-01",
      "add them: 1 month + 2 days",
      "where o.due + 1 month + 2 days > @2026-01-01",
    ],
    ["where o.due.year > 2020", "write year(o.due)", "where year(o.due) > 2020"],
    ["for l in o.lines", NO_LOOPS, "l in o.lines where l.qty > 1"],
    ['exists t in o.tags where t == "a"', "put it in parentheses: exists (t in …)", "exists (t in o.tags)"],
    [
      'where any(t in o.tags where t == "a")',
      'write ":" before the test of the items: any(t in o.tags : …)',
      'where any(t in o.tags : t == "a")',
    ],
    [
      'where all(t in o.tags, t == "a")',
      'to test the items of the list write ":" before the test: all(t in o.tags : …)',
      'where all(t in o.tags : t == "a")',
    ],
    ['where exists t in o.tags : t == "a"', "write any(t in … : …)", 'where any(t in o.tags : t == "a")'],
    ['forall t in o.tags : t == "a"', "write all(t in … : …)", 'where all(t in o.tags : t == "a")'],
    ["where o.tags.length > 2", "write count(o.tags)", "where count(o.tags) > 2"],
    ["where o.tags.size() > 2", "write count(o.tags)", "where count(o.tags) > 2"],
    ["where o.id.length > 2", "write length(o.id)", "where length(o.id) > 2"],
    ["where len(o.tags) > 2", "write count(o.tags)", "where count(o.tags) > 2"],
    ["where length(o.tags) > 2", "write count(o.tags)", "where count(o.tags) > 2"],
    ["where count(o.id) > 2", "write length(o.id)", "where length(o.id) > 2"],
    ['where o.tags.includes("a")', 'write o.tags contains "a"', 'where o.tags contains "a"'],
    ['where o.id.startsWith("a")', 'write starts(o.id, "a")', 'where starts(o.id, "a")'],
    ['where o.id.toLowerCase() == "a"', "write lower(o.id)", 'where lower(o.id) == "a"'],
    ["where o.getTotal() > 1", "write o.total", "where o.total > 1"],
    ["where Math.round(o.total) > 1", "write round(o.total)", "where round(o.total) > 1"],
    ["let x = o.lines.map(l => l.qty)", "write [l.qty for l in o.lines]", "let x = [l.qty for l in o.lines]"],
    [
      "let x = o.lines.filter(l => l.qty === 1)",
      "write [l for l in o.lines if l.qty == 1]",
      "let x = [l for l in o.lines if l.qty == 1]",
    ],
    ["let x = o.lines.map(l -> l.qty)", "write [l.qty for l in o.lines]", "let x = [l.qty for l in o.lines]"],
    [
      "where o.lines.some((l) => l.qty > 1)",
      "write any(x in o.lines : l.qty > 1)",
      "where any(l in o.lines : l.qty > 1)",
    ],
    [
      "let x = sum(l.qty for l in o.lines)",
      "put it in brackets: [l.qty for l in …]",
      "let x = sum([l.qty for l in o.lines])",
    ],
    ["let x = o.tags[0:2]", "write slice(o.tags, 0, 2)", "let x = slice(o.tags, 0, 2)"],
    ["let x = o.tags[1:]", "write slice(o.tags, 1)", "let x = slice(o.tags, 1)"],
    [
      "where count(Host) > 1",
      "Host is a type: for its facts write COUNT(h: Host) or exists Host(…)",
      "where COUNT(h: Host) > 1",
    ],
    ["where $o.total > 1", 'leave out the "$": o', "where o.total > 1"],
    ['h: Host(id: "a")', 'write "==" to compare: id == "a"', 'h: Host(id == "a")'],
    ["h: Host h.id == o.id", 'write "where" before a test: where h.id == o', "h: Host where h.id == o.id"],
    [
      "where o.qty > 1, o.total > 1",
      'write "where" before a test: where o.total > 1',
      "where o.qty > 1, where o.total > 1",
    ],
    [
      "h: Host (a: Host(id == o.id) or b: Host(id == h.id))",
      'put a comma after "Host": what is in "(" belongs to it',
      "h: Host, (a: Host(id == o.id) or b: Host(id == h.id))",
    ],
    ["Host(id == o.id) as h", "write the name first: h: …", "h: Host(id == o.id)"],
    ["Host h", "write the name first: h: Host", "h: Host"],
    ["unless o.paid", "write where not (…)", "where not (o.paid)"],
    ["accumulate(h: Host(); n: count(h))", "write s: sum(o.total) from o: Order(…)", "n: count() from h: Host()"],
    [
      "s: sum(x.total) from x: Order(x.id != o.id) where s => 5",
      'write ">="',
      "s: sum(x.total) from x: Order(x.id != o.id) where s >= 5",
    ],
    [
      "where TOP(x: Order / ; 3, x.total by x.total) contains 1",
      'leave out the "/": it stands before a test',
      "where TOP(x: Order ; 3, x.total by x.total) contains 1",
    ],
    ["where COUNT(x: Order / ) > 1", 'leave out the "/": it stands before a test', "where COUNT(x: Order) > 1"],
    ["where max(o.total; 1) > 1", 'write ","', "where max(o.total, 1) > 1"],
  ])("%s", (...slip) => expectSlip(slip, (part) => `rule r { when o: Order ${part} then log(o.id) }`));
});

describe("among the actions", () => {
  test.each<Slip>([
    ["o.qty++", "write: o.qty = o.qty + 1", "o.qty = o.qty + 1"],
    ["o.qty += 2", "write: o.qty = o.qty + 2", "o.qty = o.qty + 2"],
    ["o.qty := 2", 'write "="', "o.qty = 2"],
    ["o.qty == 2", 'one "=" sets a field', "o.qty = 2"],
    ["set o.qty = 2", 'leave out "set"', "o.qty = 2"],
    ["delete o", "write retract o", "retract o"],
    ["modify(o) { qty = 2 }", "write update(x, {field: value})", "update(o, {qty: 2})"],
    ["if o.qty > 1 then log(1)", 'actions have no "if": write the test in "when", in a rule of its own', "log(1)"],
    ["if (o.qty > 1) { log(1) }", 'actions have no "if": write the test in "when", in a rule of its own', "log(1)"],
    ["log(1) else log(2)", 'a rule has no "else": write a second rule with the opposite test', "log(1)"],
    ["for (t in o.tags) { log(t) }", NO_LOOPS, "log(o.tags)"],
    ["for t of o.tags { log(t) }", NO_LOOPS, "log(o.tags)"],
    ['insert Host {id: "x"}', "write the fields in parentheses: Host(…)", 'insert Host(id: "x")'],
    ['insert new Host(id: "x")', 'leave out "new"', 'insert Host(id: "x")'],
    ["log(`order ${o.id}`)", 'write a template as $"… {name} …"', 'log($"order {o.id}")'],
    ['log(f"order {o.id}")', 'write a template as $"… {name} …"', 'log($"order {o.id}")'],
    ["log($'order {o.id}')", 'write a template in double quotes: $"… {name} …"', 'log($"order {o.id}")'],
    ['log("order " .. o.id)', 'join strings with "+"', 'log("order " + o.id)'],
    ["log(${o.id})", "write the name alone: o.id", "log(o.id)"],
  ])("%s", (...slip) => expectSlip(slip, (part) => `rule r { when o: Order then ${part} }`));
});

describe("statements", () => {
  const VALUE = 'write the value after "=": function f(x: number): number = …';
  const A_FUNCTION = "write function f(x: number): number = …";
  const A_TYPE = "write type X(field: string) for facts, or record X(field: string) for values inside facts";

  test.each<Slip>([
    ["function f(x) { return x }", "a parameter has a type: x: number", "function f(x: number): number = x"],
    ["function f(x: number): number { return x }", VALUE, "function f(x: number): number = x"],
    ["function f(x: number) { return x }", VALUE, "function f(x: number): number = x"],
    [
      "function f(x: number) = x",
      "say which type it gives: function f(x: number): number = …",
      "function f(x: number): number = x",
    ],
    ["function f(x: number): number => x", 'write "=" alone', "function f(x: number): number = x"],
    [
      "function f(x: number) -> number = x",
      'write ":" before the type of the result',
      "function f(x: number): number = x",
    ],
    ["def f(x): x", A_FUNCTION, "function f(x: number): number = x"],
    [
      "const f = (x) => x",
      "a function has a name and types: function f(x: number): number = …",
      "function f(x: number): number = x",
    ],
    ["const x: number = 1", "a constant has no type: const x = …", "const x = 1"],
    ["const x := 1", 'write "="', "const x = 1"],
    [
      "let x = 1",
      '"let" stands inside a rule, a condition or a gate: write const for the whole program',
      "const x = 1",
    ],
    ["var x = 1", "write const x = …", "const x = 1"],
    ['import { x } from "y"', 'write import "y.tsd"', 'import "y.tsd"'],
    ['import * as y from "./y.ts"', 'write import "./y.tsd" as y', 'import "./y.tsd" as y'],
    ['import x from "y.tsd"', 'write import "y.tsd" as x', 'import "y.tsd" as x'],
    ["import y", 'put the file name in quotes: import "other.tsd"', 'import "y.tsd"'],
    ['require("y.tsd")', 'write import "file.tsd"', 'import "y.tsd"'],
    ["enum Color { RED, GREEN }", 'write type X = "a" | "b"', 'type Color = "RED" | "GREEN"'],
    ["class Thing { sku: string }", A_TYPE, "type Thing(sku: string)"],
    ["type Thing { sku: string }", "write the fields in parentheses: type Thing(…)", "type Thing(sku: string)"],
    ["record Thing { sku: string }", "write the fields in parentheses: record Thing(…)", "record Thing(sku: string)"],
    ['Host { id: "a" }', "write the fields in parentheses: Host(…)", 'Host(id: "a")'],
    ["type Thing(a?: string)", 'write the "?" after the type: a: string?', "type Thing(a: string?)"],
    ["type Thing(a: list<string>)", "write string[]", "type Thing(a: string[])"],
    ["type Thing(a: Array<string>)", "write string[]", "type Thing(a: string[])"],
    ["type Thing(a: [string])", "write string[]", "type Thing(a: string[])"],
    ["type Thing(a: Map<string, number>)", "write any, or declare a record for it", "type Thing(a: any)"],
    ["type Thing(a: optional<string>)", "write string?", "type Thing(a: string?)"],
    ["type Thing(a: string | null)", "write string?", "type Thing(a: string?)"],
    ["type Thing(a: string | number)", 'only strings or numbers can be alternatives: "a" | "b"', "type Thing(a: any)"],
    ["type Thing(a: {b: string})", "declare a record: record X(field: string)", "record X(b: string) type Thing(a: X)"],
    ["type Thing(a: int)", "write number", "type Thing(a: number)"],
    ["type Thing(a: Date)", "write date for a day, or instant for a moment", "type Thing(a: date)"],
    ["type Thing(a: datetime)", "write instant", "type Thing(a: instant)"],
    [
      "protected record Thing(a: string)",
      "only a type is protected: protected type X(…)",
      "protected type Thing(a: string)",
    ],
    ["option strategy = depth", 'leave out "=": option strategy depth', "option strategy depth"],
    ["option strategy: depth", 'leave out ":": option strategy depth', "option strategy depth"],
    ["option zone Europe/Paris", 'put it in quotes: "Europe/Paris"', 'option zone "Europe/Paris"'],
    ["export const x = 1", 'leave out "export": only "private" hides a name', "const x = 1"],
    ["-- a comment", 'start a comment with "//"', "// a comment"],
    ["const x = 1;", 'no separator is needed here: remove the ";"', "const x = 1"],
    [
      "when o: Order then log(o.id)",
      'write rule "name" { when … then … }',
      'rule "a" { when o: Order then log(o.id) }',
    ],
  ])("%s", (...slip) => expectSlip(slip, (part) => part));

  test.each([
    ["'single quotes'", "rule 'a' { when o: Order(id == 'x') then log('y') }"],
    ["&&, || and !", 'rule "a" { when o: Order(qty > 1 && !paid || qty > 5) then log(o.id) }'],
    ["a string type in capitals", "type Thing(a: String, b: Number, c: Boolean)"],
    ["a zone that is one word", "option zone UTC"],
    ["TRUE", 'rule "a" { when o: Order(paid == TRUE) then log(o.id) }'],
  ])("%s are read", (_, written) => expect(saidOf(written)).toEqual([]));
});

const EXISTS_OF_SEVERAL = "in a test write exists v: Type(test), or for several facts exists (a: A, b: B / test)";

describe("tests that ask whether facts exist", () => {
  test.each<Slip>([
    [
      "exists (o: Order(paid) h: Host(id == o.id))",
      EXISTS_OF_SEVERAL,
      "exists (o: Order, h: Host / o.paid and h.id == o.id)",
    ],
    ["exists (o: Order(paid))", EXISTS_OF_SEVERAL, "exists o: Order(paid)"],
    ["exists (Order(paid))", EXISTS_OF_SEVERAL, "exists Order(paid)"],
    ["not exists (o: Order, h: Host(id == o.id))", EXISTS_OF_SEVERAL, "not exists (o: Order, h: Host / h.id == o.id)"],
  ])("%s", (...slip) => {
    expectSlip(slip, (part) => `condition c : ${part}`);
  });
});

describe("checks of a guardian", () => {
  test.each<Slip>([
    [
      'check c { need o.paid as "unpaid" do DENY_ACCESS when o.qty > 1 }',
      'write "when" directly after the test of the line, before "as", "says" and "do"',
      'check c { need o.paid when o.qty > 1 as "unpaid" do DENY_ACCESS }',
    ],
    [
      'check c { need o.paid as "unpaid" unless o.qty > 1 do DENY_ACCESS }',
      'write "unless" directly after the test of the line, before "as", "says" and "do"',
      'check c { need o.paid unless o.qty > 1 as "unpaid" do DENY_ACCESS }',
    ],
    [
      'check c { when o.qty > 1 need o.paid as "unpaid" do DENY_ACCESS }',
      'write "when" before the "{" of the check, or after the test of a line',
      'check c when o.qty > 1 { need o.paid as "unpaid" do DENY_ACCESS }',
    ],
  ])("%s", (...slip) => {
    expectSlip(slip, (part) => `guardian "g" for o: Order { ${part} }`);
  });
});

describe("let where no name can be given", () => {
  const AMONG = 'write "let" among the elements of "when", or among the actions after "then"';
  const IN_GUARDIAN = 'write "let" before the checks, or in a check before its lines';
  const line = 'need x > 1 as "low" do RETRIEVE_DB';

  test.each<Slip>([
    ["rule r { let x = 1 when o: Order then log(x) }", AMONG, "rule r { when o: Order let x = 1 then log(x) }"],
    [
      "rule r : {o: Order} / let x = o.total x > 1 ==> log(o.id)",
      'the slash form has no "let" in its condition: write the value itself, or the block form, when … let x = …',
      "rule r { when o: Order let x = o.total where x > 1 then log(o.id) }",
    ],
    [
      "gate g for o: Order { require let x = o.total x > 1 }",
      'write "let" before "require"',
      "gate g for o: Order { let x = o.total require x > 1 }",
    ],
    [
      `guardian g for o: Order { check c { ${line.replace("do", "do let x = 1")} } }`,
      IN_GUARDIAN,
      `guardian g for o: Order { let x = o.total check c { ${line} } }`,
    ],
    [
      `guardian g for o: Order { check c { ${line.replace("x >", "o.qty >")} let x = 1 ${line} } }`,
      IN_GUARDIAN,
      `guardian g for o: Order { check c { let x = o.total ${line} } }`,
    ],
    [
      `guardian g for o: Order { check c { ${line.replace("x >", "o.qty >")} } let x = 1 }`,
      IN_GUARDIAN,
      `guardian g for o: Order { let x = o.total check c { ${line} } }`,
    ],
    [
      "condition c(o: Order) : let x = o.total from p: Order(p.id == o.id)",
      'a test follows "let": let x = … where … from …',
      "condition c(o: Order) : let x = o.total where x > 1 from p: Order(p.id == o.id)",
    ],
    [
      "condition c(o: Order) : where o.total > 1",
      'leave "where" out: in a condition it follows "let"',
      "condition c(o: Order) : o.total > 1",
    ],
  ])("%s", (...slip) => expectSlip(slip, (part) => part));
});

describe("a forgotten comma", () => {
  test.each([
    ['Order(id: "a" total: 1)', ")"],
    ["type T(a: number b: number)", ")"],
    ["const c = {a: 1 b: 2}", "}"],
    ["rule r { when o: Order then update(o, {total: 1 qty: 2}) }", "}"],
    ["const c = [1 2]", "]"],
    ["rule r { when o: Order then log(o.id o.qty) }", ")"],
    ["rule r { when o: Order(total > 1 qty > 2) then log(o.id) }", ")"],
    ["function f(a: number b: number): number = a + b", ")"],
  ])("%s", (written, closer) => {
    expect(saidOf(written)).toEqual([`E100: missing "," or "${closer}" before it`]);
  });

  test("is not said of blocks, whose parts have none", () => {
    expect(saidOf("gate g { require true x }")).toEqual([expect.not.stringContaining("missing")]);
  });
});

describe("statements that are not built", () => {
  test.each([
    ["partition Order by id", "leave it out: a program runs on all facts of its session"],
    ["partition Order broadcast", "leave it out: a program runs on all facts of its session"],
    ["type P(@at: instant) expires 1 h late 2 hours", expect.stringContaining("counts at its own time")],
  ])("%s", (written, hint) => {
    const [error, ...others] = check(TYPES + written).diagnostics.filter((one) => one.severity === "error");
    expect([error?.code, error?.hint, others]).toEqual(["E100", hint, []]);
  });
});
