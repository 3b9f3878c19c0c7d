/** A program that was changed by `extend` and `without`, one rule at a time, is the program of all its files compiled at once. */
import { expect, test } from "vitest";
import { compileFiles, type Plan, type Program, type RuleSession } from "../../src/index.ts";
import { inputsOf } from "../../src/plan/read/inputs.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { type Rule, rulesSource, TYPES } from "../support/engine-program.ts";
import { forAllCases } from "../support/minimise.ts";
import { engineTexts, expectSame, Rig } from "../support/rig.ts";

/** A plan in words: what each node does to which inputs, for which rules. The ids of nodes are left out. */
function inWords({ nodes, rules }: Plan): unknown {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const words = nodes.map((node) => {
    const inputs = inputsOf(node).map((input) => (input === undefined ? "root" : names.get(input)));
    return JSON.stringify([node.name, node.text, node.rules, "words" in node ? node.words : "", inputs]);
  });
  return { nodes: words.sort(), rules };
}

/** Everything that a session has found and kept. */
function stateOf(session: RuleSession, rules: Iterable<string>): unknown {
  const byName = new Map(session.program.network().nodes.map(({ id, name }) => [id, name]));
  const counts = [...session.nodeCounts()].map(([id, count]) => `${byName.get(id)} ${count}`).sort();
  const agenda = session
    .agenda()
    .map((one) => JSON.stringify(one))
    .sort();
  const [first] = rules;
  const why = first === undefined ? undefined : session.whyNot(first);
  return { counters: session.counters(), counts, agenda, why };
}

/** Files and sessions that follow the same changes of one program. */
class Changing {
  readonly files: { readonly file: string; readonly source: string }[] = [{ file: "rules.tsd", source: TYPES }];
  program: Program = compileFiles(this.files);
  readonly session: RuleSession = this.program.session({ facts: "none" });
  readonly #first: Program = this.program;
  /** Reloads only every third change, so that a reload has more than one rule to do with. */
  readonly late: RuleSession = this.program.session({ facts: "none" });
  /** Reloads the changed programs and programs compiled at once in turn. */
  readonly mixed: RuleSession = this.program.session({ facts: "none" });
  /** Sessions that stay with the program of one moment, which other sessions have left. */
  readonly left: { readonly session: RuleSession; readonly files: Changing["files"] }[] = [];
  #steps: { readonly type: string; readonly fields: object }[] = [];

  add(name: string, rule: Rule): void {
    this.#change("extension", rulesSource(new Map([[name, rule]])), (source) => this.program.extend(source));
  }

  remove(name: string): void {
    this.#change("without", `remove rule "${name}"`, () => this.program.without(name));
  }

  #change(kind: string, source: string, change: (source: string) => Program): void {
    const count = this.files.length + 1;
    if (count % 4 === 0) this.left.push({ session: this.#filled(this.program), files: [...this.files] });
    this.program = change(source);
    this.files.push({ file: `${kind}-${this.files.length}.tsd`, source });
    this.session.reload(this.program);
    if (count % 3 === 0) this.late.reload(this.program);
    this.mixed.reload(count % 3 === 0 ? compileFiles(this.files) : this.program);
  }

  assert(step: { readonly type: string; readonly fields: object }): void {
    this.#steps.push(step);
    const fields = step.fields as Readonly<Record<string, string>>;
    for (const session of [this.session, this.late, this.mixed, ...this.left.map((one) => one.session)])
      session.assert(step.type, fields);
  }

  /** Returns a session with the facts so far: one that is reloaded to a program, like others that leave it again. */
  #filled(program: Program): RuleSession {
    const session = this.#first.session({ facts: "none" });
    for (const { type, fields } of this.#steps) session.assert(type, fields as Readonly<Record<string, string>>);
    session.reload(program);
    return session;
  }

  compare(steps: readonly { readonly type: string; readonly fields: object }[], rig: Rig): void {
    const fresh = compileFiles(this.files);
    const { rules } = rig.history;
    expect(this.program.hash).toBe(fresh.hash);
    expect(this.program.checked.diagnostics).toEqual(fresh.checked.diagnostics);
    expect(inWords(this.program.network())).toEqual(inWords(fresh.network()));
    expectSame(rig.texts(), engineTexts(this.session, rules.keys()), () => rig.story());
    const opened = (program: Program): RuleSession => {
      const session = program.session({ facts: "none" });
      for (const { type, fields } of steps) session.assert(type, fields as Readonly<Record<string, string>>);
      return session;
    };
    this.late.reload(this.program);
    this.mixed.reload(this.program);
    const state = stateOf(opened(fresh), rules.keys());
    for (const session of [this.session, this.late, this.mixed]) expect(stateOf(session, rules.keys())).toEqual(state);
    for (const { session, files } of this.left) {
      expect(stateOf(session, [])).toEqual(stateOf(opened(compileFiles(files)), []));
    }
    expect(inWords(this.#first.network())).toEqual(inWords(compileFiles(this.files.slice(0, 1)).network()));
  }
}

function changesAgree(one: Case): void {
  const rig = new Rig(SMALL, one.rules);
  const rules = [...rig.history.rules];
  const changing = new Changing();
  const steps: { readonly type: string; readonly fields: object }[] = [];
  const assertNext = (): void => {
    const fact = one.facts[steps.length];
    const step = fact === undefined ? undefined : rig.history.plan({ is: "assert", fact });
    if (step?.is !== "assert") return;
    rig.apply(step);
    changing.assert(step);
    steps.push(step);
  };
  for (const [at, [name, rule]] of rules.entries()) {
    changing.add(name, rule);
    assertNext();
    const [earlier, again] = rules[(at * 7) % (at + 1)] ?? [];
    if (earlier === undefined || again === undefined || at % 2 === 1) continue;
    changing.remove(earlier);
    assertNext();
    changing.add(earlier, again);
  }
  changing.compare(steps, rig);
}

test(
  "programs that are changed rule by rule, and their sessions, equal those compiled at once",
  () => {
    forAllCases(SMALL, runs(200), changesAgree);
  },
  PATIENT,
);
