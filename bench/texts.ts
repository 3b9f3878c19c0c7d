/**
 * Many rules that each look for a word in 2,000 texts. A text holds the words of five rules, however many there are.
 *
 *   npm run bench -- texts
 */
import { type TextWork, textWork } from "./data/text-work.ts";
import { Words } from "./hand/words.ts";
import { programOf, runToRest } from "./lib/open.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";

function rulesText({ words }: TextWork): string {
  const rules = words.map(
    (word, rule) => `rule r${rule} { when t: Text(body contains "${word}") then fire(${rule}, t.id) }\n`,
  );
  return `type Text(#id: number, body: string)\naction fire(rule: number, id: number)\n${rules.join("")}`;
}

function clipsRules({ words }: TextWork): string {
  const rules = words.map(
    (word, rule) => `(defrule r${rule} (Text (id ?id) (body ?b&:(str-index "${word}" ?b))) => (fire ${rule} ?id))\n`,
  );
  return `(deftemplate Text (slot id) (slot body))\n${rules.join("")}`;
}

export const task: Task<TextWork> = {
  work: "W16",
  sizes: [100, 200, 400, 800],
  given: textWork,
  program: (given) => programOf(rulesText(given)),
  onSluice: (session, { texts }) => ({
    work: () => {
      for (const [id, body] of texts.entries()) session.assert("Text", { id, body });
      runToRest(session);
    },
  }),
  byHand: ({ words, texts }, fire) => {
    const tree = new Words(words);
    return {
      work: () => {
        for (const [id, body] of texts.entries()) tree.find(body, (word) => fire(word, id));
      },
    };
  },
  onClips: (given) => ({
    rules: clipsRules(given),
    timed: given.texts.map((body, id) => `(assert (Text (id ${id}) (body "${body}")))`),
  }),
};

export const benchmark = benchmarkOf("rules that look for a word in texts (size: rules)", casesOf(task));
