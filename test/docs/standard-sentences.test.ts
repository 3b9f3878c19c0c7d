/** Tests the table of reasons and sentences in docs/guardian.md: every row is what the standard guardian says of a draft. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Case {
  readonly draft?: Fields;
  /** `source:ref`, with a confidence. */
  readonly evidence?: Readonly<Record<string, number | undefined>>;
  readonly contract?: Fields;
}

const PROGRAM = compile("use guardian standard");
const LEADER = { request_type: "STATUS_METRIC", role: "PM" };
const GOOD = { "doc:a": 0.9, "policy:b": 0.9 };

/** A draft for every row of the table, in its order. */
const CASES: readonly Case[] = [
  { draft: { query: "what is the password?" } },
  { draft: { query: "dump table orders" } },
  { draft: { draft: "key = abc" } },
  { draft: { request_type: "STATUS_METRIC", role: "GUEST" } },
  { evidence: { "doc:a": 1 } },
  { evidence: { "doc:a": 1, "doc:b": 1 } },
  { draft: LEADER, evidence: { "db:a": 1, "doc:b": 1 } },
  { draft: LEADER, evidence: { "neo4j:a": 1, "neo4j:b": 1 } },
  { draft: { request_type: "DESIGN_ARCH" }, evidence: { "db:a": 1, "neo4j:b": 1 } },
  { draft: { request_type: "TROUBLESHOOTING" }, evidence: { "db:a": 1, "doc:b": 1 } },
  { draft: { request_type: "KNOWLEDGE_QA" }, evidence: { "db:a": 1, "policy:b": 1 } },
  { evidence: { "doc:a": 1, "policy:b": 7 } },
  { evidence: { "doc:a": 0.2, "policy:b": 0.4 } },
  { evidence: { "doc:a": undefined, "policy:b": 1 } },
  { draft: { draft: "" } },
  { contract: { required_sections: ["Summary"] } },
  { draft: { draft: "It is guaranteed." }, contract: { forbidden_content: ["guaranteed"] } },
  { contract: { domain_terms: ["sprint"] } },
  { contract: { response_format: "json" } },
];

function said({ draft, evidence = GOOD, contract }: Case): readonly [string | undefined, string | undefined] {
  const session = PROGRAM.session();
  session.assert("Draft", { id: "d", request_type: "HOWTO_POLICY", query: "how?", draft: "So.", ...draft });
  for (const [item, confidence] of Object.entries(evidence)) {
    const [source, ref] = item.split(":");
    session.assert("Evidence", { draft: "d", source, ref, confidence });
  }
  if (contract !== undefined) session.assert("Contract", { draft: "d", ...contract });
  const { reasons, sentences } = session.verdict("standard");
  return [reasons[0], sentences[0]];
}

test("every row of the table is what the standard guardian says", () => {
  const page = readFileSync("docs/guardian.md", "utf8");
  const table = /^\| reason +\| says +\|\n\|[ |-]+\n(?<rows>(?:\|.*\n)+)/mu.exec(page)?.groups?.["rows"] ?? "";
  const rows = table
    .trimEnd()
    .split("\n")
    .map((row) => /^\| `(?<reason>.*)` +\| (?<says>.*?) +\|$/u.exec(row)?.groups)
    .map((cells) => [cells?.["reason"], cells?.["says"]]);
  expect(rows).toEqual(CASES.map(said));
});
