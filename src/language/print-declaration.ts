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
  QueryDecl,
  RuleDecl,
  SlashBody,
  SourceVar,
  TestDecl,
  TestItem,
  TypeRef,
  XupleSetting,
  XupleSpaceDecl,
} from "./ast.ts";
import type { Comments } from "./comments.ts";
import { type Doc, group, indent, join } from "./layout.ts";
import { block, bracketed, listed, part, type Row, rowsOf, section } from "./place.ts";
import { action, factLiteral, judged } from "./print-action.ts";
import { condition, flow, gate, guardian, pipeline } from "./print-decision.ts";
import { elementRows } from "./print-element.ts";
import { expression, LEVEL, pattern, sourceWords, value } from "./print-expression.ts";
import { labelWords, numberWords, textWords } from "./print-words.ts";

export function declaration(comments: Comments, one: Declaration): Doc {
  switch (one.kind) {
    case "type":
      return [`${one.protected ? "protected " : ""}type ${one.name.name}`, fields(comments, one.fields, one.span.end)];
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
    case "list-decl":
      return [
        `list ${one.name.name} = `,
        bracketed(comments, ["[", "]"], one.items, one.span.end, (item) => value(comments, item)),
      ];
    case "query":
      return query(comments, one);
    case "test":
      return test(comments, one);
    case "import":
      return `import ${textWords(one.path.value)}`;
    case "option":
      return `option ${one.name.name} ${"kind" in one.value ? numberWords(one.value.value) : one.value.name}`;
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

function field(comments: Comments, one: FieldDecl): Doc {
  const head = `${one.key ? "#" : ""}${one.name.name}: ${typeWords(one.type)}${one.optional ? "?" : ""}`;
  return one.default === null ? head : [head, " = ", value(comments, one.default)];
}

function typeWords(type: TypeRef): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list-of":
      return `${typeWords(type.item)}[]`;
    case "union":
      return type.options.map((option) => textWords(option.value)).join(" | ");
    default:
      return unreachable(type);
  }
}

/** Prints parameters; none are printed without parentheses. */
function params(comments: Comments, one: { readonly params: readonly FieldDecl[] }): Doc {
  const last = one.params.at(-1);
  return last === undefined ? [] : fields(comments, one.params, comments.find(")", last.span.end) + 1);
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
    ...section(comments, "then", then, end, () => rowsOf(comments, body.actions, end, (one) => action(comments, one))),
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
    case "expect-rule":
      return `expect rule ${labelWords(item.rule)} fires${item.times === null ? "" : ` ${numberWords(item.times)}`}`;
    case "expect-effect":
      return ["expect effect ", action(comments, item.effect)];
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
