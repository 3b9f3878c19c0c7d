/**
 * Tests the attack corpus: every command ends on every input, with the right exit code, without a stack trace, and with bounded
 * output. The deadline of a case is a safety net, not a promise of speed.
 *
 * To add inputs, export a list of `Attack` from a file in test/attacks and name it here.
 */
import { describe, expect, test } from "vitest";
import type { Attack } from "../attacks/case.ts";
import { EXPLAIN_ATTACKS, PROVE_ATTACKS } from "../attacks/explain.ts";
import { FACTS_ATTACKS } from "../attacks/facts.ts";
import { GRAPH_ATTACKS } from "../attacks/graph.ts";
import { LONG_CHAIN_ATTACKS } from "../attacks/long-chains.ts";
import { WRITTEN_OUT_ATTACKS } from "../attacks/written-out.ts";
import { runCliAsync } from "../support/io.ts";

const CORPUS: Readonly<Record<string, readonly Attack[]>> = {
  graph: GRAPH_ATTACKS,
  facts: FACTS_ATTACKS,
  explain: EXPLAIN_ATTACKS,
  prove: PROVE_ATTACKS,
  "long chains": LONG_CHAIN_ATTACKS,
  "written out": WRITTEN_OUT_ATTACKS,
};

const SAFETY_NET = 120_000;
const MOST_PRINTED = 100_000;

describe.each(Object.entries(CORPUS))("%s", (_, attacks) => {
  test.each(attacks.map((attack) => [attack.name, attack] as const))(
    "%s",
    async (_name, { args, files, exit, says = "", most = MOST_PRINTED }) => {
      const ran = await runCliAsync(args, files());
      const printed = `${ran.out}${ran.err}`;
      expect(printed).not.toMatch(/RangeError|Maximum call stack|\n\s+at .*:\d+:\d+/u);
      expect(printed).toContain(says);
      expect(ran.exit).toBe(exit);
      expect(printed.length).toBeLessThanOrEqual(most);
    },
    SAFETY_NET,
  );
});
