/**
 * Hidden text: random phrases are found in random disguises, and random clean strings give no hit. docs/guardian.md lists the
 * disguises.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fold } from "../../src/base/fold.ts";
import { phrasesIn, secretsIn, wordsIn } from "../../src/base/phrases.ts";
import { compile } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzабвгдежαβγδ0123456789日本กขคनमかき한국");
const word = fc.string({ unit: letter, minLength: 2, maxLength: 8 });
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));

/** Everything that takes no room or shows as a blank, from the tables of Unicode and not from the code that folds. */
const HIDDEN = codePoints(
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Noncharacter_Code_Point}]/u,
  /\s|\u0085/u,
).concat([..."\v\f\u0085\u2028\u2029\u2800\ufffc\u115f\u1160\u3164\uffa0\ue000\u{1d159}"]);
const MARKS = codePoints(
  /[\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u0e34-\u0e3a]/u,
);
/** These change no word of any script. */
const COMMON_MARKS = codePoints(/[\u0300-\u036f\u20d0-\u20f0]/u);
const SPACES = codePoints(/[\s\p{Zs}\u0085_\p{Pd}]/u);

/** U+FEFF is white space to JavaScript and nothing to a reader: it is in neither list. */
function codePoints(wanted: RegExp, not = /\ufeff/u): string[] {
  return Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => wanted.test(one) && !not.test(one));
}

const hidden = fc.array(fc.constantFrom(...HIDDEN), { maxLength: 3 }).map((some) => some.join(""));
const marks = fc.array(fc.constantFrom(...MARKS), { maxLength: 40 }).map((some) => some.join(""));
const commonMarks = fc.array(fc.constantFrom(...COMMON_MARKS), { maxLength: 40 }).map((some) => some.join(""));
const space = fc.array(fc.constantFrom(...SPACES), { minLength: 1, maxLength: 3 });
const gap = fc.oneof(
  fc.tuple(hidden, space, hidden).map(([before, some, after]) => before + some.join("\u200d") + after),
  fc.constantFrom(...HIDDEN),
);

/** Full-width and mathematical letters, capitals. */
const shape = fc.constantFrom<(one: string) => string>(
  (one) => one,
  (one) => one.toUpperCase(),
  (one) => shifted(one, "!", "~", 0xff01),
  (one) => shifted(one, "a", "z", 0x1d41a),
  (one) => one.normalize("NFD"),
);

function shifted(one: string, from: string, to: string, start: number): string {
  return one >= from && one <= to ? String.fromCodePoint(one.charCodeAt(0) - from.charCodeAt(0) + start) : one;
}

const disguise = fc.record({
  hidden: fc.infiniteStream(hidden),
  marks: fc.infiniteStream(marks),
  commonMarks: fc.infiniteStream(commonMarks),
  gap: fc.infiniteStream(gap),
  shape: fc.infiniteStream(shape),
  rate: fc.infiniteStream(fc.nat(3)),
});
type Disguise = typeof disguise extends fc.Arbitrary<infer Given> ? Given : never;

function next<T>(stream: fc.Stream<T>): T {
  const { value, done } = stream.next();
  if (done === true) throw new Error("the stream ended");
  return value;
}

function disguised(plain: string, by: Disguise): string {
  const some = (stream: fc.Stream<string>): string => (next(by.rate) === 0 ? next(stream) : "");
  return [...plain]
    .map((one) => {
      if (one === " ") return next(by.gap);
      const above = some(/[กขคनमかき]/u.test(one) ? by.commonMarks : by.marks);
      return some(by.hidden) + next(by.shape)(one) + above + some(by.hidden);
    })
    .join("");
}

const clean = fc.string({ unit: fc.oneof(letter, fc.constantFrom(..." .,;!?\n")), maxLength: 30 });

test(
  "a phrase is found in every disguise that folding covers",
  () => {
    fc.assert(
      fc.property(phrase, disguise, clean, clean, (plain, by, before, after) => {
        const text = `${before}. ${disguised(plain, by)} ${after}`;
        expect(phrasesIn(text, [plain]), JSON.stringify(text)).toEqual([plain]);
        expect(wordsIn(text, [plain]), JSON.stringify(text)).toEqual([plain]);
        expect(secretsIn(`${before}. ${disguised(plain, by)}=1`, [plain])).toEqual([plain]);
      }),
      { numRuns: runs(), seed: 11 },
    );
  },
  PATIENT,
);

test(
  "the standard guardian refuses it, in the query and in the draft",
  () => {
    const session = compile("use guardian standard").session();
    fc.assert(
      fc.property(phrase, disguise, (plain, by) => {
        session.upsert("GuardianPhrases", { name: "sensitive_topics", phrases: [plain] }, { role: "policy" });
        session.upsert("Draft", { id: "q", request_type: "CASUAL", query: `so ${disguised(plain, by)}`, draft: "So." });
        session.upsert("Draft", { id: "d", request_type: "CASUAL", query: "?", draft: `so ${disguised(plain, by)}` });
        const contract = session.assert("Contract", { draft: "d", forbidden_content: [plain] });
        expect(session.verdict("standard", "Draft~q").reasons).toEqual(["query_contains_sensitive_topic"]);
        expect(session.verdict("standard", "Draft~d").reasons).toEqual([`forbidden_content_detected=['${plain}']`]);
        session.retract(contract);
      }),
      { numRuns: runs(2000), seed: 12 },
    );
  },
  PATIENT,
);

/** As a person compares: the letters of both without their marks, with single blanks. */
function asRead(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/gu, "")
    .toLowerCase()
    .replace(/[\s\-_]+/gu, " ")
    .replaceAll("ς", "σ");
}

const visibleText = fc.string({
  unit: fc.oneof(letter, fc.constantFrom(..."abAB éÉñ äößйёάώ-_ .,\n日本がぎกขกั각한कि")),
  maxLength: 40,
});

test(
  "a clean string gives a hit only where a reader sees the phrase",
  () => {
    fc.assert(
      fc.property(visibleText, fc.string({ unit: letter, minLength: 1, maxLength: 2 }), (text, wanted) => {
        const seen = asRead(text).replaceAll("ß", "ss").normalize("NFC");
        expect(phrasesIn(text, [wanted])).toEqual(seen.includes(wanted) ? [wanted] : []);
      }),
      { numRuns: runs(), seed: 13 },
    );
  },
  PATIENT,
);

test("folding twice changes nothing, for every character", { timeout: PATIENT }, () => {
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const folded = fold(`x${String.fromCodePoint(code)}y`);
    if (folded !== fold(folded ?? "")) expect(folded, code.toString(16)).toBe(fold(folded ?? ""));
  }
});
