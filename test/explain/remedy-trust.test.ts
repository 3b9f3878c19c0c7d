/** Tests that a remedy of a gate adds trusted evidence, and never declares what is there to be trusted. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

test.each(["trust", "level"])("the trust field %s of evidence is not changed", (field) => {
  const session = compile(`type Release(#id: string)
    type Approval(#id: string, release: string, ok: bool, ${field}: string)
    condition approved(r: Release) : a.ok from any a: Approval(a.release == r.id)
    gate deploy for r: Release { trust verified trust field ${field} require approved(r) }`).session();
  session.assert("Release", { id: "r1" });
  session.assert("Approval", { id: "a1", release: "r1", ok: true, [field]: "claimed" });
  session.run();
  const edits = session.wouldOpen("deploy").flatMap((remedy) => remedy.edits);
  expect(edits).not.toEqual([]);
  expect(edits.filter(({ op }) => op !== "assert")).toEqual([]);
});
