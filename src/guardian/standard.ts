// Generated from standard.tsd by `node scripts/guardians.mjs`; do not edit.
/** The guardians that come with the package, by the names they are used by. */
export const GUARDIANS: ReadonlyMap<string, string> = new Map([
  [
    "standard",
    "// The standard guardian: `use guardian standard` brings all of this into a program.\n" +
    "//\n" +
    "// Policy, then evidence, then the contract of the answer, then a missing role; inside a check the first line that fails decides. What a team may\n" +
    "// want otherwise stands in facts of protected types: a fact of the program, or of a --policy file, with the same key takes the\n" +
    "// place of the one here.\n" +
    "\n" +
    "// ------------------------------------------------------------ what is judged\n" +
    "\n" +
    "type Draft(\n" +
    "    #id: string,\n" +
    "    request_type: \"STATUS_METRIC\" | \"STATUS_SUMMARY\" | \"STATUS_LIST\" | \"HOWTO_POLICY\" | \"DESIGN_ARCH\" | \"DATA_DEFINITION\" | \"TROUBLESHOOTING\" | \"KNOWLEDGE_QA\" | \"CASUAL\",\n" +
    "    track: \"FAST\" | \"QUALITY\"?,\n" +
    "    query: string,\n" +
    "    draft: string?,\n" +
    "    attempt: number = 0,\n" +
    "    role: string?\n" +
    ")\n" +
    "\n" +
    "type Evidence(\n" +
    "    draft: string,\n" +
    "    source: \"db\" | \"neo4j\" | \"doc\" | \"policy\",\n" +
    "    ref: string,\n" +
    "    snippet: string?,\n" +
    "    confidence: number?\n" +
    ")\n" +
    "\n" +
    "type Contract(\n" +
    "    draft: string,\n" +
    "    required_sections: string[] = [],\n" +
    "    forbidden_content: string[] = [],\n" +
    "    domain_terms: string[] = [],\n" +
    "    response_format: string?\n" +
    ")\n" +
    "\n" +
    "// ------------------------------------------------------------ the tables\n" +
    "\n" +
    "protected type GuardianLimits(\n" +
    "    #name: \"standard\",\n" +
    "    min_items: number = 2,\n" +
    "    min_sources: number = 2,\n" +
    "    min_confidence: number = 0.6,\n" +
    "    warn_confidence: number = 0.65\n" +
    ")\n" +
    "\n" +
    "GuardianLimits(name: \"standard\")\n" +
    "\n" +
    "// Whole words. Case, spaces, hyphens, marks, hidden characters and full-width letters make no difference.\n" +
    "protected type GuardianPhrases(\n" +
    "    #name: \"sensitive_topics\" | \"bulk_requests\" | \"secret_names\",\n" +
    "    phrases: string[]\n" +
    ")\n" +
    "\n" +
    "GuardianPhrases(\n" +
    "    name: \"sensitive_topics\",\n" +
    "    phrases: [\n" +
    "        \"password\",\n" +
    "        \"api key\",\n" +
    "        \"secret key\",\n" +
    "        \"access token\",\n" +
    "        \"private key\",\n" +
    "        \"credentials\",\n" +
    "        \"ssn\",\n" +
    "        \"credit card\",\n" +
    "        \"pin\"\n" +
    "    ]\n" +
    ")\n" +
    "\n" +
    "GuardianPhrases(\n" +
    "    name: \"bulk_requests\",\n" +
    "    phrases: [\n" +
    "        \"select * from\",\n" +
    "        \"show all users\",\n" +
    "        \"list all passwords\",\n" +
    "        \"dump database\",\n" +
    "        \"dump table\",\n" +
    "        \"export all data\"\n" +
    "    ]\n" +
    ")\n" +
    "\n" +
    "GuardianPhrases(name: \"secret_names\", phrases: [\"password\", \"secret\", \"key\"])\n" +
    "\n" +
    "// Who may ask for what. A request type without a row is for everybody; one with a row is for nobody without a role.\n" +
    "protected type GuardianRoles(#request_type: string, roles: string[])\n" +
    "\n" +
    "GuardianRoles(request_type: \"STATUS_METRIC\", roles: [\"PM\", \"PMO_HEAD\", \"SPONSOR\", \"ADMIN\"])\n" +
    "\n" +
    "GuardianRoles(\n" +
    "    request_type: \"STATUS_SUMMARY\",\n" +
    "    roles: [\"PM\", \"PMO_HEAD\", \"SPONSOR\", \"ADMIN\", \"DEVELOPER\", \"QA\"]\n" +
    ")\n" +
    "\n" +
    "GuardianRoles(\n" +
    "    request_type: \"STATUS_LIST\",\n" +
    "    roles: [\"PM\", \"PMO_HEAD\", \"SPONSOR\", \"ADMIN\", \"DEVELOPER\", \"QA\", \"MEMBER\"]\n" +
    ")\n" +
    "\n" +
    "// Which sources a type of request must rest on: `none` needs no evidence at all, `any` rests on whatever there is.\n" +
    "protected type GuardianSources(\n" +
    "    #request_type: string,\n" +
    "    rule: \"status\" | \"doc_or_policy\" | \"db_and_neo4j\" | \"doc_or_neo4j\" | \"any\" | \"none\"\n" +
    ")\n" +
    "\n" +
    "GuardianSources(request_type: \"STATUS_METRIC\", rule: status)\n" +
    "GuardianSources(request_type: \"STATUS_SUMMARY\", rule: status)\n" +
    "GuardianSources(request_type: \"STATUS_LIST\", rule: status)\n" +
    "GuardianSources(request_type: \"HOWTO_POLICY\", rule: doc_or_policy)\n" +
    "GuardianSources(request_type: \"DESIGN_ARCH\", rule: doc_or_policy)\n" +
    "GuardianSources(request_type: \"DATA_DEFINITION\", rule: doc_or_policy)\n" +
    "GuardianSources(request_type: \"TROUBLESHOOTING\", rule: db_and_neo4j)\n" +
    "GuardianSources(request_type: \"KNOWLEDGE_QA\", rule: doc_or_neo4j)\n" +
    "GuardianSources(request_type: \"CASUAL\", rule: none)\n" +
    "\n" +
    "// ------------------------------------------------------------ the guardian\n" +
    "\n" +
    "guardian \"standard\" for d: Draft {\n" +
    "    track d.track\n" +
    "    retry at most 2\n" +
    "\n" +
    "    check policy\n" +
    "        risk high\n" +
    "        never retry\n" +
    "        using topics: GuardianPhrases(topics.name == \"sensitive_topics\")\n" +
    "        using bulk: GuardianPhrases(bulk.name == \"bulk_requests\")\n" +
    "        using secrets: GuardianPhrases(secrets.name == \"secret_names\")\n" +
    "    {\n" +
    "        need count(words_in(d.query, topics.phrases)) == 0\n" +
    "            as \"query_contains_sensitive_topic\"\n" +
    "            says \"The query asks about a sensitive topic: {words_in(d.query, topics.phrases)}.\"\n" +
    "            do SAFE_REFUSAL, REQUEST_PERMISSION\n" +
    "        need count(words_in(d.query, bulk.phrases)) == 0\n" +
    "            as \"query_requests_bulk_data_exposure\"\n" +
    "            says \"The query asks for data in bulk: {words_in(d.query, bulk.phrases)}.\"\n" +
    "            do DENY_ACCESS, SAFE_REFUSAL\n" +
    "        need count(secrets_in(coalesce(d.draft, \"\"), secrets.phrases)) == 0\n" +
    "            as \"response_exposes_sensitive_data\"\n" +
    "            says \"The draft shows the value of a secret: {secrets_in(d.draft, secrets.phrases)}.\"\n" +
    "            do REDACT_SENSITIVE, SAFE_REFUSAL\n" +
    "        forbid exists GuardianRoles(\n" +
    "            request_type == d.request_type,\n" +
    "            not (roles contains coalesce(d.role, \"\"))\n" +
    "        )\n" +
    "            unless d.role is missing\n" +
    "            as \"insufficient_permission_for_{d.request_type}\"\n" +
    "            says \"The role {d.role} may not make {d.request_type} requests.\"\n" +
    "            do DENY_ACCESS, REQUEST_PERMISSION\n" +
    "    }\n" +
    "\n" +
    "    // Only distinct pairs of source and ref count.\n" +
    "    check evidence\n" +
    "        risk med\n" +
    "        exit ASK_MINIMAL_QUESTION\n" +
    "        using limits: GuardianLimits(limits.name == \"standard\")\n" +
    "        using t: GuardianSources(t.request_type == d.request_type)\n" +
    "        using e: Evidence(e.draft == d.id)\n" +
    "    {\n" +
    "        on QUALITY need count(distinct([e.source, e.ref])) >= limits.min_items\n" +
    "            unless t.rule == \"none\"\n" +
    "            as \"insufficient_evidence_count(<{limits.min_items})\"\n" +
    "            says \"At least {limits.min_items} pieces of evidence are needed; this draft has {count(distinct([e.source, e.ref]))}.\"\n" +
    "            do ADD_EVIDENCE, RETRIEVE_MORE\n" +
    "        on QUALITY need count(distinct(e.source)) >= limits.min_sources\n" +
    "            unless t.rule in [\"none\", \"status\"]\n" +
    "            as \"low_source_diversity(<{limits.min_sources})\"\n" +
    "            says \"At least {limits.min_sources} different sources are needed; the evidence comes from {distinct(e.source)} alone.\"\n" +
    "            do DIVERSIFY_SOURCES, RETRIEVE_MORE\n" +
    "        forbid distinct(e.source) contains \"doc\"\n" +
    "            when t.rule == \"status\"\n" +
    "            as \"status_request_must_not_use_doc_as_primary\"\n" +
    "            says \"A status request must not rest on documents; the evidence comes from {distinct(e.source)}.\"\n" +
    "            do REMOVE_DOC_EVIDENCE, USE_DB_ONLY\n" +
    "        need distinct(e.source) contains \"db\"\n" +
    "            when t.rule == \"status\"\n" +
    "            as \"status_request_requires_db\"\n" +
    "            says \"A status request needs evidence from the database; there is none.\"\n" +
    "            do USE_DB_ONLY, RETRIEVE_DB\n" +
    "        on QUALITY need distinct(e.source) contains any [\"doc\", \"policy\"]\n" +
    "            when t.rule == \"doc_or_policy\"\n" +
    "            as \"design_policy_requires_doc_or_policy\"\n" +
    "            says \"A {d.request_type} request needs evidence from documents or policies; there is none.\"\n" +
    "            do RETRIEVE_DOC, RETRIEVE_POLICY\n" +
    "        on QUALITY need distinct(e.source) contains \"db\" and distinct(e.source) contains \"neo4j\"\n" +
    "            when t.rule == \"db_and_neo4j\"\n" +
    "            as \"troubleshooting_requires_db_and_neo4j\"\n" +
    "            says \"A {d.request_type} request needs evidence from both db and neo4j; it comes from {distinct(e.source)}.\"\n" +
    "            do RETRIEVE_DB, RETRIEVE_MORE\n" +
    "        on QUALITY need distinct(e.source) contains any [\"doc\", \"neo4j\"]\n" +
    "            when t.rule == \"doc_or_neo4j\"\n" +
    "            as \"knowledge_qa_requires_doc_or_neo4j\"\n" +
    "            says \"A {d.request_type} request needs evidence from documents or neo4j; there is none.\"\n" +
    "            do RETRIEVE_DOC, RETRIEVE_MORE\n" +
    "        // What is no confidence at all must not lift the mean.\n" +
    "        need e.confidence >= 0 and e.confidence <= 1\n" +
    "            when count(distinct(e.source)) > 0\n" +
    "            unless e.confidence is missing\n" +
    "            as \"evidence_confidence_out_of_range({e.source}:{e.ref}={e.confidence})\"\n" +
    "            says \"The confidence of the evidence {e.source}:{e.ref} is {e.confidence}; it must be from 0 to 1.\"\n" +
    "            do RETRIEVE_MORE, REFINE_QUERY\n" +
    "        // Over the items that have a confidence; rounded, so that three times 0.6 is 0.6.\n" +
    "        // Its sentence rounds down, so that 0.599 does not read as the 0.60 that is needed.\n" +
    "        on QUALITY need round(\n" +
    "            mean_of_distinct(collect([e.source, e.ref, e.confidence])) * 1000000000\n" +
    "        ) >= round(limits.min_confidence * 1000000000)\n" +
    "            when count(collect([e.source, e.ref, e.confidence])) > 0\n" +
    "            as \"low_evidence_confidence(avg={fixed(mean_of_distinct(collect([e.source, e.ref, e.confidence])), 2)})\"\n" +
    "            says \"The mean confidence of the evidence is {fixed(floor(round(mean_of_distinct(collect([e.source, e.ref, e.confidence])) * 1000000000) / 10000000) / 100, 2)}; at least {fixed(limits.min_confidence, 2)} is needed.\"\n" +
    "            do RETRIEVE_MORE, REFINE_QUERY\n" +
    "        need e.confidence is present\n" +
    "            when count(distinct(e.source)) > 0\n" +
    "            as \"evidence_without_confidence({e.source}:{e.ref})\"\n" +
    "            says \"The evidence {e.source}:{e.ref} has no confidence.\"\n" +
    "            do RETRIEVE_MORE, REFINE_QUERY\n" +
    "        on QUALITY warn mean_of_distinct(collect([\n" +
    "            e.source,\n" +
    "            e.ref,\n" +
    "            e.confidence\n" +
    "        ])) < limits.warn_confidence\n" +
    "            as \"evidence_confidence_close_to_limit(avg={fixed(mean_of_distinct(collect([e.source, e.ref, e.confidence])), 2)})\"\n" +
    "            says \"The mean confidence of the evidence is {fixed(mean_of_distinct(collect([e.source, e.ref, e.confidence])), 2)}, close to the limit of {fixed(limits.min_confidence, 2)}.\"\n" +
    "        on FAST flag count(distinct(e.source)) == 0\n" +
    "            as \"restrict_scope\"\n" +
    "            says \"There is no evidence, so keep the answer to a narrow scope.\"\n" +
    "    }\n" +
    "\n" +
    "    check contract on QUALITY risk low exit SAFE_REFUSAL using c: Contract(c.draft == d.id) {\n" +
    "        need trim(folded(coalesce(d.draft, \"\"))) != \"\"\n" +
    "            as \"no_draft_answer\"\n" +
    "            says \"The draft has no text.\"\n" +
    "            do REGENERATE_DRAFT\n" +
    "        need count(missing_sections(d.draft, c.required_sections)) == 0\n" +
    "            when exists Contract(draft == d.id)\n" +
    "            as \"missing_required_sections={missing_sections(d.draft, c.required_sections)}\"\n" +
    "            says \"The draft lacks required sections: {missing_sections(d.draft, c.required_sections)}.\"\n" +
    "            do ADD_REQUIRED_SECTIONS, REGENERATE_DRAFT\n" +
    "        need count(phrases_in(d.draft, c.forbidden_content)) == 0\n" +
    "            when exists Contract(draft == d.id)\n" +
    "            as \"forbidden_content_detected={phrases_in(d.draft, c.forbidden_content)}\"\n" +
    "            says \"The draft has forbidden content: {phrases_in(d.draft, c.forbidden_content)}.\"\n" +
    "            do REMOVE_FORBIDDEN_CONTENT, REGENERATE_DRAFT\n" +
    "        need count(written_in(d.draft, c.domain_terms)) > 0\n" +
    "            when exists Contract(draft == d.id)\n" +
    "            unless count(not_blank(c.domain_terms)) == 0\n" +
    "            as \"domain_terms_not_used\"\n" +
    "            says \"The draft uses none of the domain terms: {not_blank(c.domain_terms)}.\"\n" +
    "            do USE_DOMAIN_TERMS, REGENERATE_DRAFT\n" +
    "        need is_json(d.draft)\n" +
    "            when exists Contract(draft == d.id)\n" +
    "            unless c.response_format is missing or trim(folded(c.response_format)) != \"json\"\n" +
    "            as \"invalid_json_format\"\n" +
    "            says \"The draft must be JSON, and is not.\"\n" +
    "            do FIX_JSON_FORMAT, REGENERATE_DRAFT\n" +
    "    }\n" +
    "\n" +
    "    // Last: until everything else passes, the verdict on a draft without a role says what else it lacks.\n" +
    "    check permission risk high never retry {\n" +
    "        forbid exists GuardianRoles(request_type == d.request_type)\n" +
    "            when d.role is missing\n" +
    "            as \"insufficient_permission_for_{d.request_type}\"\n" +
    "            says \"A {d.request_type} request needs a role, and the draft has none.\"\n" +
    "            do DENY_ACCESS, REQUEST_PERMISSION\n" +
    "    }\n" +
    "}\n",
  ],
]);
