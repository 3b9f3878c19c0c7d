/**
 * Every generator of random programs whose outcome is compared with a second opinion, and programs that it makes: what the matrix
 * in test/house/constructs.test.ts counts.
 */
import * as fc from "fast-check";
import { type CompileOptions, SeededRandom } from "../../src/index.ts";
import { printFile } from "../../src/language/print.ts";
import { timedTest, timedValue } from "../time/timed-arbitrary.ts";
import { DAYS_WORLD, INSTANTS, LAST_FACTS } from "./clock-model.ts";
import { caseOf, type Domain, SMALL } from "./engine-arbitrary.ts";
import { sourceOf } from "./engine-program.ts";
import { EVOLUTION, sourceOfVersion } from "./evolving-programs.ts";
import { expression, rulesFor } from "./expression-arbitrary.ts";
import { flowProgram } from "./flow-program.ts";
import { conditionsText, gateText, MODEL_FUNCTIONS, MODEL_TYPES, type Random, randomGate } from "./gate-model.ts";
import { gatesInTimeText } from "./gates-in-time.ts";
import { guardianText, pipelineText } from "./guardian-model.ts";
import { History } from "./history.ts";
import { ITEMS_PROGRAM } from "./items-model.ts";
import { logicalCase, logicalSource } from "./logical.ts";
import { nestedCase } from "./logical-nested.ts";
import { FILES, program as modules, rule as moduleRule, sourceOf as moduleSource } from "./module-programs.ts";
import { programs as tablePrograms } from "./table-programs.ts";
import { WHOLE_OPTIONS, wholeProgram } from "./whole-programs.ts";

/** What a program is compared with. */
export type Opinion =
  /** The brute-force matcher in src/prove. */
  | "matcher"
  /** A definition of its own: test/oracle, or a model in test/support. */
  | "model"
  /** A new session with the same facts. */
  | "from scratch";

export interface Generator {
  readonly name: string;
  readonly opinion: Opinion;
  /** The property that compares its programs. */
  readonly promise: string;
  readonly options?: CompileOptions;
  /** How many programs are counted: together they are 2,000. */
  readonly count: number;
  /** Returns programs; each is a main file and the files that it imports. */
  readonly sample: (count: number) => readonly (readonly string[])[];
}

const SEED = 5;

function sampled<Item>(arbitrary: fc.Arbitrary<Item>, text: (item: Item) => string | readonly string[]) {
  return (count: number): (readonly string[])[] =>
    fc.sample(arbitrary, { numRuns: count, seed: SEED }).map((one) => [text(one)].flat());
}

function drawn(text: (random: Random) => string) {
  return (count: number): (readonly string[])[] => {
    const source = new SeededRandom(SEED);
    return Array.from({ length: count }, () => [text(() => source.next())]);
  };
}

/** One program whose histories are random. */
function always(text: string) {
  return (count: number): (readonly string[])[] => Array.from({ length: count }, () => [text]);
}

const small = (domain: Domain): Generator["sample"] =>
  sampled(caseOf(domain), (one) => sourceOf(new History(domain, one.rules).rules));

const LOGICAL = fc.oneof(logicalCase(true), nestedCase);

export const GENERATORS: readonly Generator[] = [
  { name: "small programs", count: 300, opinion: "matcher", promise: "d1-histories", sample: small(SMALL) },
  { name: "actions", count: 40, opinion: "matcher", promise: "d1-actions", sample: small({ ...SMALL, deeds: true }) },
  {
    name: "expressions",
    count: 600,
    opinion: "matcher",
    promise: "d1-expressions",
    sample: sampled(expression, (one) => printFile({ declarations: rulesFor(one), comments: [] })),
  },
  {
    name: "values of time",
    count: 150,
    opinion: "matcher",
    promise: "../time/values",
    sample: sampled(
      fc.tuple(timedTest, timedValue),
      ([test, value]) =>
        `type T(d: date?, e: date?, i: instant?, j: instant?, u: duration?, n: number?)
rule "test" { when v: T(${test}) then log(1) }
rule "value" { when v: T let x = ${value} then log(x) }`,
    ),
  },
  {
    name: "instants",
    count: 120,
    opinion: "matcher",
    promise: "clock",
    sample: drawn((random) => INSTANTS.program(random)),
  },
  {
    name: "days",
    count: 40,
    opinion: "matcher",
    promise: "clock",
    sample: drawn((random) => DAYS_WORLD.program(random)),
  },
  {
    name: "last facts",
    count: 40,
    opinion: "matcher",
    promise: "clock",
    sample: drawn((random) => LAST_FACTS.program(random)),
  },
  { name: "tables", count: 100, opinion: "matcher", promise: "tables", sample: sampled(tablePrograms, (one) => one) },
  {
    name: "logical facts",
    count: 50,
    opinion: "matcher",
    promise: "d14-logical",
    sample: sampled(LOGICAL, ({ rules }) =>
      logicalSource(new Map(rules.map((body, at) => [`r${at}`, body]))).join("\n"),
    ),
  },
  {
    name: "whole programs",
    opinion: "matcher",
    promise: "whole-programs",
    options: WHOLE_OPTIONS,
    count: 200,
    sample: drawn(wholeProgram),
  },
  { name: "items", count: 10, opinion: "model", promise: "items", sample: always(ITEMS_PROGRAM) },
  { name: "flows", count: 10, opinion: "model", promise: "flows", sample: always(flowProgram("s")) },
  {
    name: "gates",
    count: 150,
    opinion: "model",
    promise: "gates",
    options: { functions: MODEL_FUNCTIONS },
    sample: drawn((random) => {
      const gate = randomGate(random, "g");
      return `${MODEL_TYPES}\n${conditionsText([gate])}\n${gateText(gate)}`;
    }),
  },
  { name: "gates in time", count: 15, opinion: "model", promise: "gates-in-time", sample: drawn(gatesInTimeText) },
  {
    name: "modules",
    count: 60,
    opinion: "model",
    promise: "modules",
    sample: sampled(modules, (given) =>
      FILES.map((file) =>
        moduleSource(
          file,
          given[file],
          given[file].uses.map((one, index) => moduleRule(file, index, one)),
        ),
      ),
    ),
  },
  {
    name: "guardians",
    count: 150,
    opinion: "from scratch",
    promise: "guardian",
    options: { functions: MODEL_FUNCTIONS },
    sample: drawn(guardianText),
  },
  {
    name: "pipelines",
    count: 150,
    opinion: "from scratch",
    promise: "d12-why-decision",
    options: { functions: MODEL_FUNCTIONS },
    sample: drawn(pipelineText),
  },
  {
    name: "versions",
    count: 100,
    opinion: "from scratch",
    promise: "evolution",
    sample: sampled(EVOLUTION, ({ first }) => sourceOfVersion(first)),
  },
];
