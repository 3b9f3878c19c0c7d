/** A program that embeds the rules: facts, queries and handlers have the types of rules.d.ts, and handlers are awaited. */
import { readFileSync } from "node:fs";
import { compile } from "sluice";
import type { Rules } from "./rules.d.ts";

const source = readFileSync(process.argv[2] ?? "examples/typed-embedding/rules.tsd", "utf8");

const session = compile(source, { file: "rules.tsd" }).session<Rules>({
  actions: {
    page: async (engineer, text) => {
      await send(`to ${engineer}: ${text}`);
    },
    assign: (ticket, engineer) => console.log(`${ticket} goes to ${engineer}`),
  },
});

const printer = session.assert("Ticket", { id: "t1", title: "The printer is on fire", severity: "high", hours: 1 });
session.assert("Ticket", { id: "t2", title: "A typo on page 3", severity: "low", hours: 30 });
session.assert("Engineer", { id: "e1", name: "Ann", on_call: true });
session.assert("Engineer", { id: "e2", name: "Bob", on_call: false });
// session.assert("Ticket", { id: "t3", titel: "…" }) does not compile: there is no field "titel".

await session.runAsync();

session.update(printer, { hours: 6 });
await session.runAsync();

for (const { t } of session.query("open_tickets", { least: 5 })) {
  console.log(`open: ${t.fields.title} (${t.fields.owner ?? "nobody"})`);
}

/** Stands for a service that takes its time. */
async function send(text: string): Promise<void> {
  await new Promise((done) => setTimeout(done, 10));
  console.log(text);
}
