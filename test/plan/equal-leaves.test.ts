/** Tests which leaves of a gate are one: those whose evidence is found by the same chain of nodes, shared or not. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { times } from "../attacks/case.ts";

const TYPES = `type R(#id: string)
type E(#id: string, r: string, ok: bool)
condition c(r: R) : e.ok from e: E(e.r == r.id)
condition same(r: R) : x.ok from x: E(x.r == r.id)
condition other(r: R) : e.ok from e: E(e.r == r.id, e.id != "e")
`;

function leavesOf(source: string, sharing: boolean): readonly unknown[] {
  const gate = compile(`${TYPES}${source}`)
    .plan(sharing)
    .nodes.find((node) => node.kind === "gate");
  return gate?.leaves ?? [];
}

test.each([true, false])("leaves that ask the same are one, with sharing %s", (sharing) => {
  expect(leavesOf("gate g for r: R { require c(r) and (other(r) or same(r)) }", sharing)).toHaveLength(2);
});

test.each([true, false])(
  "chains that go through the same nodes in many ways are compared, with sharing %s",
  (sharing) => {
    const condition = (index: number): string =>
      `condition c${index + 1}(r: R) : e.ok and c${index}(r) from e: E(e.r == r.id and c${index}(r))`;
    const first = "condition c0(r: R) : c(r)";
    const source = `${first}\n${times(5, condition)}\ngate g for r: R { require c5(r) and (c4(r) or c5(r)) }`;
    expect(leavesOf(source, sharing)).toHaveLength(2);
  },
);
