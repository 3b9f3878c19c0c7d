/**
 * Fail closed: what a gate, a guardian or a pipeline decides under a failure, it decides under every repair of that failure.
 * Random programs with a gate, a guardian and a pipeline, over stated and derived facts, run under each kind of failure: a
 * limit that is reached, a function that is missing, throws, returns a promise, nothing or a wrong type, an argument of a wrong
 * type, a missing field, hidden characters in a string, and a clock that cannot be trusted.
 *
 * No oracle is needed: the same program decides again with the failure repaired in one way or another.
 * Opening a session is the expensive part, so a session is used for several cases where possible: its facts are retracted first.
 */
import { expect, test } from "vitest";
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { ProgramWriter, type WriterOptions } from "../support/judged-programs.ts";

const takesText = (kind: "bool" | "number" | "string") =>
  ({ params: [{ name: "x", type: { kind: "string" }, optional: false }], result: { kind } }) as const;
const functions = {
  ok: takesText("bool"),
  num: takesText("number"),
  txt: takesText("string"),
  both: {
    params: [
      { name: "x", type: { kind: "string" }, optional: false },
      { name: "n", type: { kind: "number" }, optional: false },
    ],
    result: { kind: "bool" },
  },
} as const;

const FACTS_PER_PROGRAM = 20;
/** So few partial matches that pairs of X facts exceed it. */
const TIGHT = 40;
const X_FACTS = 8;

interface Row {
  readonly k?: unknown;
  readonly n: number | null;
  readonly text: string;
}

interface Facts {
  readonly subject: Row;
  readonly evidence: readonly Row[];
  /** The subject has been looked at before the evidence came. */
  readonly subjectFirst: boolean;
}

type HostFunctions = Record<string, (...args: unknown[]) => never>;

/** One way to open a session and to ask it. */
interface Opening {
  readonly program: Program;
  readonly facts: Facts;
  readonly functions: HostFunctions;
  readonly floods?: boolean;
  /** The trouble would stay in the session: a limit that was reached, a clock. */
  readonly fresh?: boolean;
  readonly now?: () => number;
  readonly checkDeadline?: number;
}

interface Case {
  readonly trouble: Opening;
  readonly repairs: readonly Opening[];
}

interface Kind {
  readonly name: string;
  readonly writes: WriterOptions;
  /** Of gate, guardian and pipeline those that the trouble can concern. */
  readonly judges: readonly number[];
  /** Whether a repair may decide more than the trouble does; what is only hidden changes nothing at all. */
  readonly changes: boolean;
  /** `tight` gives the program with a limit that a flood reaches. */
  readonly make: (writer: ProgramWriter, program: Program, tight: () => Program) => Case;
}

const ALL = [0, 1, 2];

// ---------------------------------------------------------------- functions of the host

interface Answers {
  readonly ok: boolean;
  readonly num: number;
  readonly txt: string;
  readonly both: boolean;
}

/** In pairs that differ in every answer. */
const ANSWERS: readonly [readonly Answers[], readonly Answers[]] = [
  [
    { ok: true, num: 0, txt: "r", both: false },
    { ok: false, num: 3, txt: "nobody", both: true },
  ],
  [
    { ok: true, num: 3, txt: "nobody", both: true },
    { ok: false, num: 1, txt: "r", both: false },
  ],
];

/** What the functions give for everything but "u". */
const KNOWN: Record<keyof Answers, (x: unknown) => unknown> = {
  ok: (x) => x === "a",
  num: (x) => (x === "a" ? 1 : 2),
  txt: () => "r",
  both: (x) => x === "b",
};

/** Functions that give what is known, and for "u" whatever `unsure` gives. */
function hostFunctions(unsure: (name: keyof Answers) => unknown): HostFunctions {
  const made = (name: keyof Answers) => (x: unknown) => (x === "u" ? unsure(name) : KNOWN[name](x)) as never;
  return { ok: made("ok"), num: made("num"), txt: made("txt"), both: made("both") };
}

const WORKING = hostFunctions((name) => KNOWN[name]("b"));

function answering(answers: Answers): HostFunctions {
  return hostFunctions((name) => answers[name]);
}

const REPAIRED = [ANSWERS[0].map(answering), ANSWERS[1].map(answering)] as const;

const FAILURES: Record<string, (name: keyof Answers) => unknown> = {
  "a function throws": () => {
    throw new Error("down");
  },
  "a function returns a promise": () => Promise.resolve(true),
  "a function returns nothing": () => undefined,
  "a function returns null": () => null,
  "a function returns a wrong type": (name) => (name === "txt" ? 1 : "yes"),
  "a function returns NaN": () => Number.NaN,
};

function failing([name, fails]: [string, (name: keyof Answers) => unknown], derives: boolean): Kind {
  const failed = hostFunctions(fails);
  return {
    name: derives ? `${name}, and rules derive facts` : name,
    writes: { derives, searchesText: false, calls: true, asksMissing: true },
    judges: ALL,
    changes: true,
    make: (writer, program) => {
      const facts = randomFacts(writer, ["a", "b", "u"]);
      return {
        trouble: { program, facts, functions: failed },
        repairs: writer.pick(REPAIRED).map((repaired) => ({ program, facts, functions: repaired })),
      };
    },
  };
}

/** What is left when one of the functions is not given, and what it may be. */
function losing(lost: keyof Answers): Lost {
  const others = Object.fromEntries(Object.entries(WORKING).filter(([name]) => name !== lost));
  const given = (answers: Answers): HostFunctions => ({ ...others, [lost]: () => answers[lost] as never });
  return { functions: others, repaired: [ANSWERS[0].map(given), ANSWERS[1].map(given)] };
}

interface Lost {
  readonly functions: HostFunctions;
  readonly repaired: readonly [readonly HostFunctions[], readonly HostFunctions[]];
}

const LOSSES = [losing("ok"), losing("num"), losing("txt"), losing("both")] as const;

/** A function that is not given fails for all arguments, so all its answers may be other ones. */
function withoutFunction(derives: boolean): Kind {
  return {
    name: derives ? "a function is missing, and rules derive facts" : "a function is missing",
    writes: { derives, searchesText: false, calls: true, asksMissing: true },
    judges: ALL,
    changes: true,
    make: (writer, program) => {
      const facts = randomFacts(writer, ["a", "b"]);
      const { functions: given, repaired } = writer.pick<Lost>(LOSSES);
      return {
        trouble: { program, facts, functions: given },
        repairs: writer.pick(repaired).map((one) => ({ program, facts, functions: one })),
      };
    },
  };
}

// ---------------------------------------------------------------- facts

function randomFacts(writer: ProgramWriter, keys: readonly [unknown, ...unknown[]]): Facts {
  const row = (): Row => ({
    k: writer.pick(keys),
    n: writer.pick([0, 1, 2, 3, null]),
    text: writer.pick(["fine", "how to build a bomb", "a bomb", ""]),
  });
  return {
    subject: row(),
    evidence: Array.from({ length: 1 + writer.below(3) }, row),
    subjectFirst: writer.below(2) === 0,
  };
}

function mapRows(facts: Facts, change: (row: Row) => Row): Facts {
  return { ...facts, subject: change(facts.subject), evidence: facts.evidence.map(change) };
}

const WRONG_ARGUMENT: Kind = {
  name: "an argument has a wrong type",
  writes: { derives: false, searchesText: false, calls: true, asksMissing: true },
  judges: ALL,
  changes: true,
  make: (writer, program) => {
    const facts = randomFacts(writer, ["a", "b", 7, true]);
    const repaired = (value: string): Facts =>
      mapRows(facts, (row) => (typeof row.k === "string" ? row : { ...row, k: value }));
    return {
      trouble: { program, facts, functions: WORKING },
      repairs: ["a", "b"].map((value) => ({ program, facts: repaired(value), functions: WORKING })),
    };
  },
};

const MISSING_FIELD: Kind = {
  name: "a field is missing",
  writes: { derives: false, searchesText: false, calls: true, asksMissing: false },
  judges: ALL,
  changes: true,
  make: (writer, program) => {
    const facts = mapRows(randomFacts(writer, ["a", "b", "u"]), (row) =>
      row.k === "u" ? { n: row.n, text: row.text } : row,
    );
    const repaired = (k: string, n: number): Facts =>
      mapRows(facts, (row) => ({ ...row, k: row.k ?? k, n: row.n ?? n }));
    const values = [
      ["a", 0],
      ["b", 1],
      ["a", 2],
      ["b", 3],
    ] as const;
    return {
      trouble: { program, facts, functions: WORKING },
      repairs: values.map(([k, n]) => ({ program, facts: repaired(k, n), functions: WORKING })),
    };
  },
};

/** Characters that nobody sees, and white space other than a blank. */
const HIDDEN = [
  "\u200B",
  "\u00AD",
  "\u2060",
  "\uFEFF",
  "\u0000",
  "\u001B",
  "\u2800",
  "\uFFFC",
  "\u0301",
  "\u034F",
  "\u{E0041}",
  "\u3164",
];

const HIDDEN_CHARACTERS: Kind = {
  name: "hidden characters stand in a text",
  writes: { derives: true, searchesText: true, calls: false, asksMissing: true },
  judges: ALL,
  changes: false,
  make: (writer, program) => {
    const facts = randomFacts(writer, ["a"]);
    const hide = (text: string): string => {
      const at = writer.below(text.length + 1);
      return text.slice(0, at) + (HIDDEN[writer.below(HIDDEN.length)] ?? "") + text.slice(at);
    };
    const hidden = mapRows(facts, (row) => ({ ...row, text: hide(row.text) }));
    return {
      trouble: { program, facts: hidden, functions: WORKING },
      repairs: [{ program, facts, functions: WORKING }],
    };
  },
};

// ---------------------------------------------------------------- limits and clocks

const LIMIT: Kind = {
  name: "a limit is reached",
  writes: { derives: true, searchesText: false, calls: false, asksMissing: true },
  judges: ALL,
  changes: true,
  make: (writer, program, tight) => {
    const facts = randomFacts(writer, ["a"]);
    return {
      trouble: { program: tight(), facts, functions: WORKING, floods: true, fresh: true },
      repairs: [{ program, facts, functions: WORKING, floods: true }],
    };
  },
};

const DEADLINE = 10;

const CLOCK: Kind = {
  name: "the clock cannot be trusted",
  writes: { derives: false, searchesText: false, calls: true, asksMissing: true },
  judges: [1],
  changes: true,
  make: (writer, program) => {
    const facts = randomFacts(writer, ["a", "b"]);
    let time = 0;
    const slow = Object.fromEntries(
      Object.entries(WORKING).map(([name, compute]) => [
        name,
        (...args: unknown[]) => {
          time += 7;
          return compute(...args);
        },
      ]),
    );
    const after = writer.below(6);
    let asked = 0;
    const broken = writer.pick<() => number>([
      () => {
        throw new Error("no clock");
      },
      () => Number.NaN,
      () => -time,
    ]);
    const unsure = (): number => {
      asked += 1;
      return asked > after ? broken() : time;
    };
    const common = { program, facts, functions: slow, checkDeadline: DEADLINE, fresh: true };
    return { trouble: { ...common, now: unsure }, repairs: [{ ...common, now: () => time }] };
  },
};

// ---------------------------------------------------------------- asking

/** The sessions of one program by the functions that they call. */
type Sessions = Map<HostFunctions, RuleSession>;

/** Returns one that was used before, after taking its facts away, where it can. */
function sessionFor({ program, functions: given, fresh, now, checkDeadline }: Opening, known: Sessions): RuleSession {
  if (fresh === true) {
    const deadline = checkDeadline === undefined ? {} : { checkDeadline, realTime: (): number => 0 };
    return program.session({ functions: given, now: now ?? ((): number => 0), ...deadline });
  }
  const used = known.get(given);
  if (used === undefined) {
    const session = program.session({ functions: given, now: () => 0 });
    known.set(given, session);
    return session;
  }
  for (const type of ["X", "E", "D", "F", "R"]) for (const { id } of used.facts(type)) used.retract(id);
  return used;
}

function opened(opening: Opening, known: Sessions): RuleSession {
  const { facts, floods = false } = opening;
  const session = sessionFor(opening, known);
  const bringEvidence = (): void => {
    for (const row of facts.evidence) session.assert("E", { rel: "r", ...row });
  };
  if (floods) for (let id = 0; id < X_FACTS / 2; id++) session.assert("X", { id });
  if (!facts.subjectFirst) bringEvidence();
  session.assert("R", { id: "r", ...facts.subject });
  if (facts.subjectFirst) {
    session.run();
    bringEvidence();
  }
  if (floods) for (let id = X_FACTS / 2; id < X_FACTS; id++) session.assert("X", { id });
  session.run();
  return session;
}

function decided(session: RuleSession): readonly [gate: string, guardian: string, pipeline: string] {
  const found = [
    session.gate("g", "R~r").outcome,
    session.verdict("u", "R~r").verdict,
    session.decide("p", "R~r").decision,
  ] as const;
  const { gates, verdicts } = session.run();
  expect([gates[0]?.outcome, verdicts[0]?.verdict]).toEqual(found.slice(0, 2));
  return found;
}

/** What must be so under every repair. */
const DECIDED = [["pass", "fail"], ["PASS"], ["FORWARD"]] as const;

const KINDS: readonly Kind[] = [
  LIMIT,
  ...Object.entries(FAILURES).flatMap((failure) => [failing(failure, false), failing(failure, true)]),
  withoutFunction(false),
  withoutFunction(true),
  WRONG_ARGUMENT,
  MISSING_FIELD,
  HIDDEN_CHARACTERS,
  CLOCK,
];

/** So many programs that each judge decides something under each trouble. */
const FEWEST = 20;

test.each(KINDS.map((kind, place) => [kind.name, kind, place] as const))(
  "%s: what is decided then is decided under every repair",
  (_, { writes, judges, make, changes }, place) => {
    const counts = [0, 0, 0];
    let mattered = 0;
    const programs = Math.max(FEWEST, Math.ceil(runs() / FACTS_PER_PROGRAM / KINDS.length));
    for (let number = 0; number < programs; number++) {
      const writer = new ProgramWriter(place * 1_000_000 + number, writes);
      const text = writer.program();
      const program = compile(text, { functions });
      let tight: Program | undefined;
      const makeTight = (): Program => (tight ??= compile(text, { functions, limits: { liveMatches: TIGHT } }));
      const known: Sessions = new Map();
      for (let turn = 0; turn < FACTS_PER_PROGRAM; turn++) {
        const { trouble, repairs } = make(writer, program, makeTight);
        const troubled = decided(opened(trouble, known));
        const certain = judges.filter((index) => (DECIDED[index] as readonly string[]).includes(troubled[index] ?? ""));
        for (const index of certain) counts[index] = (counts[index] ?? 0) + 1;
        // where nothing is decided, a repair shows only that the trouble matters
        if (certain.length === 0 && changes && mattered > 0) continue;
        const others = repairs.map((repair) => decided(opened(repair, known)));
        if (others.some((other) => other.join() !== troubled.join())) mattered += 1;
        for (const index of certain) {
          const shown = `${text}\n${JSON.stringify(trouble.facts)}`;
          for (const other of others) expect(other[index], shown).toBe(troubled[index]);
        }
      }
    }
    for (const index of judges) expect(counts[index]).toBeGreaterThan(0);
    if (changes) expect(mattered).toBeGreaterThan(0);
    else expect(mattered).toBe(0);
  },
  PATIENT,
);
