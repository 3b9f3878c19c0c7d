/** Tests which blueprints a program keeps. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { blueprintsOf } from "../../src/engine/blueprints.ts";
import { Layouts, Shapes } from "../../src/session/admission/shapes.ts";

test("blueprints for slots that were met long ago are forgotten, and that of new sessions is kept", () => {
  const program = compile("rule r { when p: P(a > 1) then log(p.a) }");
  const blueprints = blueprintsOf(program, program.plan(true, true), {});
  const shared = blueprints.shared();
  const others = Array.from({ length: 40 }, (_, index) => slots(`field${index}`));
  const made = others.map((shapes) => blueprints.continuing(shapes));
  expect(new Set(made).size).toBe(40);
  expect(blueprints.shared()).toBe(shared);
  const again = others.toReversed().map((shapes, index) => blueprints.continuing(shapes) === made[39 - index]);
  expect(again.filter(Boolean)).toHaveLength(16);
});

test("facts with ever new fields go through reloads", () => {
  const text = "rule r { when p: P(a > 1) then log(p.a) }";
  const program = compile(text);
  const [one, other] = [program, program.extend("rule s { when p: P(a > 2) then log(p.a) }")];
  for (let round = 0; round < 25; round++) {
    const session = one.session();
    session.assert("P", { [`field${round}`]: 1, a: 3 });
    session.reload(other);
    expect(session.run().fired).toHaveLength(2);
  }
});

function slots(field: string): Shapes {
  const shapes = new Shapes(new Layouts());
  for (const name of [field, "a"]) shapes.of("P").slot(name);
  return shapes;
}
