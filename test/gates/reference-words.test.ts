/** Tests that gates name facts as people do where evidence refers to its subject. */
import { expect, test } from "vitest";
import { compile, headline } from "../../src/index.ts";

test("evidence that refers to its subject is looked for by the label of the subject", () => {
  const session = compile(
    `type Release(#id: string)
     type Approval(release: Release, by: string, ok: bool)
     condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r, a.by == who)
     gate "deploy" for r: Release { require approved(r, "bob") }
     Release("r-42")`,
  ).session();
  const answer = session.gate("deploy", "Release~r-42");
  expect(answer.missing.map(({ needs }) => needs)).toEqual([
    'no Approval with release == Release r-42 and by == "bob"',
  ]);
  expect(headline(session.why(answer))).toBe(
    'Gate "deploy" is on hold for Release r-42: approved(r, "bob") is unknown: no Approval with release == Release r-42 and by == "bob".',
  );
});
