/** Functions that fold a string before they look through it. A string or phrase that cannot be folded is refused. */
import { fold, notFolded } from "../../base/fold.ts";
import { missingSections, phrasesIn, secretsIn, wordsIn, writtenIn } from "../../base/phrases.ts";
import type { Maybe } from "../../base/value.ts";
import { isTexts, onText, onTextAndList } from "../arguments.ts";
import { type BuiltInFunction, listOf, need, type Refusal, STRING } from "../built-in.ts";

const TEXT = need("text", STRING);
const PHRASES = need("phrases", listOf(STRING));

export const PHRASE_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "folded",
    signature: { params: [TEXT], result: STRING },
    summary: "the string as phrases are compared, see below",
    example: { call: 'folded("Café-Bar")', gives: "cafe bar" },
    compute: onText(fold),
    refuses: ([text]) => (typeof text === "string" ? refused(text) : undefined),
  },
  {
    name: "phrases_in",
    signature: { params: [TEXT, PHRASES], result: listOf(STRING) },
    summary: "the phrases that occur in the string",
    example: { call: 'phrases_in("Wire  the money", ["wire the", "cash"])', gives: ["wire the"] },
    compute: onTextAndList(phrasesIn),
    refuses: refusesTextAndList,
    finds: true,
  },
  {
    name: "words_in",
    signature: { params: [TEXT, PHRASES], result: listOf(STRING) },
    summary: "the phrases that occur in the string as whole words",
    example: { call: 'words_in("A red pineapple", ["red", "apple"])', gives: ["red"] },
    compute: onTextAndList(wordsIn),
    refuses: refusesTextAndList,
    finds: true,
  },
  {
    name: "secrets_in",
    signature: { params: [TEXT, need("names", listOf(STRING))], result: listOf(STRING) },
    summary: "the names that are followed by `=` or `:` and a value; bearer tokens",
    example: { call: 'secrets_in("password: hunter2", ["password", "pin"])', gives: ["password"] },
    compute: onTextAndList(secretsIn),
    refuses: refusesTextAndList,
  },
  {
    name: "written_in",
    signature: { params: [TEXT, PHRASES], result: listOf(STRING) },
    summary: "the phrases that are in the string; folds less: for what must be present",
    example: { call: 'written_in("As [1] says", ["[1]", "[2]"])', gives: ["[1]"] },
    compute: onTextAndList(writtenIn),
    refuses: refusesTextAndList,
    finds: true,
  },
  {
    name: "missing_sections",
    signature: { params: [TEXT, need("sections", listOf(STRING))], result: listOf(STRING) },
    summary: "the sections that are neither in the string nor one of its headings (`# …`)",
    example: { call: 'missing_sections("# Summary", ["Summary", "Risks"])', gives: ["Risks"] },
    compute: onTextAndList(missingSections),
    refuses: refusesTextAndList,
  },
];

function refusesTextAndList([text, list]: readonly Maybe[]): Refusal | undefined {
  return typeof text === "string" && isTexts(list) ? refused(text) : undefined;
}

function refused(text: string): Refusal {
  const how = notFolded(text) ?? "cannot search for a phrase that is too long or cannot be normalised";
  return { how, hint: "shorten the string" };
}
