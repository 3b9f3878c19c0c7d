/** What a submission answers: the gates as they are when it has been taken in, whoever hands in next. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

test("who awaits a submission reads the gates of its moment, whatever others have handed in", async () => {
  const program = compile("type Vote(#who: string, ok: bool) gate ship { require exists Vote(ok == true) }");
  const session = program.session();
  const submitted = async (who: string, ok: boolean): Promise<string> => {
    const { gates } = await session.submit({ op: "assert", type: "Vote", fields: { who, ok } });
    return `${who} ${gates[0]?.outcome} ${gates[0]?.tree.value}`;
  };
  const around = async (who: string, ok: boolean): Promise<string> => await submitted(who, ok);

  const seen = await Promise.all([around("ann", false), around("bob", true), around("eve", false)]);

  expect(seen).toEqual(["ann fail false", "bob pass true", "eve pass true"]);
});

test("who has awaited the last submission can reset the session, and nobody can while one waits", async () => {
  const session = compile("type Vote(#who: string)").session();
  const put = (who: string) => session.submit({ op: "assert", type: "Vote", fields: { who } });
  await put("ann");
  session.reset();
  expect(session.facts()).toEqual([]);
  const waiting = [put("bob"), put("cid")];
  expect(() => session.reset()).toThrow("while changes are queued");
  await waiting[0];
  expect(() => session.reset()).toThrow("while changes are queued");
  await waiting[1];
  await session.enqueue(() => session.reset());
  expect(session.facts()).toEqual([]);
});
