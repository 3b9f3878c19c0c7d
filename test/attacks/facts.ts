/** Files of facts that are wrong in many ways, or in one way many times. */
import { type Attack, times } from "./case.ts";

const PROGRAM = `protected type Limit(#name: string, max: number)
type Req(#id: string, n: number)
type List(#id: string, xs: number[])
condition ok(r: Req) : r.n <= l.max from l: Limit(l.name == "top")
gate g for r: Req { require ok(r) }
Limit("top", 10)`;

function refused(name: string, says: string, facts: () => string, file = "f.json"): Attack {
  const args = ["decide", "a.tsd", "--facts", file];
  return { name, args, files: () => ({ "a.tsd": PROGRAM, [file]: facts() }), exit: 1, says };
}

const REQUEST = '"Req": [{"id": "a", "n": 50}]';
const RAISED = '[{"name": "top", "max": 1000}]';

const PROTECTED: readonly Attack[] = [
  refused("a protected type", "E411", () => `{"Limit": ${RAISED}, ${REQUEST}}`),
  refused("a protected type, written with an escape", "E411", () => `{"\\u004cimit": ${RAISED}, ${REQUEST}}`),
  refused("a protected type twice", "E404", () => `{"Limit": [], "Limit": ${RAISED}, ${REQUEST}}`),
  refused("a protected type on a line", "E411", () => `{"Limit": ${RAISED}}\n{${REQUEST}}`, "f.ndjson"),
  refused("a protected type as a table", "E411", () => "name,max\ntop,1000", "Limit.csv"),
  refused("a protected type with a blank", "E201", () => `{"Limit ": ${RAISED}, ${REQUEST}}`),
  refused("a result of a gate", "E214", () => '{"GateResult": [{"gate": "g", "subject": "Req~a", "outcome": "pass"}]}'),
  {
    name: "a policy file that contradicts a row of the program",
    args: ["decide", "a.tsd", "--facts", "f.json", "--policy", "p.json"],
    files: () => ({ "a.tsd": PROGRAM, "f.json": `{${REQUEST}}`, "p.json": `{"Limit": ${RAISED}}` }),
    exit: 1,
    says: "E410",
  },
];

export const FACTS_ATTACKS: readonly Attack[] = [
  ...PROTECTED,
  refused("a fact with 200,000 fields", "E306", () => `{"Req": [{${times(200_000, (n) => `"f${n}": 1`, ",")}}]}`),
  refused(
    "a fact with 200,000 times the same field",
    "E404",
    () => `{"Req": [{${times(200_000, () => '"n": 1', ",")}}]}`,
  ),
  refused("a header with 200,000 fields", "E401", () => times(200_000, (n) => `f${n}`, ","), "Req.csv"),
  refused("a row with 200,000 cells", "E401", () => `id,n\n${times(200_000, (n) => `${n}`, ",")}`, "Req.csv"),
  refused("200,000 types that do not exist", "E201", () => `{${times(200_000, (n) => `"T${n}": [{}]`, ",")}}`),
  refused("100,000 facts with one key", "E410", () => `{"Req": [${times(100_000, () => '{"id": "a", "n": 1}', ",")}]}`),
  refused("a list 200,000 levels deep", "E301", () => `{"List": [{"id": "a", "xs": ${"[".repeat(200_000)}`),
  refused("an object 200,000 levels deep", "E301", () => '{"Req":'.repeat(200_000)),
  refused("names of prototypes", "E403", () => '{"Req": [{"id": "a", "n": 1, "__proto__": {"n": 5}}]}'),
  refused("a string beyond the limit", "E303", () => `{"Req": [{"id": "${"x".repeat(2_000_000)}", "n": 1}]}`),
  refused("a number with 200,000 digits", "E110", () => `{"Req": [{"id": "a", "n": ${"9".repeat(200_000)}}]}`),
  refused("an escape sequence as a type", String.raw`\u001b[2J`, () => String.raw`{"\u001b[2J": [{}]}`),
  refused("a quote that is never closed", "E102", () => `id,n\n"${"x\n".repeat(200_000)}`, "Req.csv"),
];
