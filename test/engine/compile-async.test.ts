/** Tests compiling and opening in slices. */
import { expect, test } from "vitest";
import { compile, compileAsync, CompileError, compileFilesAsync, Program } from "../../src/index.ts";

const rules = (count: number): string =>
  [
    "type P(#id: string, age: number, town: string)",
    ...Array.from(
      { length: count },
      (_, at) => `rule r${at} { when p: P(age > ${at}) q: P(town == p.town) then log(p.id) }`,
    ),
  ].join("\n");

test("compileAsync gives the program that compile gives", async () => {
  const source = `${rules(40)} P("p1", 30, "Oslo") P("p2", 50, "Oslo")`;
  const program = await compileAsync(source);
  expect(program.network()).toEqual(compile(source).network());
  const session = await program.openAsync();
  expect(session.run()).toEqual(compile(source).session().run());
});

test("compileAsync reports errors and imports as compile does", async () => {
  await expect(compileAsync("rule r { when p: Nobody( then }")).rejects.toBeInstanceOf(CompileError);
  const files = new Map([["types.tsd", "type P(#id: string)"]]);
  const program = await compileFilesAsync(
    [{ file: "main.tsd", source: 'import "types.tsd" rule r { when p: P then log(p.id) }' }],
    {
      read: (file) => files.get(file),
    },
  );
  expect(program.network().rules.map(({ name }) => name)).toEqual(["r"]);
});

test("every statement is a step of its own when it is read, checked and planned", () => {
  const count = 300;
  const files = [{ file: "rules.tsd", source: rules(count) }];
  const compiling = Program.compiling(files, {});
  let steps = 0;
  let next = compiling.next();
  for (; next.done !== true; next = compiling.next()) steps += 1;
  expect(steps).toBeGreaterThanOrEqual(2 * (count + 1));
  let planned = 0;
  for (const _ of next.value.planning(true)) planned += 1;
  expect(planned).toBeGreaterThanOrEqual(count);
});

test("other work runs while a program is compiled", async () => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await compileAsync(rules(1_500));
  isDone = true;
  // 1,501 statements are read and checked, and 1,500 rules planned: at most 1,000 of them in a slice.
  expect(turns).toBeGreaterThanOrEqual(4);
});
