# The Sluice language, one statement at a time.
#
# Written for one parse per statement: lists are left-recursive, operators stand in flat lists that build.ts resolves by
# precedence, and where two readings were possible one of them asks for a comma (see `elements`).
# Literals are compared with lexemes in lower case, so keywords may be written in any case.

@preprocessor typescript
@{%
import { lexer } from "./lexer.ts";
import * as build from "./build.ts";
%}
@lexer lexer

statement ->
    type_decl       {% build.first %}
  | fact_decl       {% build.first %}
  | action_decl     {% build.first %}
  | rule_decl       {% build.first %}
  | condition_decl  {% build.first %}
  | gate_decl       {% build.first %}
  | flow_decl       {% build.first %}
  | guardian_decl   {% build.first %}
  | use_decl        {% build.first %}
  | pipeline_decl   {% build.first %}
  | list_decl       {% build.first %}
  | query_decl      {% build.first %}
  | test_decl       {% build.first %}
  | import_decl     {% build.first %}
  | option_decl     {% build.first %}
  | remove_decl     {% build.first %}
  | reset_decl      {% build.first %}
  | xuple_decl      {% build.first %}

# ---------------------------------------------------------------- names

maybe_comma -> null | ","

# A plain name: a variable, a type, a bare field.
name -> %word                {% build.ident %}

# Any word: a field after a dot or before a colon may be called `not` or `insert`.
any_name ->
    %word                    {% build.ident %}
  | %verb                    {% build.ident %}
  | %reserved                {% build.ident %}

# What a rule, gate, guardian or pipeline is called.
label ->
    any_name                 {% build.bareLabel %}
  | %text                    {% build.quotedLabel %}

# ---------------------------------------------------------------- type, action, fact

# protected type Limits(#name: string, most: number): facts files without --policy and hosts cannot state its facts.
type_decl ->
    plain_type_decl                       {% build.first %}
  | "protected" plain_type_decl           {% build.protectedType %}

plain_type_decl ->
    "type" name "(" maybe_fields ")"      {% build.typeDecl %}
  | "type" name ":" "<" maybe_fields ">"  {% build.angleTypeDecl %}

# #id: string   email: string?   status: string = "Regular"
field -> "#":? any_name ":" type_ref "?":? default:?  {% build.field %}

param -> any_name ":" type_ref "?":? default:?  {% build.param %}

default -> "=" value         {% build.second %}

type_ref ->
    type_name                {% build.first %}
  | type_name "[" "]"        {% build.listTypeRef %}
  | union                    {% build.unionTypeRef %}

type_name ->
    %word                    {% build.namedTypeRef %}
  | "any"                    {% build.namedTypeRef %}

union ->
    text                     {% build.listOf %}
  | union "|" text           {% build.listAnd %}

# The name may be that of a built-in action: TSD files declare these too.
action_decl -> "action" action_name "(" maybe_param_list ")"  {% build.actionDecl %}

action_name ->
    name                     {% build.first %}
  | %verb                    {% build.ident %}

fact_decl ->
    fact                     {% build.factDecl %}
  | name "=" fact            {% build.namedFactDecl %}
  | "assert" "(" fact ")"    {% build.assertFactDecl %}

fact -> name "(" maybe_fact_args ")"  {% build.fact %}

fact_arg ->
    value                    {% build.positionalArg %}
  | any_name ":" value       {% build.namedArg %}
  | any_name "=" value       {% build.equalsArg %}

# ---------------------------------------------------------------- rule

rule_decl ->
    "rule" label attributes "{" block_body "}"  {% build.blockRule %}
  | "rule" label attributes "when" "{" elements "}" "then" "{" actions "}"   {% build.bracedRule %}
  | "rule" label attributes ":" sources "/" expr:? "==>" action_list  {% build.slashRule %}
  | "rule" label attributes "when" sources "/" expr:? "then" action_list  {% build.whenSlashRule %}
  | sources "/" expr:? "==>" action_list  {% build.unnamedRule %}

attribute ->
    "salience" signed_number   {% build.salience %}
  | "no-loop"                  {% build.noLoop %}
  | "group" %text              {% build.group %}
  | "disabled"                 {% build.disabled %}

block_body ->
    "when" elements "then" actions                   {% build.blockBody %}
  | "when" "{" elements "}" "then" "{" actions "}"   {% build.bracedBody %}

# {p: Person, m: AVG(e.salary)} / {e: Emp}
sources ->
    source_braces               {% build.listOf %}
  | sources "/" source_braces   {% build.listAnd %}

source_braces -> "{" source_list "}"  {% build.sourceBraces %}

source ->
    source_var                  {% build.first %}
  | name ":" name "(" expr ")"  {% build.aggregateSource %}

source_var -> name ":" name     {% build.sourceVar %}

# ---------------------------------------------------------------- conditional elements

# Elements stand one after the other. An element that ends in an open expression (`where x`) or a bare type (`p: Person`)
# would swallow a following `(… or …)`, so a comma must stand between them.
elements ->
    null                                {% build.emptyList %}
  | sequence                {% build.first %}

sequence ->
    sequence_shut                   {% build.first %}
  | sequence_open                   {% build.first %}

# last element ends in a closing parenthesis
sequence_shut ->
    shut                                {% build.listOf %}
  | group                               {% build.first %}
  | sequence_shut maybe_comma shut  {% build.listAnd %}
  | sequence_open maybe_comma shut  {% build.listAnd %}
  | sequence_shut maybe_comma group {% build.listAndAll %}
  | sequence_open "," group         {% build.listAndAll %}

# last element is open to the right
sequence_open ->
    open                                {% build.listOf %}
  | open_where                                  {% build.listOf %}
  | sequence_shut maybe_comma open  {% build.listAnd %}
  | sequence_open maybe_comma open  {% build.listAnd %}
  | sequence_shut maybe_comma open_where    {% build.listAnd %}
  | sequence_open maybe_comma open_where    {% build.listAnd %}

# The same inside parentheses, where `or` separates alternatives.
tight ->
    tight_shut                   {% build.first %}
  | tight_open                   {% build.first %}

# last element ends in a closing parenthesis
tight_shut ->
    shut                                {% build.listOf %}
  | group                               {% build.first %}
  | tight_shut maybe_comma shut  {% build.listAnd %}
  | tight_open maybe_comma shut  {% build.listAnd %}
  | tight_shut maybe_comma group {% build.listAndAll %}
  | tight_open "," group         {% build.listAndAll %}

# last element is open to the right
tight_open ->
    open                                {% build.listOf %}
  | tight_where                                  {% build.listOf %}
  | tight_shut maybe_comma open  {% build.listAnd %}
  | tight_open maybe_comma open  {% build.listAnd %}
  | tight_shut maybe_comma tight_where    {% build.listAnd %}
  | tight_open maybe_comma tight_where    {% build.listAnd %}

shut ->
    pattern_shut                        {% build.first %}
  | quantifier pattern_shut             {% build.absenceOfOne %}
  | quantifier nested                   {% build.absence %}
  | quantifier absence_shut             {% build.absenceOfOne %}
  | "forall" "(" pattern ":" expr ")"   {% build.forall %}
  | name ":" name "(" expr:? ")" "from" pattern_shut  {% build.aggregate %}

open ->
    pattern_open                        {% build.first %}
  | quantifier pattern_open             {% build.absenceOfOne %}
  | quantifier absence_open             {% build.absenceOfOne %}
  | name ":" name "(" expr:? ")" "from" pattern_open  {% build.aggregate %}

absence_shut ->
    quantifier pattern_shut             {% build.absenceOfOne %}
  | quantifier nested                   {% build.absence %}
  | quantifier absence_shut             {% build.absenceOfOne %}

absence_open ->
    quantifier pattern_open             {% build.absenceOfOne %}
  | quantifier absence_open             {% build.absenceOfOne %}

quantifier ->
    "not"                               {% build.quantifier %}
  | "exists"                            {% build.quantifier %}

# not (a: A() b: B())   exists (A() or B())
nested ->
    "(" tight ")"       {% build.nested %}
  | "(" alternatives ")"                {% build.nestedAlternatives %}

# The elements in parentheses, as a list: (A() or B() C()) is one element, (B() C()) are its parts: (A() or (B() C())).
group ->
    either                              {% build.listOf %}
  | "(" tight ")"                       {% build.second %}

either -> "(" alternatives ")"          {% build.orElement %}

alternatives ->
    tight "or" tight  {% build.twoAlternatives %}
  | alternatives "or" tight           {% build.listAnd %}

pattern ->
    pattern_shut                        {% build.first %}
  | pattern_open                        {% build.first %}

pattern_shut ->
    name "(" maybe_exprs ")"             {% build.pattern %}
  | name ":" name "(" maybe_exprs ")"    {% build.namedPattern %}

pattern_open -> name ":" name           {% build.barePattern %}

open_where -> "where" expr              {% build.whereElement %}

# Inside parentheses `or` separates alternatives, so a test there has no `or` of its own outside parentheses.
tight_where -> "where" conjunction      {% build.whereElement %}

# ---------------------------------------------------------------- actions

actions ->
    null                                {% build.emptyList %}
  | loose_actions                  {% build.first %}

action ->
    call_action                         {% build.first %}
  | "insert" fact                       {% build.insert %}
  | "insert" "(" fact ")"               {% build.insertCall %}
  | "insert" "logical" fact             {% build.insertLogical %}
  | "update" "(" path "," object ")"    {% build.update %}
  | path "=" value                      {% build.assign %}
  | "retract" "(" path ")"              {% build.retractCall %}
  | "retract" path                      {% build.retract %}
  | "halt"                              {% build.halt %}
  | "halt" "(" ")"                      {% build.halt %}
  | "xuple" "(" text "," fact ")"       {% build.xuple %}
  | "xuple" "(" text "," path ")"       {% build.xuple %}
  | decide                              {% build.first %}
  | "verify" label "(" maybe_exprs ")"  {% build.verify %}

call_action -> name "(" maybe_values ")"  {% build.callAction %}

decide -> "decide" label "(" maybe_exprs ")"  {% build.decide %}

# ---------------------------------------------------------------- expressions

# `and` and `or` in one flat list
expr -> logic                           {% build.logic %}

logic ->
    term                                {% build.listOf %}
  | logic "and" term                    {% build.listAndOp %}
  | logic "or" term                     {% build.listAndOp %}

conjunction -> conjuncts                {% build.logic %}

conjuncts ->
    term                                {% build.listOf %}
  | conjuncts "and" term                {% build.listAndOp %}

term ->
    test                                {% build.first %}
  | "not" term                          {% build.not %}

test ->
    arith                               {% build.first %}
  | arith comparator arith              {% build.compare %}
  | arith "in" arith                    {% build.in %}
  | arith "not" "in" arith              {% build.notIn %}
  | arith "contains" arith              {% build.contains %}
  | arith "contains" "any" arith        {% build.containsAny %}
  | arith "like" arith                  {% build.like %}
  | arith "matches" text                {% build.matches %}
  | arith "is" "missing"                {% build.missing %}
  | arith "is" "present"                {% build.present %}
  | "exists" pattern                    {% build.existsExpr %}
  | "exists" "(" source_vars in_test:? ")"  {% build.existsIn %}
  | "all" "(" maybe_exprs ")"      {% build.allOf %}
  | "any" "(" maybe_exprs ")"      {% build.anyOf %}
  | "at" "least" signed_number "of" "(" maybe_exprs ")"  {% build.quorum %}
  | "at" "least" signed_number "of" pattern ":" test  {% build.factQuorum %}
  | "at" "least" signed_number "of" "all" pattern ":" test  {% build.closedQuorum %}
  | judge judged "(" maybe_exprs ")" outcome_verb  {% build.outcome %}

comparator -> ("==" | "!=" | "<" | "<=" | ">" | ">=")  {% build.op %}

judge -> ("gate" | "guardian")                     {% build.word %}

# A reserved word would be an operator here: `gate contains (string) passes`.
judged ->
    name                                {% build.bareLabel %}
  | %text                               {% build.quotedLabel %}

outcome_verb -> ("passes" | "holds" | "fails")     {% build.word %}

# + - * / % in one flat list
arith -> operands                       {% build.arith %}

operands ->
    operand                             {% build.listOf %}
  | operands arith_op operand           {% build.listAndOp %}

arith_op -> ("+" | "-" | "*" | "/" | "%")  {% build.op %}

operand ->
    primary                             {% build.first %}
  | "-" operand                         {% build.negate %}

primary ->
    atom                                {% build.first %}
  | "(" cast_target ")" atom            {% build.cast %}

atom ->
    number                              {% build.first %}
  | text                                {% build.first %}
  | "true"                              {% build.bool %}
  | "false"                             {% build.bool %}
  | path                                {% build.first %}
  | call                                {% build.first %}
  | list                                {% build.first %}
  | "(" expr ")"                        {% build.parens %}  # never `(number)` alone: see build.REFUSALS
  | "cast" "(" expr "as" cast_target ")"  {% build.castCall %}
  | name "(" source_vars in_test:? in_value:? ")"  {% build.aggregateIn %}

in_test -> "/" expr                     {% build.second %}

in_value -> ";" expr                    {% build.second %}

cast_target -> ("number" | "string" | "bool" | "boolean")  {% build.op %}

call -> name "(" maybe_values ")"  {% build.call %}

path ->
    name                                {% build.path %}
  | name dots                           {% build.dottedPath %}

dots ->
    "." any_name                        {% build.listOfSecond %}
  | dots "." any_name                   {% build.listAnd %}

list -> "[" maybe_values "]"       {% build.list %}

# An object stands only where data is given, never as an operand: `{e: Emp} / test` is the slash form.
value ->
    expr                                {% build.first %}
  | object                              {% build.first %}

object -> "{" maybe_entries "}"     {% build.object %}

entry -> (any_name | text_name) ":" value  {% build.entry %}

text_name -> %text                      {% build.ident %}

text -> %text                           {% build.text %}

number -> %number                       {% build.number %}

signed_number ->
    number                              {% build.first %}
  | "-" number                          {% build.negate %}

# ---------------------------------------------------------------- condition, gate, flow

condition_decl -> "condition" name params:? ":" expr evidence:?  {% build.conditionDecl %}

params -> "(" maybe_param_list ")"     {% build.second %}

evidence -> "from" evidence_mode:? pattern by:? per:?  {% build.evidence %}

evidence_mode ->
    ("any" | "every" | "latest")        {% build.op %}
  | ("any" | "every") "latest"          {% build.latestMode %}

by -> "by" path                         {% build.second %}

per -> "per" path                       {% build.second %}

gate_decl -> "gate" label subject:? "{" gate_settings gate_reactions "}"  {% build.gateDecl %}

subject -> "for" pattern                {% build.second %}

gate_setting ->
    "require" expr:?                    {% build.require %}
  | "logic" ("kleene" | "bochvar")      {% build.logicOf %}
  | "trust" ("asserted" | "verified")   {% build.trust %}
  | "trust" "field" any_name            {% build.trustField %}

gate_reaction -> "on" outcome "then" loose_actions  {% build.gateReaction %}

outcome -> ("pass" | "hold" | "fail" | "true" | "unknown" | "false")  {% build.word %}

flow_decl -> "flow" label subject:? "{" stages "}"  {% build.flowDecl %}

stage ->
    "stage" stage_name "final"          {% build.finalStage %}
  | "stage" stage_name "{" decide:? branches "}"  {% build.stage %}

branch ->
    "on" outcome "goto" stage_name      {% build.outcomeBranch %}
  | "otherwise" "goto" stage_name       {% build.otherwiseBranch %}
  | "always" goto:?                     {% build.alwaysBranch %}

goto -> "goto" stage_name               {% build.second %}

stage_name ->
    name                                {% build.first %}
  | %text                               {% build.quotedName %}

# ---------------------------------------------------------------- guardian

guardian_decl -> "guardian" label "for" pattern "{" guardian_settings checks verdict_reactions "}"  {% build.guardianDecl %}

guardian_setting ->
    "track" expr                        {% build.track %}
  | "retry" "at" "most" number          {% build.retry %}
  | "report" "all"                      {% build.reportAll %}

check -> "check" name check_modifiers "{" check_lines "}"  {% build.check %}

check_modifier ->
    on_track                            {% build.first %}
  | "risk" ("high" | "med" | "low")     {% build.risk %}
  | "exit" name                         {% build.exit %}
  | "never" "retry"                     {% build.neverRetry %}
  | "using" pattern                     {% build.using %}
  | line_limit                          {% build.first %}

on_track -> "on" name                   {% build.onTrack %}

line_limit ->
    "when" expr                         {% build.whenLimit %}
  | "unless" expr                       {% build.unlessLimit %}

check_line ->
    on_track:? ("need" | "forbid") expr line_limits deciding_parts  {% build.checkLine %}
  | on_track:? ("warn" | "flag") expr line_limits remark_parts      {% build.checkLine %}

# as "code" says "sentence" do ACTION, in any order
deciding_parts ->
    remark_parts line_actions           {% build.allParts %}
  | line_actions remark_parts           {% build.allParts %}
  | line_reason line_actions line_sentence  {% build.allParts %}
  | line_sentence line_actions line_reason  {% build.allParts %}

remark_parts ->
    line_reason                         {% build.allParts %}
  | line_reason line_sentence           {% build.allParts %}
  | line_sentence line_reason           {% build.allParts %}

line_reason -> "as" text                {% build.lineReason %}

line_sentence -> "says" text            {% build.lineSentence %}

line_actions -> "do" names              {% build.lineActions %}

verdict_reaction -> "on" verdict "then" loose_actions  {% build.verdictReaction %}

verdict -> ("pass" | "retry" | "fail")  {% build.word %}

use_decl -> "use" "guardian" name       {% build.useDecl %}

# ---------------------------------------------------------------- pipeline

pipeline_decl -> "pipeline" label "for" pattern "{" pipeline_items "}"  {% build.pipelineDecl %}

pipeline_item ->
    "before" expr "else" step_action step_value:?  {% build.border %}
  | "after" expr "else" step_action step_value:?   {% build.border %}
  | "step" name step_action step_value:? step_when:? step_unless:?  {% build.step %}
  | "otherwise" step_action step_value:?  {% build.otherwise %}
  | "audit" "to" %text                  {% build.audit %}

step_action -> ("allow" | "note" | "block" | "answer" | "forward" | "error")  {% build.word %}

# never a word alone that begins an item, such as `step`, nor one that begins with `when` or `unless`: see build.REFUSALS
step_value -> expr                      {% build.stepValue %}

step_when ->
    "when" expr                         {% build.whenTest %}
  | "when" bound_patterns               {% build.whenPatterns %}

bound_patterns ->
    bound_pattern                       {% build.listOf %}
  | bound_patterns "," step_element     {% build.listAnd %}

step_element ->
    shut                                {% build.first %}
  | open                                {% build.first %}
  | open_where                          {% build.first %}
  | either                              {% build.first %}

bound_pattern ->
    name ":" name "(" maybe_exprs ")"  {% build.namedPattern %}
  | pattern_open                        {% build.first %}

step_unless -> "unless" expr            {% build.second %}

# ---------------------------------------------------------------- list, query, test

list_decl -> "list" name "=" "[" maybe_values "]"  {% build.listDecl %}

query_decl -> "query" name params:? "{" elements "}"    {% build.queryDecl %}

test_decl -> "test" label "{" test_items "}"       {% build.testDecl %}

test_item ->
    "given" fact                        {% build.given %}
  | "given" name "=" fact               {% build.namedGiven %}
  | "expect" "rule" label "fires" number:?  {% build.expectRule %}
  | "expect" "effect" call_action       {% build.expectEffect %}
  | "expect" "gate" label "(" maybe_exprs ")" "is" outcome            {% build.expectGate %}
  | "expect" "guardian" label "(" maybe_exprs ")" "is" verdict        {% build.expectVerdict %}
  | "expect" "pipeline" label "(" maybe_exprs ")" "is" step_action    {% build.expectDecision %}
  | "expect" pattern                    {% build.expectSome %}
  | "expect" "no" pattern               {% build.expectNone %}
  | "expect" number pattern             {% build.expectCount %}

# ---------------------------------------------------------------- the rest

import_decl -> "import" text            {% build.importDecl %}

option_decl ->
    "option" name name                  {% build.optionDecl %}
  | "option" name signed_number         {% build.optionDecl %}

remove_decl ->
    "remove" "rule" label               {% build.removeRule %}
  | "remove" "fact" name keys  {% build.removeFact %}

reset_decl -> "reset"                   {% build.resetDecl %}

xuple_decl -> "xuple-space" name "{" xuple_settings "}"  {% build.xupleSpace %}

xuple_setting -> name ":" xuple_value maybe_comma  {% build.xupleSetting %}

xuple_value ->
    name                                {% build.first %}
  | number                              {% build.first %}
  | "duration" "(" %quantity ")"        {% build.duration %}
  | "limited" "(" number ")"            {% build.limited %}

# ---------------------------------------------------------------- lists
# nearley has no recursive macros, so each list is written out: left-recursive, pushed in place.

action_list ->
    action                      {% build.listOf %}
  | action_list "," action      {% build.listAnd %}

keys ->
    arith                       {% build.listOf %}
  | keys "," arith              {% build.listAnd %}

entries ->
    entry                       {% build.listOf %}
  | entries "," entry           {% build.listAnd %}

maybe_entries ->
    null                        {% build.emptyList %}
  | entries                     {% build.first %}

exprs ->
    expr                        {% build.listOf %}
  | exprs "," expr              {% build.listAnd %}

maybe_exprs ->
    null                        {% build.emptyList %}
  | exprs                       {% build.first %}

fact_args ->
    fact_arg                    {% build.listOf %}
  | fact_args "," fact_arg      {% build.listAnd %}

maybe_fact_args ->
    null                        {% build.emptyList %}
  | fact_args                   {% build.first %}

fields ->
    field                       {% build.listOf %}
  | fields "," field            {% build.listAnd %}

maybe_fields ->
    null                        {% build.emptyList %}
  | fields                      {% build.first %}

names ->
    name                        {% build.listOf %}
  | names "," name              {% build.listAnd %}

param_list ->
    param                       {% build.listOf %}
  | param_list "," param        {% build.listAnd %}

maybe_param_list ->
    null                        {% build.emptyList %}
  | param_list                  {% build.first %}

source_list ->
    source                      {% build.listOf %}
  | source_list "," source      {% build.listAnd %}

source_vars ->
    source_var                  {% build.listOf %}
  | source_vars "," source_var  {% build.listAnd %}

values ->
    value                       {% build.listOf %}
  | values "," value            {% build.listAnd %}

maybe_values ->
    null                        {% build.emptyList %}
  | values                      {% build.first %}

# actions one after the other, with commas where the author likes them
loose_actions ->
    action                             {% build.listOf %}
  | loose_actions maybe_comma action   {% build.listAnd %}

attributes ->
    null                        {% build.emptyList %}
  | attributes attribute        {% build.pushed %}

branches ->
    null                        {% build.emptyList %}
  | branches branch             {% build.pushed %}

checks ->
    null                        {% build.emptyList %}
  | checks check                {% build.pushed %}

check_lines ->
    null                        {% build.emptyList %}
  | check_lines check_line      {% build.pushed %}

check_modifiers ->
    null                        {% build.emptyList %}
  | check_modifiers check_modifier{% build.pushed %}

gate_reactions ->
    null                        {% build.emptyList %}
  | gate_reactions gate_reaction{% build.pushed %}

gate_settings ->
    null                        {% build.emptyList %}
  | gate_settings gate_setting  {% build.pushed %}

guardian_settings ->
    null                        {% build.emptyList %}
  | guardian_settings guardian_setting{% build.pushed %}

line_limits ->
    null                        {% build.emptyList %}
  | line_limits line_limit      {% build.pushed %}

pipeline_items ->
    null                        {% build.emptyList %}
  | pipeline_items pipeline_item{% build.pushed %}

stages ->
    null                        {% build.emptyList %}
  | stages stage                {% build.pushed %}

test_items ->
    null                        {% build.emptyList %}
  | test_items test_item        {% build.pushed %}

verdict_reactions ->
    null                        {% build.emptyList %}
  | verdict_reactions verdict_reaction{% build.pushed %}

xuple_settings ->
    null                        {% build.emptyList %}
  | xuple_settings xuple_setting{% build.pushed %}
