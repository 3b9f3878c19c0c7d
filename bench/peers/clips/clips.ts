/**
 * The same work on CLIPS, when the command `clips` is installed. The best of several rounds in one process counts.
 *
 * Facts are asserted by functions that were read before the clock starts. CLIPS has no quick way to find a fact by its id from
 * outside, so in W2 and W5 a fact is replaced by a rule that finds it by its hashed join; that is one firing more for each change.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AlphaWork } from "../../data/alpha-work.ts";
import { expectedFirings } from "../../data/expected.ts";
import type { Item } from "../../data/order-work.ts";
import { factsOf } from "../../data/programs.ts";
import { Conjunctions } from "../../hand/conjunctions.ts";
import { Orders } from "../../hand/orders.ts";
import { PermutedOrs } from "../../hand/permuted-ors.ts";
import { type AlphaName, alphaWork } from "../../lib/alpha-cases.ts";
import { CannotExpress, type Figures, TooLong, verify, WrongAnswer } from "../../lib/benchmark.ts";
import { readText } from "../../lib/files.ts";
import { type OrderName, orderWork } from "../../lib/order-cases.ts";
import { conjunctionRules, orRules } from "../../sluice/alpha-rules.ts";
import { constant, translate } from "./translate.ts";
import { declarationsOf } from "./tree.ts";

/** Counts firings, and adds them up in a way that CLIPS can: it has no bit operations. */
const TALLY = `(defglobal ?*firings* = 0 ?*sum* = 0)
(deffunction fire (?rule ?id)
   (bind ?*firings* (+ ?*firings* 1))
   (bind ?*sum* (+ ?*sum* (* (+ ?rule 1) (+ ?id 1)))))
`;

/**
 * In W1 and W4 rules fire up to a million times, and adding up in the language of CLIPS would be most of the time. So the sum is
 * verified in a round that is not timed, and in those that are only CLIPS itself counts firings.
 */
const NOTHING = "(deffunction fire (?rule ?id))\n(watch statistics)\n";

/** How often everything is done. */
const ROUNDS = 5;
/** With so many firings, which take CLIPS several seconds, there are fewer rounds. */
const MANY = 50_000;
const FEW_ROUNDS = 2;

/** After which CLIPS is stopped, reading its program included. */
const SECONDS = 30;

/** Adds up what fires in the way that CLIPS can. */
export class PlainTally {
  firings: number = 0;
  sum: number = 0;
  readonly fire = (rule: number, id: number): void => {
    this.firings++;
    this.sum += (rule + 1) * (id + 1);
  };

  clear(): void {
    this.firings = 0;
    this.sum = 0;
  }
}

/** Work on CLIPS, as commands of its language. */
export interface ClipsScript {
  /** Templates and rules, which call `(fire ?rule ?id)`. */
  readonly rules: string;
  /** Facts that are kept under a name, so that they can be retracted without a search. */
  readonly globals?: readonly string[];
  /** Not timed; everything fires before the clock starts. */
  readonly before?: readonly string[];
  readonly timed: readonly string[];
  /** Not timed, and before the answer is read. */
  readonly after?: readonly string[];
  /** What it comes to, where it is not what fires. */
  readonly expected?: { readonly firings: number; readonly sum: number };
}

const SCRIPT_ROUNDS = 3;

export function scriptOnClips(script: ClipsScript, fired: { readonly firings: number; readonly sum: number }): Figures {
  const { rules, globals = [], before = [], timed, after = [], expected = fired } = script;
  const constructs = [
    TALLY,
    ...(globals.length === 0 ? [] : [`(defglobal ${globals.map((name) => `?*${name}* = 0`).join(" ")})\n`]),
    rules,
    functionOf("before", before),
    functionOf("work", timed),
    functionOf("after", after),
  ];
  const commands = `(reset)\n(before)\n(run)\n(bind ?*firings* 0)\n(bind ?*sum* 0)\n(bind ?*start* (time))\n(work)\n(run)\n(bind ?*end* (time))\n(after)\n`;
  const answers = answersIn(clips(constructs, (commands + report("(- ?*end* ?*start*)")).repeat(SCRIPT_ROUNDS)));
  for (const answer of answers) verify(answer, expected);
  const [first] = answers;
  return { first: first?.ms ?? Number.NaN, warm: Math.min(...answers.map(({ ms }) => ms)) };
}

/** Returns the rules of a program of Sluice as CLIPS has them. */
export function rulesForClips(source: string): string {
  return translate(declarationsOf(source));
}

export function alphaOnClips(name: AlphaName, rules: number, facts: number): Figures {
  const work = alphaWork(name, rules, facts);
  const source = name === "W1" ? conjunctionRules(work) : orRules(work);
  const script = [
    TALLY,
    translate(declarationsOf(source)),
    functionOf(
      "fill",
      work.facts.map((fact) => assertion("Thing", fact)),
    ),
  ];
  const expected = plainAlpha(name, work);
  const verifying = `(reset)\n(fill)\n(run)\n${report("0")}`;
  const output = clips(script, verifying + NOTHING + FILL_AND_RUN.repeat(ROUNDS));
  for (const answer of answersIn(output)) verify(answer, expected);
  for (const firings of firingsIn(output)) verify({ firings }, { firings: expected.firings });
  return { warm: timesIn(output).warm }; // the first was not timed: it verified
}

function plainAlpha(name: AlphaName, work: AlphaWork): { firings: number; sum: number } {
  const tally = new PlainTally();
  const matcher = name === "W1" ? new Conjunctions(work) : new PermutedOrs(work);
  for (const fact of work.facts) matcher.add(fact, tally.fire);
  return { firings: tally.firings, sum: tally.sum };
}

export function ordersOnClips(name: OrderName): Figures {
  const work = orderWork(name);
  const files = name === "W2" ? ["orders"] : ["orders", "single-orders"];
  const changes = work.changes.map(
    ({ type, id, by }) => `(assert (Gone${type} (id ${id}))) (run) ${itemAssertion(by)} (run)`,
  );
  const script = [
    TALLY,
    ...files.map((file) => translate(declarationsOf(readText(`bench/programs/${file}.tsd`)))),
    ...["Order", "Customer"].map(goneRule),
    functionOf("fill", work.inserts.map(itemAssertion)),
    functionOf("change", changes),
  ];
  const commands = `(reset)\n(bind ?*start* (time))\n(fill)\n(run)\n(bind ?*middle* (time))\n(change)\n(bind ?*end* (time))\n`;
  const time = report(name === "W2" ? "(- ?*end* ?*start*)" : "(- ?*end* ?*middle*)");
  const answers = answersIn(clips(script, (commands + time).repeat(ROUNDS)));
  for (const answer of answers) verify(answer, plainOrders(name));
  return { warm: Math.min(...answers.map(({ ms }) => ms)) };
}

function goneRule(type: string): string {
  return `(deftemplate Gone${type} (slot id))
(defrule gone-${type} (declare (salience 100)) ?g <- (Gone${type} (id ?id)) ?f <- (${type} (id ?id)) => (retract ?g ?f))
`;
}

function plainOrders(name: OrderName): { firings: number; sum: number } {
  const tally = new PlainTally();
  const orders = new Orders(tally.fire, name === "W5");
  const { inserts, changes } = orderWork(name);
  for (const item of inserts) orders.add(item);
  for (const { type, id, by } of changes) {
    orders.remove(type, id);
    orders.add(by);
  }
  return { firings: tally.firings, sum: tally.sum };
}

export function programOnClips(name: "manners" | "waltz" | "waltzdb", size: number): Figures {
  const facts = Object.entries(factsOf(name, size)).flatMap(([type, all]) => all.map((one) => assertion(type, one)));
  const script = [
    readText("bench/peers/clips/junctions.clp"),
    translate(declarationsOf(readText(`bench/programs/${name}.tsd`))),
    functionOf("fill", facts),
  ];
  const firings = expectedFirings(name, size);
  const output = clips(
    script,
    `(set-strategy depth)\n(watch statistics)\n${FILL_AND_RUN.repeat(firings > MANY ? FEW_ROUNDS : ROUNDS)}`,
  );
  for (const fired of firingsIn(output)) verify({ firings: fired }, { firings });
  return { ...timesIn(output), firings };
}

function itemAssertion({ type, ...fields }: Item): string {
  return assertion(type, fields);
}

export function assertion(type: string, fields: object): string {
  const slots = Object.entries(fields).map(([name, value]) => `(${name} ${constant(value)})`);
  return `(assert (${type} ${slots.join(" ")}))`;
}

function functionOf(name: string, actions: readonly string[]): string {
  return `(deffunction ${name} ()\n${actions.join("\n")}\n)\n`;
}

function report(seconds: string): string {
  return `(printout t "ANSWER " ${seconds} " " ?*firings* " " ?*sum* crlf)\n`;
}

const FILL_AND_RUN = `(reset)\n(bind ?*start* (time))\n(fill)\n(run)\n(bind ?*end* (time))
(printout t "TIME " (- ?*end* ?*start*) crlf)\n`;

type Answered = { readonly ms: number; readonly firings: number; readonly sum: number };

function answersIn(output: string): Answered[] {
  return foundIn(output, /ANSWER (\S+) (\d+) (\d+)/gu).map(([seconds = 0, firings = 0, sum = 0]) => ({
    ms: 1000 * seconds,
    firings,
    sum,
  }));
}

function firingsIn(output: string): number[] {
  return foundIn(output, /(\d+) rules fired/gu).map(([firings = 0]) => firings);
}

/** Returns the milliseconds of the first round in a fresh process, and of the best. */
function timesIn(output: string): { readonly first: number; readonly warm: number } {
  const times = foundIn(output, /TIME (\S+)/gu).map(([seconds = 0]) => 1000 * seconds);
  return { first: times[0] ?? Number.NaN, warm: Math.min(...times) };
}

/** The numbers of each place that fits. There is one at least, or CLIPS has said something else. */
function foundIn(output: string, form: RegExp): number[][] {
  const found = Array.from(output.matchAll(form), ([, ...numbers]) => numbers.map(Number));
  if (found.length === 0) throw new WrongAnswer(`it said "${output.trim().split("\n")[0]?.slice(0, 100)}"`);
  return found;
}

const CLOCKS = "(defglobal ?*start* = 0 ?*middle* = 0 ?*end* = 0)\n";

/** Constructs are loaded as a file: given as commands, a long one would be scanned again with each of its letters. */
function clips(constructs: readonly string[], commands: string): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-clips-"));
  try {
    const program = join(folder, "program.clp");
    const script = join(folder, "script.clp");
    writeFileSync(program, CLOCKS + constructs.join(""));
    writeFileSync(script, `(unwatch all)\n(load* "${program}")\n${commands}(exit)\n`);
    const { stdout, error } = spawnSync("clips", ["-f2", script], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
      timeout: SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    if (error !== undefined && "code" in error && error.code === "ENOENT") {
      throw new CannotExpress("the command clips is not installed");
    }
    if (error !== undefined && "code" in error && error.code === "ETIMEDOUT") {
      throw new TooLong(`stopped after ${SECONDS} s`);
    }
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As it introduces itself. */
export function clipsVersion(): string {
  const { stdout } = spawnSync("clips", [], {
    input: "(exit)\n",
    encoding: "utf8",
    timeout: 5000,
    killSignal: "SIGKILL",
  });
  return /CLIPS \((\S+)/u.exec(stdout ?? "")?.[1] ?? "not installed";
}
