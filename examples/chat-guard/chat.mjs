// A chat bot with the guardian around it. The generator and the search are plain functions that stand in for a model and
// a database; the loop is the one you would use around real ones.

/** What the search can find, by source. */
const LIBRARY = {
  doc: [{ ref: "handbook#3", confidence: 0.6, snippet: "Holidays are requested in the portal." }],
  policy: [{ ref: "policy-12", confidence: 0.95, snippet: "Thirty days a year." }],
  db: [{ ref: "hr-7", confidence: 0.9, snippet: "Ann has 12 days left." }],
  neo4j: [],
};

/** Which sources to look into for what the guardian asks. */
const SOURCES = {
  ADD_EVIDENCE: ["doc"],
  RETRIEVE_MORE: ["db"],
  DIVERSIFY_SOURCES: ["policy"],
  RETRIEVE_DOC: ["doc"],
  RETRIEVE_POLICY: ["policy"],
  RETRIEVE_DB: ["db"],
};

/** Stands in for a model: writes what it was given, with a summary only when it is told to. */
function generate(question, snippets, actions) {
  const body = snippets.length === 0 ? "I am not sure." : snippets.join(" ");
  return actions.includes("ADD_REQUIRED_SECTIONS") ? `## Summary\n${body}` : `About "${question}": ${body}`;
}

/** Answers one question; `say` is told what happens on the way. */
export function answer({ program, guard }, question, say) {
  const session = program.session();
  const snippets = [];
  const search = (source) => {
    for (const { ref, confidence, snippet } of LIBRARY[source]) {
      if (snippets.includes(snippet)) continue;
      snippets.push(snippet);
      session.assert("Evidence", { draft: "d", source, ref, snippet, confidence });
    }
  };
  search("doc");
  const first = generate(question, snippets, []);
  session.assert("Contract", { draft: "d", required_sections: ["Summary"], response_format: "text" });
  const draft = session.assert("Draft", { id: "d", request_type: "HOWTO_POLICY", query: question, draft: first });

  const produce = (actions, attempt) => {
    const sources = new Set(actions.flatMap((action) => SOURCES[action] ?? []));
    say(
      `  attempt ${attempt}: ${actions.join(", ")}${sources.size === 0 ? "" : ` → look into ${[...sources].join(", ")}`}`,
    );
    for (const source of sources) search(source);
    return { draft: generate(question, snippets, actions) };
  };
  const { exit, verdict } = guard(session, draft, produce);
  if (exit === "finalize") return session.fact(draft).fields.draft;
  say(`  not answered: ${verdict.sentences.join(" ")} (${verdict.required_actions.join(", ")})`);
  return verdict.required_actions.includes("ASK_MINIMAL_QUESTION")
    ? "Could you tell me a little more?"
    : "I cannot help with that.";
}

/** A short conversation, as lines of text. */
export function conversation(sluice, rules) {
  const program = sluice.compile(rules, { file: "rules.tsd" });
  const lines = [];
  for (const question of [
    "How many holidays do I have?",
    "When is the merger?",
    "What is the p\u200bin of the safe?",
  ]) {
    lines.push(`> ${question.replace("\u200b", "")}`);
    const said = answer({ program, guard: sluice.guard }, question, (line) => lines.push(line));
    lines.push(...said.split("\n"), "");
  }
  return lines.join("\n");
}
