/** D12 for headlines: one sentence under 200 characters that says what happened, whatever a program and its facts contain. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, compileFiles, type Program, type RuleSession, SeededRandom } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { rigOf } from "../support/explained.ts";
import {
  below,
  conditionsText,
  gateText,
  MODEL_FUNCTIONS,
  MODEL_TYPES,
  pick,
  type Random,
  randomEvidence,
  randomGate,
  randomPerson,
  randomSubject,
  risky,
} from "../support/gate-model.ts";
import { fillDrafts, GUARDED, guardianText, pipelineText } from "../support/guardian-model.ts";
import { askEverything, checkHeadline } from "../support/headlines.ts";
import { fillThings, longProgram } from "../support/long-programs.ts";
import { forAllCases } from "../support/minimise.ts";

function randomOf(seed: number): Random {
  const random = new SeededRandom(seed);
  return () => random.next();
}

function askAll(session: RuleSession): string[] {
  const rules = [...session.program.checked.symbols.rules.names()];
  return askEverything(session, rules, session.run());
}

test(
  "of firings, facts and rules that match",
  () => {
    forAllCases(SMALL, runs(2_000), (one) => {
      const { session, checked } = rigOf(one);
      const result = session.run();
      // d12-why-not asks about rules without a match, and searches remedies for them: it checks their headlines too.
      const matched = [...checked.symbols.rules.names()].filter((rule) => session.matches(rule).length > 0);
      askEverything(session, matched, result);
    });
  },
  PATIENT,
);

const GATE_OPTIONS = {
  facts: "none",
  functions: { even: ((n: unknown) => Number(n) % 2 === 0) as never, risky: risky as never },
} as const;

function gates(random: Random): Program {
  const both = [randomGate(random, "one"), randomGate(random, "two")];
  return compile(`${MODEL_TYPES}\n${conditionsText(both)}\n${both.map(gateText).join("\n")}`, {
    functions: MODEL_FUNCTIONS,
  });
}

test(
  "of gates",
  () => {
    const random = randomOf(121);
    for (let done = 0; done < runs(2_000); done++) {
      const session = gates(random).session(GATE_OPTIONS);
      session.assert("S", { id: 0, ...randomSubject(random), kind: pick(random, ["p", "q"]), born: 0 });
      for (let id = below(random, 6); id > 0; id--)
        session.assert("E", { id, s: below(random, 2), who: randomPerson(random), ...randomEvidence(random) });
      askAll(session);
    }
  },
  PATIENT,
);

test(
  "of guardians and pipelines",
  () => {
    const random = randomOf(122);
    for (let done = 0; done < runs(2_000); done++) {
      const text = done % 2 === 0 ? guardianText(random) : pipelineText(random);
      const session = compile(text, GUARDED.compile).session(GUARDED.session);
      fillDrafts(session, random);
      askAll(session);
    }
  },
  PATIENT,
);

test(
  "of programs whose names, values and conditions are long",
  () => {
    const random = randomOf(123);
    let shortened = 0;
    for (let done = 0; done < runs(2_000); done++) {
      const session = compile(longProgram(random)).session();
      fillThings(session, random);
      if (askAll(session).some((words) => words.includes("does not fire") && words.includes("…"))) shortened += 1;
    }
    expect(shortened).toBeGreaterThan(0);
  },
  PATIENT,
);

test("of all examples", () => {
  for (const name of readdirSync("examples")) {
    const folder = `examples/${name}`;
    if (!existsSync(`${folder}/rules.tsd`) || name === "miss-manners") continue;
    const files = readdirSync(folder).filter((file) => file.endsWith(".tsd"));
    const read = (file: string): { file: string; source: string } => ({
      file,
      source: readFileSync(`${folder}/${file}`, "utf8").replaceAll(/^import .*$/gmu, ""), // all files are given
    });
    const session = compileFiles(files.toSorted().toReversed().map(read)).session({ audit: () => {} });
    if (existsSync(`${folder}/facts.json`)) {
      const facts = JSON.parse(readFileSync(`${folder}/facts.json`, "utf8")) as Readonly<Record<string, object[]>>;
      for (const [type, all] of Object.entries(facts)) for (const one of all) session.assert(type, one as never);
    }
    expect(askAll(session).length, name).toBeGreaterThan(0);
  }
});

test("of the thirty situations", () => {
  for (const file of readdirSync("test/situations").filter((name) => name.endsWith(".tsd"))) {
    expect(askAll(compile(readFileSync(`test/situations/${file}`, "utf8")).session()).length, file).toBeGreaterThan(0);
  }
});

test("the check refuses what is long, empty, two sentences, or names a raw id", () => {
  const session = compile('type P(#id: string) P("a") rule r { when p: P then log(p.id) }').session();
  const [fired] = session.run().fired;
  if (fired === undefined) return expect.unreachable("it fires");
  const why = session.why(fired);
  checkHeadline(why, "fired");
  for (const bad of [`${"x".repeat(200)}.`, "", "No stop", "One. Two.", "P~a is here.", "a\nb."]) {
    expect(() => checkHeadline({ ...why, upward_rationale: bad }, ""), bad).toThrow();
  }
  expect(() => checkHeadline(why, "does not fire")).toThrow();
});
