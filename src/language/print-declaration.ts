/** Prints statements, each in its own layout. */
import { unreachable } from "../base/invariant.ts";
import type {
  AggregateSource,
  Attribute,
  BlockBody,
  Declaration,
  ExpectFacts,
  FieldDecl,
  Ident,
  NumberExpr,
  QueryDecl,
  RecordDecl,
  RuleDecl,
  SlashBody,
  SourceVar,
  TableDecl,
  TestDecl,
  TestItem,
  TextExpr,
  TypeDecl,
  TypeRef,
  XupleSetting,
  XupleSpaceDecl,
} from "./ast.ts";
import { Comments } from "./comments.ts";
import { type Doc, group, indent, join, render } from "./layout.ts";
import { block, bracketed, enclosed, listed, part, type Row, rowsOf, section } from "./place.ts";
import { action, actionRows, factLiteral, judged } from "./print-action.ts";
import { condition, flow, gate, guardian, pipeline } from "./print-decision.ts";
import { elementRows } from "./print-element.ts";
import { expression, LEVEL, pattern, sourceWords, value } from "./print-expression.ts";
import { type LineTexts, table, tableTexts } from "./print-table.ts";
import { labelWords, numberWords, textWords } from "./print-words.ts";

export function declaration(comments: Comments, one: Declaration): Doc {
  const printed = statement(comments, one);
  return one.private === true ? ["private ", printed] : printed;
}

function statement(comments: Comments, one: Declaration): Doc {
  switch (one.kind) {
    case "type":
      return [
        `${one.protected ? "protected " : ""}type ${one.name.name}`,
        declaredFields(comments, one),
        ...(one.expires === undefined ? [] : [" expires ", expression(comments, one.expires)]),
      ];
    case "record":
      return [`record ${one.name.name}`, declaredFields(comments, one)];
    case "fact":
      return [one.name === null ? "" : `${one.name.name} = `, factLiteral(comments, one.fact)];
    case "action":
      return [`action ${one.name.name}`, fields(comments, one.params, one.span.end)];
    case "rule":
      return rule(comments, one);
    case "condition":
      return condition(comments, one, params(comments, one));
    case "gate":
      return gate(comments, one);
    case "flow":
      return flow(comments, one);
    case "guardian":
      return guardian(comments, one);
    case "use":
      return `use guardian ${one.name.name}`;
    case "pipeline":
      return pipeline(comments, one);
    case "const":
      return [`${one.spelling} ${one.name.name} = `, value(comments, one.value)];
    case "param": {
      const head = `param ${one.name.name}: ${typeWords(one.type)}`;
      return one.default === null ? head : [head, " = ", value(comments, one.default)];
    }
    case "function":
      return [
        `function ${one.name.name}`,
        fields(comments, one.params, closing(comments, one)),
        `: ${typeWords(one.result)}${one.optional ? "?" : ""}`,
        ...(one.body === null ? [] : [" = ", expression(comments, one.body)]),
      ];
    case "alias":
      return `type ${one.name.name} = ${typeWords(one.type)}`;
    case "query":
      return query(comments, one);
    case "table":
      return table(comments, one, params(comments, one), typeWords);
    case "test":
      return test(comments, one);
    case "import":
      return `import ${textWords(one.path.value)}${one.alias === null ? "" : ` as ${one.alias.name}`}`;
    case "option":
      return `option ${one.name.name} ${optionValue(one.value)}`;
    case "remove-rule":
      return `remove rule ${labelWords(one.rule)}`;
    case "remove-fact":
      return [
        `remove fact ${one.type.name} `,
        join(
          one.keys.map((key) => expression(comments, key, LEVEL.sum)),
          ", ",
        ),
      ];
    case "reset":
      return "reset";
    case "xuple-space":
      return xupleSpace(comments, one);
    default:
      return unreachable(one);
  }
}

// ---------------------------------------------------------------- fields

function fields(comments: Comments, each: readonly FieldDecl[], end: number): Doc {
  return bracketed(comments, ["(", ")"], each, end, (one) => field(comments, one));
}

/** Prints the fields of a type or record, and `...` after them. */
function declaredFields(comments: Comments, { fields: each, more, span }: TypeDecl | RecordDecl): Doc {
  if (more === undefined) return fields(comments, each, span.end);
  const items = listed<FieldDecl | typeof more>([...each, more], (one) =>
    "name" in one ? field(comments, one) : "...",
  );
  return enclosed(comments, ["(", ")"], items, span.end);
}

function field(comments: Comments, one: FieldDecl): Doc {
  const mark = one.key ? "#" : one.at === true ? "@" : "";
  const head = `${mark}${one.name.name}: ${typeWords(one.type)}${one.optional ? "?" : ""}`;
  return one.default === null ? head : [head, " = ", value(comments, one.default)];
}

/** Returns the head and the rows of a table as they are written; each input of the head as a parameter where the table has none of its own. */
export function tableLines(one: TableDecl): readonly LineTexts[] {
  const lines = tableTexts(one, typeWords);
  if (one.from?.hasParams !== false) return lines;
  const comments = new Comments([], "");
  const params = one.params.map((param) => render(group(field(comments, param)), Number.MAX_SAFE_INTEGER));
  return lines.map((line, at) => (at === 0 ? { ...line, inputs: params } : line));
}

function typeWords(type: TypeRef): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list-of":
      return `${typeWords(type.item)}[]`;
    case "union":
      return type.options.map(optionWords).join(" | ");
    default:
      return unreachable(type);
  }
}

function optionWords(option: TextExpr | NumberExpr): string {
  return option.kind === "text" ? textWords(option.value) : numberWords(option.value);
}

function optionValue(given: Ident | NumberExpr | TextExpr): string {
  return "kind" in given ? optionWords(given) : given.name;
}

/** Prints parameters; none are printed without parentheses. */
function params(comments: Comments, one: { readonly params: readonly FieldDecl[]; readonly name: Ident }): Doc {
  return one.params.length === 0 ? [] : fields(comments, one.params, closing(comments, one));
}

/** Returns the end of the parentheses around parameters. */
function closing(comments: Comments, one: { readonly params: readonly FieldDecl[]; readonly name: Ident }): number {
  return comments.find(")", (one.params.at(-1) ?? one.name).span.end) + 1;
}

// ---------------------------------------------------------------- rule

function rule(comments: Comments, one: RuleDecl): Doc {
  const header = ["rule", labelWords(one.name), ...one.attributes.map(attributeWords)].join(" ");
  const { body } = one;
  if (body.kind === "slash") return slashRule(comments, header, body);
  const from = one.attributes.at(-1)?.span.end ?? one.name.span.end;
  return block(comments, `${header} `, from, one.span.end, () => blockRows(comments, body, one.span.end - 1));
}

function attributeWords(attribute: Attribute): string {
  switch (attribute.kind) {
    case "salience":
      return `salience ${numberWords(attribute.value)}`;
    case "group":
      return `group ${textWords(attribute.name)}`;
    case "no-loop":
    case "disabled":
      return attribute.kind;
    default:
      return unreachable(attribute);
  }
}

function blockRows(comments: Comments, body: BlockBody, end: number): Row[] {
  const when = body.span.start;
  const then = comments.find("then", body.elements.at(-1)?.span.end ?? when);
  return [
    ...section(comments, "when", when, then, () => elementRows(comments, body.elements, then)),
    ...section(comments, "then", then, end, () => actionRows(comments, body.actions, end)),
  ];
}

/** Prints a rule in the slash form: on one line, or broken before `==>` and between the actions. */
function slashRule(comments: Comments, header: string, body: SlashBody): Doc {
  const sources = body.sources.map((each) =>
    bracketed(comments, ["{", "}"], each, comments.find("}", each.at(-1)?.span.end ?? 0), (one) =>
      source(comments, one),
    ),
  );
  const test = body.test === null ? " /" : [" / ", expression(comments, body.test)];
  const [first, ...others] = listed(body.actions, (one) => action(comments, one));
  const end = body.span.end;
  const leading = first === undefined ? [] : part(comments, { ...first, word: "==> " }, end);
  const following = others.map((one) => part(comments, one, end));
  return group([header, " : ", join(sources, " / "), test, indent([leading, indent(following)])]);
}

function source(comments: Comments, one: SourceVar | AggregateSource): Doc {
  if (one.kind === "source") return sourceWords(one);
  return [`${one.variable.name}: ${one.fn.name}(`, expression(comments, one.value), ")"];
}

// ---------------------------------------------------------------- query, test, tuple space

function query(comments: Comments, one: QueryDecl): Doc {
  const header = [`query ${one.name.name}`, params(comments, one), " "];
  const from = one.params.at(-1)?.span.end ?? one.name.span.end;
  return block(comments, header, from, one.span.end, () => elementRows(comments, one.elements, one.span.end));
}

function test(comments: Comments, one: TestDecl): Doc {
  const { end } = one.span;
  return block(comments, `test ${labelWords(one.name)} `, one.name.span.end, end, () =>
    rowsOf(comments, one.items, end, (item) => testItem(comments, item)),
  );
}

function testItem(comments: Comments, item: TestItem): Doc {
  switch (item.kind) {
    case "given":
      return ["given ", item.name === null ? "" : `${item.name.name} = `, factLiteral(comments, item.fact)];
    case "given-call":
      return ["given ", expression(comments, item.call), " = ", value(comments, item.value)];
    case "clock":
      return ["clock ", expression(comments, item.at)];
    case "advance":
      return ["advance ", expression(comments, item.by)];
    case "expect-rule":
      return `expect rule ${labelWords(item.rule)} fires${item.times === null ? "" : ` ${numberWords(item.times)}`}`;
    case "expect-effect":
      return [item.isAbsent ? "expect no effect " : "expect effect ", action(comments, item.effect)];
    case "expect-gate":
      return ["expect gate ", judged(comments, item.gate, item.args), ` is ${item.outcome}`];
    case "expect-verdict":
      return ["expect guardian ", judged(comments, item.guardian, item.args), ` is ${item.verdict}`];
    case "expect-decision":
      return ["expect pipeline ", judged(comments, item.pipeline, item.args), ` is ${item.decision}`];
    case "expect-facts":
      return ["expect ", countWords(item), pattern(comments, item.pattern)];
    default:
      return unreachable(item);
  }
}

function countWords(item: ExpectFacts): string {
  if (item.count === null) return "";
  return item.count === 0 ? "no " : `${numberWords(item.count)} `;
}

function xupleSpace(comments: Comments, one: XupleSpaceDecl): Doc {
  const { end } = one.span;
  return block(comments, `xuple-space ${one.name.name} `, one.name.span.end, end, () =>
    rowsOf(comments, one.settings, end, (setting) => {
      const data = setting.value;
      if (!("kind" in data)) return `${setting.name.name}: ${data.name}`;
      return `${setting.name.name}: ${settingWords(data)}`;
    }),
  );
}

function settingWords(data: Exclude<XupleSetting["value"], Ident>): string {
  switch (data.kind) {
    case "number":
      return numberWords(data.value);
    case "duration":
      return `duration(${data.text})`;
    case "limited":
      return `limited(${numberWords(data.count)})`;
    default:
      return unreachable(data);
  }
}
