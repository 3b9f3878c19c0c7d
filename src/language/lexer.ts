/**
 * Splits a source into tokens, one at a time, on demand.
 *
 * moo finds the pieces; this file decides what they are: a word is reserved, a verb of an action, or a plain name;
 * strings lose their quotes and escapes; comments go to a separate list. An error inside a single token
 * (a string that is not closed, a number that is too large) is reported here, and lexing continues after it.
 *
 * Nesting is counted here, before any parsing: brackets and prefix operators that are open at the same time. Past the
 * limit the parser gets one `limit` token, and the source is skipped up to the next line that starts a statement.
 */
import moo from "moo";
import type { Limits } from "../base/limits.ts";
import type { Report } from "../base/diagnostic.ts";
import type { Span } from "../base/span.ts";
import { readTime } from "../base/time.ts";
import { AMOUNT, NUMBER, QUANTITY, RESERVED, TIME, VERBS, WAIT, WORD } from "./lexemes.ts";

type LexemeType =
  | "word"
  | "verb"
  | "reserved"
  | "text"
  | "template"
  | "template_head"
  | "template_middle"
  | "template_tail"
  | "number"
  | "quantity"
  | "time"
  | "amount"
  | "wait"
  | "symbol"
  | "bad"
  | "limit";

export interface Lexeme {
  readonly type: LexemeType;
  /**
   * The text that literals of the grammar are compared with: keywords in lower case, `and`/`or`/`not` also for their
   * symbols.
   */
  readonly text: string;
  /** A name as written, a string without quotes and escapes, or a number. */
  readonly value: string | number;
  readonly start: number;
  readonly end: number;
}

export interface Comment {
  /** The text as written, with its `//`, `/*` or `#`. */
  readonly text: string;
  readonly span: Span;
}

const SYMBOL_WORDS = new Map([
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
]);

const SYMBOLS = /\.\.\.|\.\.|==>|==|!=|<=|>=|&&|\|\||[<>!=+\-*/%()[\]{},:.;|?@]/u;

/** A lexer of moo with `clone`, which its published types lack. */
type CloneableLexer = moo.Lexer & { clone(): moo.Lexer };

/** The text of a template between its quotes and braces: `{{` and `}}` are braces. */
const TEMPLATE_TEXT = String.raw`(?:[^"\\{}\n]|\\u\{[0-9a-fA-F]{1,8}\}|\\(?!u\{[0-9a-fA-F]{1,8}\}).|\{\{|\}\})*`;
const HOLE = String.raw`\{(?!\{)`;

const COMMON: moo.Rules = {
  blank: { match: /[\s\ufeff]+/u, lineBreaks: true },
  lineComment: /\/\/[^\n]*/u,
  blockComment: { match: /\/\*[^]*?\*\//u, lineBreaks: true },
  openComment: /\/\*/u,
  hash: /#/u,
  text: /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'/u,
  openText: /["'][^\n]*/u,
  time: TIME,
  amount: AMOUNT,
  quantity: QUANTITY,
  number: NUMBER,
  wait: WAIT,
  word: WORD,
};

const REST: moo.Rules = {
  symbol: SYMBOLS,
  other: { match: /[^]/u, lineBreaks: true },
};

const OPENING: moo.Rules = {
  template: new RegExp(`\\$"${TEMPLATE_TEXT}"`, "u"),
  template_head: { match: new RegExp(`\\$"${TEMPLATE_TEXT}${HOLE}`, "u"), push: "hole" },
  openTemplate: /\$"[^\n]*/u,
};

/** In a hole of a template `}` ends the hole; braces of its own are counted, so that an object can stand in it. */
const PIECES: moo.Lexer = moo.states({
  main: { ...OPENING, ...COMMON, ...REST },
  hole: {
    ...OPENING,
    template_middle: new RegExp(`\\}${TEMPLATE_TEXT}${HOLE}`, "u"),
    template_tail: { match: new RegExp(`\\}${TEMPLATE_TEXT}"`, "u"), pop: 1 },
    openTail: { match: /\}[^\n]*/u, pop: 1 },
    ...COMMON,
    openBrace: { match: /\{/u, push: "braces" },
    ...REST,
  },
  braces: {
    ...OPENING,
    ...COMMON,
    openBrace: { match: /\{/u, push: "braces" },
    closeBrace: { match: /\}/u, pop: 1 },
    ...REST,
  },
});

/** A line that begins a statement, to skip text that must not be read token by token. */
const STATEMENT_LINE =
  /^[ \t]*(?:private[ \t]+)?(?:type|protected[ \t]+type|action|rule|condition|gate|flow|guardian|use|pipeline|record|list|const|query|table|test|import|option|remove|reset|xuple-space)\b/gimu;

export class Lexer {
  readonly comments: Comment[] = [];
  readonly #report: Report;
  readonly #limits: Limits;
  readonly #keywords: ReadonlySet<string>;
  readonly #text: string;
  readonly #pieces: moo.Lexer = (PIECES as CloneableLexer).clone();
  /** The offset of moo's text in the whole source; it is set again when text is skipped. */
  #base = 0;
  #previous: Lexeme | undefined;
  /** For each open bracket, how many levels it and the prefix operators before it added. */
  #open: number[] = [];
  #depth = 0;
  #prefixes = 0;
  #afterOperand = false;
  /** The number of `at least` in this statement: each may be inside the one before it. */
  #quorums = 0;
  /** The number of tokens of this statement so far. */
  #length = 0;
  #ended = false;
  #skipped = false;
  #position = 0;
  /** True between the word `type`, or `record` at the beginning of a statement, and the bracket that closes its fields. */
  #inType = false;
  /** True when the statement begins with the word `table`: between its braces `||` is no `or`. */
  #isTable = false;
  /** The first word of the statement. */
  #first: string | undefined;

  constructor(report: Report, keywords: ReadonlySet<string>, limits: Limits) {
    this.#report = report;
    this.#limits = limits;
    this.#keywords = keywords;
    this.#text = report.source.text;
    this.continueAt(0);
  }

  /**
   * Forgets open brackets. Call it at the start of a statement, with the tokens of it that were read already; returns them as
   * tokens of this statement: what `||` is depends on where it stands.
   */
  beginStatement(read: readonly Lexeme[]): Lexeme[] {
    this.#open = [];
    this.#depth = 0;
    this.#prefixes = 0;
    this.#quorums = 0;
    this.#afterOperand = false;
    this.#length = read.length;
    this.#beginWith(read[0]);
    if (read[1] !== undefined) this.#continueWith(read[1]);
    return read.map((lexeme) => {
      const now = lexeme.type === "symbol" && lexeme.value === "||" ? { ...lexeme, text: this.#symbol("||") } : lexeme;
      this.#count(now);
      return now;
    });
  }

  /** Takes the first token of a statement. */
  #beginWith(first: Lexeme | undefined): void {
    this.#first = first?.text;
    this.#isTable = first?.text === "table";
    this.#inType = first?.text === "record";
  }

  /** Takes the second token of a statement: after `private`, the first one of what is private. */
  #continueWith({ text }: Lexeme): void {
    if (this.#first !== "private") return;
    this.#isTable = text === "table";
    this.#inType = text === "record";
  }

  /** Returns the next token; undefined at the end of the text. */
  next(): Lexeme | undefined {
    while (!this.#ended) {
      const piece = this.#pieces.next();
      if (piece === undefined) return undefined;
      this.#position = this.#base + piece.offset + piece.text.length;
      const lexeme = this.#classify(piece.type ?? "other", piece.text, this.#base + piece.offset);
      if (lexeme === undefined) continue;
      this.#previous = lexeme;
      if (this.#length === 0) this.#beginWith(lexeme);
      else if (this.#length === 1) this.#continueWith(lexeme);
      if (!this.#count(lexeme)) return this.#skipNesting(lexeme);
      this.#length += 1;
      return this.#length <= this.#limits.statementLexemes ? lexeme : this.#skipLength(lexeme);
    }
    return undefined;
  }

  /** Returns whether all text so far was read: false after an unclosed comment, or past a limit. */
  get readAll(): boolean {
    return !this.#ended && !this.#skipped;
  }

  /** Returns the offset up to which the text was read. */
  get position(): number {
    return this.#position;
  }

  /** Continues at an offset: where a statement starts, or after text that was read in another way. */
  continueAt(offset: number): void {
    this.#readFrom(offset);
  }

  /** Reads on at an offset; with a state, inside the templates that were open there. */
  #readFrom(offset: number, state?: moo.LexerState): void {
    this.#pieces.reset(this.#text.slice(offset), state);
    this.#base = offset;
    this.#position = offset;
  }

  #classify(type: string, text: string, start: number): Lexeme | undefined {
    const end = start + text.length;
    switch (type) {
      case "blank":
        return undefined;
      case "lineComment":
      case "blockComment":
        this.comments.push({ text: text.trimEnd(), span: { start, end } });
        return undefined;
      case "openComment":
        this.#report.error("E103", { start, end }, "this comment is not closed", 'close it with "*/"');
        this.#ended = true;
        return undefined;
      case "word":
        return this.#word(text, start, end);
      case "text":
        return { type: "text", text, value: this.#unescape(text, start), start, end };
      case "template":
      case "template_head":
      case "template_middle":
      case "template_tail":
        return { type, text, value: this.#templateText(text, start), start, end };
      case "openTail":
        this.#report.error(
          "E102",
          { start, end: end - (text.endsWith("\r") ? 1 : 0) },
          "this template is not closed on the line where it starts",
          'close it with "; write a brace as }} or {{',
        );
        return { type: "bad", text, value: text, start, end };
      case "openTemplate":
      case "openText":
        this.#report.error(
          "E102",
          { start, end: end - (text.endsWith("\r") ? 1 : 0) },
          "this string is not closed on the line where it starts",
          `close it with ${text.startsWith("$") ? '"' : text.charAt(0)}; write a line break inside a string as \\n`,
        );
        return { type: "bad", text, value: text, start, end };
      case "number":
        return { type: "number", text, value: this.#number(text, start, end), start, end };
      case "quantity":
        return { type: "quantity", text, value: text, start, end };
      case "time":
        return { type: "time", text, value: this.#time(text.slice(1), start, end), start, end };
      case "amount":
        return { type: "amount", text, value: text, start, end };
      case "wait":
        return { type: "wait", text: "wait until", value: text, start, end };
      case "hash":
        return this.#hash(start);
      case "openBrace":
      case "closeBrace":
      case "symbol":
        return { type: "symbol", text: this.#symbol(text), value: text, start, end };
      default:
        return { type: "bad", text, value: text, start, end };
    }
  }

  /** Returns the text that the grammar knows a symbol by. Directly between the braces of a table `||` parts its columns. */
  #symbol(text: string): string {
    if (text === "||" && this.#isTable && this.#open.length === 1) return text;
    return SYMBOL_WORDS.get(text) ?? text;
  }

  /**
   * Handles a `#`. At the start of a line it begins an old comment, except among the fields of a type, where it may
   * mark a key.
   */
  #hash(start: number): Lexeme | undefined {
    const before = this.#previous?.text ?? "";
    const inFields = this.#inType && FIELD_BEGINS.has(before) && matchesAt(KEY_FIELD, this.#text, start);
    if (inFields || !this.#beginsLine(start)) return { type: "symbol", text: "#", value: "#", start, end: start + 1 };
    const lineEnd = this.#text.indexOf("\n", start);
    const end = lineEnd < 0 ? this.#text.length : lineEnd;
    this.comments.push({ text: this.#text.slice(start, end).trimEnd(), span: { start, end } });
    this.#readFrom(end, this.#pieces.save());
    return undefined;
  }

  #beginsLine(offset: number): boolean {
    let at = offset - 1;
    while (this.#text[at] === " " || this.#text[at] === "\t") at -= 1;
    return at < 0 || this.#text[at] === "\n";
  }

  #word(text: string, start: number, end: number): Lexeme {
    const folded = text.toLowerCase();
    if (RESERVED.has(folded)) return { type: "reserved", text: folded, value: text, start, end };
    if (VERBS.has(folded)) return { type: "verb", text: folded, value: text, start, end };
    return { type: "word", text: this.#keywords.has(folded) ? folded : text, value: text, start, end };
  }

  #number(text: string, start: number, end: number): number {
    const value = Number(text);
    if (!Number.isFinite(value)) {
      this.#report.error("E110", { start, end }, `number ${text} is too large`, "the largest number is about 1.8e308");
    } else if (/^\d{16,}$/.test(text) && BigInt(text) !== BigInt(value)) {
      this.#report.error(
        "E111",
        { start, end },
        `number ${text} cannot be stored exactly`,
        `the nearest number is ${BigInt(value)}; write long identifiers as strings`,
      );
    }
    return value;
  }

  /** Returns a date or instant as written, and reports one that does not exist. */
  #time(written: string, start: number, end: number): string {
    const read = readTime(/T/iu.test(written) ? "instant" : "date", written);
    if ("fault" in read) {
      const hint = "write a date as @2026-11-16, and an instant as @2026-11-16T09:30:00Z";
      this.#report.error("E112", { start, end }, `@${written} ${read.fault}`, hint);
    }
    return written;
  }

  /** Returns a piece of a template without its quotes and braces; `{{` and `}}` are one brace each. */
  #templateText(piece: string, start: number): string {
    const from = piece.startsWith("$") ? 2 : 1;
    const single = piece.slice(from - 1).replace(BRACES, (found) => (found.startsWith("\\") ? found : found.charAt(0)));
    return this.#unescape(single, start + from - 1);
  }

  #unescape(quoted: string, start: number): string {
    if (quoted.length - 2 > this.#limits.text) {
      this.#report.error(
        "E303",
        { start, end: start + quoted.length },
        `this string has ${quoted.length - 2} characters; the limit is ${this.#limits.text}`,
        "load long strings from a facts file",
      );
      return "";
    }
    const inner = quoted.slice(1, -1);
    if (!inner.includes("\\")) return inner;
    return inner.replace(ESCAPE, (escape: string, hex: string | undefined, offset: number) =>
      this.#escape(escape, hex, { start: start + 1 + offset, end: start + 1 + offset + escape.length }),
    );
  }

  /**
   * Returns the character of an escape. An unknown escape is kept as written, so that `"\\d+"` and `"100\\%"` are
   * patterns.
   */
  #escape(escape: string, hex: string | undefined, span: Span): string {
    if (hex === undefined) return ESCAPES.get(escape) ?? escape;
    const point = Number.parseInt(hex, 16);
    if (point > 0x10ffff) {
      this.#report.error("E107", span, `${escape} is not a character`, "the highest code point is \\u{10FFFF}");
      return escape;
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      this.#report.error(
        "E406",
        span,
        `${escape} is an unpaired surrogate`,
        "write the whole character, such as \\u{1F600}",
      );
      return escape;
    }
    return String.fromCodePoint(point);
  }

  /** Counts brackets and prefix operators; returns false when the limit is passed. */
  #count(lexeme: Lexeme): boolean {
    const { text, type } = lexeme;
    if (type === "template_head" || (type === "symbol" && (text === "(" || text === "[" || text === "{"))) {
      this.#open.push(this.#prefixes + 1);
      this.#depth += this.#prefixes + 1;
      this.#prefixes = 0;
    } else if (type === "template_tail" || (type === "symbol" && (text === ")" || text === "]" || text === "}"))) {
      this.#depth -= this.#open.pop() ?? 0;
      this.#prefixes = 0;
    } else if (text === "not" || text === "exists" || (text === "-" && !this.#afterOperand)) {
      this.#prefixes += 1;
    } else {
      this.#prefixes = 0;
    }
    if (type === "template_head" || type === "template_middle") this.#afterOperand = false;
    else this.#afterOperand = type !== "symbol" ? type !== "reserved" : text === ")" || text === "]";
    if (text === "least") this.#quorums += 1;
    if (this.#open.length === 0) this.#inType = text === "type" || (this.#inType && text !== ")" && text !== ">");
    return this.#depth + this.#prefixes + this.#quorums <= this.#limits.nesting;
  }

  #skipNesting(lexeme: Lexeme): Lexeme {
    const message = `nested more than ${this.#limits.nesting} levels deep`;
    this.#report.error("E301", lexeme, message, "split the expression into named parts");
    return this.#skipStatement(lexeme);
  }

  #skipLength(lexeme: Lexeme): Lexeme {
    const message = `this statement has more than ${this.#limits.statementLexemes} tokens`;
    this.#report.error("E307", lexeme, message, "split it into several statements, or load the facts from a data file");
    return this.#skipStatement(lexeme);
  }

  /** Continues at the next line that starts a statement, without lexing what is before it. */
  #skipStatement({ start, end }: Lexeme): Lexeme {
    this.#skipped = true;
    STATEMENT_LINE.lastIndex = end;
    const found = STATEMENT_LINE.exec(this.#text);
    this.continueAt(found === null ? this.#text.length : found.index);
    return { type: "limit", text: "", value: "", start, end };
  }
}

/** The characters before a field of a type. */
const FIELD_BEGINS = new Set(["(", ",", "<"]);

/** A key: `#id…`, or `# id: string` with a space when a whole field declaration follows. */
const KEY_FIELD = new RegExp(
  `#(?:${WORD.source}|[ \\t]+${WORD.source}[ \\t]*:[ \\t]*(?:${WORD.source}(?:[ \\t]*\\[[ \\t]*\\])?|"[^"\\n]*"|'[^'\\n]*')` +
    `[ \\t\\r]*(?:[?=,)>|]|//|/\\*|$))`,
  "muy",
);

function matchesAt(shape: RegExp, text: string, at: number): boolean {
  shape.lastIndex = at;
  return shape.test(text);
}

/** Escapes, which stay, and doubled braces. */
const BRACES = /\\u\{[0-9a-fA-F]{1,8}\}|\\[^]|\{\{|\}\}/gu;

const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,8})\}|[^])/gu;

const ESCAPES = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\r", "\r"],
  ["\\\\", "\\"],
  ['\\"', '"'],
  ["\\'", "'"],
]);

const KINDS: ReadonlySet<string> = new Set([
  ...["word", "verb", "reserved", "text", "number", "quantity", "time", "amount", "wait"],
  ...["template", "template_head", "template_middle", "template_tail"],
]);

/** The interface that the generated grammar requires of its lexer: which kinds of token there are. */
export const lexer = {
  has: (type: string): boolean => KINDS.has(type),
};
