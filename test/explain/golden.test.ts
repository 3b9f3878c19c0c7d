/**
 * Tests the explanations of the examples, as a person reads them: `test/explanations/NAME.txt`. `SLUICE_UPDATE=1` rewrites
 * them; read the diff before you commit it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const HELLO = "examples/hello/rules.tsd";
const ORDERS = ["examples/orders/rules.tsd", "--facts", "examples/orders/facts.json"];

const RELEASE = ["examples/release-gate/rules.tsd", "--facts", "examples/release-gate/facts.json"];

const ANSWER = ["examples/answer-guardian/rules.tsd", "--facts", "examples/answer-guardian/facts.json"];
const REQUEST = ["examples/request-pipeline/rules.tsd", "--facts", "examples/request-pipeline/facts.json"];
const FRAUD = ["examples/fraud/rules.tsd", "--facts", "examples/fraud/facts.json"];
const LOAN = "examples/loan-approval/rules.tsd";
const MANNERS = ["examples/miss-manners/rules.tsd", "--facts", "examples/miss-manners/facts.json"];
const WORLD = "examples/international/rules.tsd";
const TICKETS = "examples/typed-embedding/rules.tsd";

const CASES: Readonly<Record<string, readonly string[]>> = {
  "hello-fired": ["why", HELLO, "VIP_or_Adult", "--fact", "p=Person~p2"],
  "hello-fired-twice": ["why", HELLO, "VIP_or_Adult"],
  "hello-child": ["why", HELLO, "VIP_or_Adult", "--fact", "p=Person~p3"],
  "hello-fact": ["why", HELLO, "Welcome~p1"],
  "hello-given": ["why", HELLO, "Person~p1"],
  "hello-links": ["why", HELLO, "too young", "--format", "lino"],
  "hello-run": ["run", HELLO, "--explain"],
  "orders-total": ["why", ...ORDERS, "Total~o1"],
  "orders-discount": ["why", ...ORDERS, "Discount~o1"],
  "orders-faithful": ["why", "examples/orders/rules.tsd", "faithful customers"],
  "orders-reviewed": ["why", ...ORDERS, "paid too little, or paid back", "--fact", "o=Order~o2"],
  "orders-lines": ["why", "examples/orders/rules.tsd", "all lines are in order"],
  "orders-slash": ["why", "examples/orders/rules.tsd", "no_orders"],
  "orders-slash-sum": ["why", "examples/orders/rules.tsd", "large_basket", "--fact", "o=Order~o2"],
  "orders-coupon": ["why", "examples/orders/rules.tsd", "winter coupon", "--fact", "o=Order~o2"],
  "orders-first": ["why", "examples/orders/rules.tsd", "expensive first order", "--fact", "o=Order~o1"],
  "gate-hold": ["why", ...RELEASE, "deploy", "--subject", "r-42"],
  "gate-pass": ["why", ...RELEASE, "deploy", "--subject", "Release~r-43"],
  "gate-fail": ["why", ...RELEASE, "GateResult~@3"],
  "gate-all": ["why", ...RELEASE, "override"],
  "gate-links": ["why", ...RELEASE, "deploy", "--subject", "r-44", "--format", "lino"],
  "guardian-pass": ["why", ...ANSWER, "answer", "--fact", "d=Draft~d2"],
  "guardian-fail": ["why", ...ANSWER, "answer", "--subject", "d3"],
  "guardian-policy": ["why", ...ANSWER, "answer", "--subject", "Draft~d4"],
  "guardian-fast": ["why", ...ANSWER, "answer", "--subject", "d5"],
  "guardian-fact": ["why", ...ANSWER, "Verdict~@4"],
  "guardian-links": ["why", ...ANSWER, "answer", "--subject", "d4", "--format", "lino"],
  "guardian-run": ["run", ...ANSWER, "--explain"],
  "pipeline-refused": ["why", ...REQUEST, "request", "--fact", "q=Request~q10"],
  "pipeline-blocked": ["why", ...REQUEST, "request", "--subject", "q8"],
  "pipeline-answered": ["why", ...REQUEST, "request", "--subject", "q6"],
  "pipeline-forwarded": ["why", ...REQUEST, "request", "--subject", "q9"],
  "pipeline-links": ["why", ...REQUEST, "request", "--subject", "q2", "--format", "lino"],
  "fraud-block": ["why", ...FRAUD, "block"],
  "fraud-unusual": ["why", ...FRAUD, "unusual amount"],
  "fraud-score": ["why", ...FRAUD, "score"],
  "loan-approve": ["why", LOAN, "approve"],
  "loan-refuse": ["why", LOAN, "refuse"],
  "loan-young": ["why", LOAN, "too young"],
  "manners-done": ["why", ...MANNERS, "are we done"],
  "manners-first": ["why", ...MANNERS, "assign first seat"],
  "international-late": ["why", WORLD, "prêt en retard"],
  "international-student": ["why", WORLD, "学生割引"],
  "tickets-page": ["why", TICKETS, "page who is on call"],
  "tickets-nobody": ["why", TICKETS, "nobody has it"],
  "gate-reaction": ["run", ...RELEASE, "--explain"],
};

const FOLDER = "test/explanations";

test.each(Object.entries(CASES))("%s", (name, args) => {
  const ran = runCli(args);
  const golden = `${FOLDER}/${name}.txt`;
  if (process.env["SLUICE_UPDATE"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(golden, ran.out);
  }
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "(no golden file)");
});

test("no explanation speaks of nodes, hashes or other inner things", () => {
  for (const name of Object.keys(CASES)) {
    if (["hello-run", "gate-reaction", "guardian-run"].includes(name)) continue; // the summary of a run counts nodes
    const told = readFileSync(`${FOLDER}/${name}.txt`, "utf8").replaceAll("access token", ""); // of the author
    expect(told, name).not.toMatch(
      /\b(alpha|beta|join|terminal|token|node|activation|undefined|null|NaN|(?=\d*[a-f])[0-9a-f]{16})\b/u,
    );
    expect(told, name).not.toMatch(/\[object|\$\d/u);
  }
});
