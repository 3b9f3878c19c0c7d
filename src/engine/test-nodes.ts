/**
 * The nodes that a test would have in the network of a program. The test is planned as the pattern of one more rule, and its
 * nodes are read from that plan: there is no second way to a name.
 */
import { refuseUnknownOptions } from "../base/known-options.ts";
import type { Code } from "../base/codes.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type * as ast from "../language/ast.ts";
import { forEachNode } from "../language/walk.ts";
import { type NetworkNode, networkNode } from "../plan/read/sharing.ts";
import { CompileError, type Program } from "./program.ts";
import { parse } from "./source.ts";

/** The file that diagnostics about a test name. */
const FILE = "<test>";

/** Options of {@link testNodes}. */
export interface TestNodesOptions {
  /** The type of the facts that are tested. */
  readonly type: string;
}

/** The nodes of a test, as {@link testNodes} returns them. */
export interface TestNodes {
  /**
   * The nodes, inputs first: one for each term of an AND, one for an OR or a mixed test. A test that follows references
   * or looks for other facts has more. `rules` lists what has the node already.
   */
  readonly nodes: readonly NetworkNode[];
  /** Warnings about the test. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the nodes that a test on facts of one type has in the network of a program. Fields may be bare or have a
 * variable before them, whatever its name: `age > 18` and `p.age > 18` are the same.
 *
 * @throws {@link CompileError} when the test has errors; places are those in the test, in the file `<test>`.
 *
 * @example
 * ```ts
 * const program = compile('type Person(#id: string, age: number) rule adult { when p: Person(age > 18) then log(p.id) }');
 * const [node] = testNodes(program, "18 < q.age", { type: "Person" }).nodes;
 * node?.text; // => "Person[.age > 18]"
 * node?.rules; // => ["adult"]
 * ```
 */
export function testNodes(program: Program, test: string, options: TestNodesOptions): TestNodes {
  refuseUnknownOptions(options, { type: true });
  const { type } = options;
  const rule = freeName(program);
  const head = (variable: string): string => `rule ${JSON.stringify(rule)} { when ${variable}${type}(`;
  const variable = variableOf(program, read(head(""), test, type), test, type);
  const source = whole(head(variable === undefined ? "" : `${variable}: `), test);
  const extended = inTest(test, () => program.extend(source, { file: FILE }));
  const { nodes } = extended.network();
  return {
    nodes: nodes
      .filter(({ rules }) => rules.includes(rule))
      .map((node) => networkNode(node, nodes))
      .filter(({ kind }) => kind !== "terminal" && kind !== "entry")
      .map((node) => ({ ...node, rules: node.rules.filter((one) => one !== rule) })),
    diagnostics: placed(extended.checked.diagnostics, test).filter(({ severity }) => severity === "warning"),
  };
}

/** Puts the test on lines of its own, so that columns stay. */
function whole(head: string, test: string): string {
  return `${head}\n${test}\n) then halt }`;
}

function freeName(program: Program): string {
  let name = "test";
  while (program.checked.symbols.rules.get(name) !== undefined) name += "'";
  return name;
}

/** Parses the test, and refuses what is not one pattern of the type: a parenthesis too many must not close the pattern. */
function read(head: string, test: string, type: string): ast.Pattern {
  const source = whole(head, test);
  const tree = parse(source, { file: FILE });
  if (tree.diagnostics.length > 0) throw new CompileError(placed(tree.diagnostics, test));
  const [rule, ...more] = tree.declarations;
  const elements = rule?.kind === "rule" && rule.body.kind === "block" ? rule.body.elements : [];
  const [pattern] = elements;
  const isOne = more.length === 0 && elements.length === 1 && pattern?.kind === "pattern";
  if (!isOne || pattern.type.name !== type)
    throw refusal(test, "this is not one test", "write one expression, such as age > 18");
  const end = source.lastIndexOf(")");
  if (pattern.span.end !== end + 1) throw refusal(test, 'unexpected ")"', "remove it, or open the parenthesis");
  if (pattern.tests.length === 0) throw refusal(test, "the test is empty", "write an expression, such as age > 18");
  return pattern;
}

/** Returns the variable that stands for the fact: the name before a dot that is nothing else. In an open program there must be one. */
function variableOf(program: Program, { tests }: ast.Pattern, test: string, type: string): string | undefined {
  const { symbols } = program.checked;
  const fields = symbols.type(type)?.fields;
  const bound = new Set<string>(program.factNames().keys());
  const roots = new Set<string>();
  forEachNode(tests, (node) => {
    const { kind, variable } = node as { kind?: unknown; variable?: ast.Ident | null };
    if ((kind === "pattern" || kind === "source") && variable) bound.add(variable.name);
    if (kind !== "path") return;
    const { root, fields: after } = node as unknown as ast.PathExpr;
    if (after.length > 0) roots.add(root.name);
  });
  const [first, second] = [...roots].filter((name) => fields?.has(name) !== true && !bound.has(name));
  if (symbols.open && second !== undefined) {
    throw refusal(
      test,
      `this is about two facts, ${first} and ${second}`,
      "use one variable, or fields without a variable",
      "E205",
    );
  }
  return first;
}

// ---------------------------------------------------------------- places

function inTest<Result>(test: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof CompileError) throw new CompileError(placed(error.diagnostics, test));
    throw error;
  }
}

/** Returns the diagnostics about the test, with their places in it. What is wrong after its end is put there. */
function placed(diagnostics: readonly Diagnostic[], test: string): Diagnostic[] {
  const lines = test.split("\n");
  const last = { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  const within = (line: number, column: number): { readonly line: number; readonly column: number } =>
    line < 2 ? { line: 1, column: 1 } : line - 1 > lines.length ? last : { line: line - 1, column };
  return diagnostics
    .filter(({ file, line }) => file === FILE && line > 1)
    .map((one) => {
      const end = within(one.endLine, one.endColumn);
      const words = one.line - 1 > lines.length ? atEnd(one) : {};
      return { ...one, ...words, ...within(one.line, one.column), endLine: end.line, endColumn: end.column };
    });
}

/** Returns what to say of an error after the end of the test, where the author wrote nothing. */
function atEnd({ message, hint }: Diagnostic): Pick<Diagnostic, "message" | "hint"> {
  if (hint?.startsWith("it closes no open bracket") === true) {
    return { message: 'there is one ")" too many', hint: "remove it, or open the parenthesis" };
  }
  const said = message.replace(/^unexpected "[^"]*"/u, "unexpected end of the test").replace(/ after "\)"$/u, "");
  return hint === undefined ? { message: said } : { message: said, hint: hint.replace(/ on line \d+ is/u, " is") };
}

function refusal(test: string, message: string, hint: string, code: Code = "E100"): CompileError {
  const lines = test.split("\n");
  const end = { endLine: lines.length, endColumn: (lines.at(-1) ?? "").length + 1 };
  return new CompileError([{ file: FILE, line: 1, column: 1, ...end, severity: "error", code, message, hint }]);
}
