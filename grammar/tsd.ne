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
  | record_decl     {% build.first %}
  | list_decl       {% build.first %}
  | const_decl      {% build.first %}
  | alias_decl      {% build.first %}
  | param_decl      {% build.first %}
  | function_decl   {% build.first %}
  | query_decl      {% build.first %}
  | table_decl      {% build.first %}
  | test_decl       {% build.first %}
  | import_decl     {% build.first %}
  | option_decl     {% build.first %}
  | remove_decl     {% build.first %}
  | reset_decl      {% build.first %}
  | xuple_decl      {% build.first %}
  | private_decl    {% build.first %}

# ---------------------------------------------------------------- names

maybe_comma -> null | ","

# A plain name: a variable, a type, a bare field.
name -> %word                {% build.ident %}

# billing.Invoice: a name of a file that is imported as `billing`
dotted ->
    name "." name            {% build.dotted %}
  | dotted "." name          {% build.dotted %}

# A name of this file, or of another one.
known ->
    name                     {% build.first %}
  | dotted                   {% build.first %}

# Any word: a field after a dot or before a colon may be called `not` or `insert`.
any_name ->
    %word                    {% build.ident %}
  | %verb                    {% build.ident %}
  | %reserved                {% build.ident %}

# What a rule, gate, guardian or pipeline is called.
label ->
    any_name                 {% build.bareLabel %}
  | %text                    {% build.quotedLabel %}

# billing.ship, billing."ship it"
dotted_label ->
    dotted                   {% build.dottedLabel %}
  | known "." %text          {% build.dottedText %}

label_of ->
    label                    {% build.first %}
  | dotted_label             {% build.first %}

# ---------------------------------------------------------------- type, action, fact

# protected type Limits(#name: string, most: number): facts files without --policy and hosts cannot state its facts.
type_decl ->
    plain_type_decl                       {% build.first %}
  | "protected" plain_type_decl           {% build.protectedType %}

plain_type_decl ->
    "type" name "(" declared_fields ")" expiry:?  {% build.typeDecl %}
  | "type" name ":" "<" maybe_fields ">"  {% build.angleTypeDecl %}

# type Ping(#id: string, @at: instant) expires 1 hour
expiry -> "expires" %amount  {% build.expiry %}

# record Line(sku: string, qty: number): a value inside a fact, which is no fact of its own.
record_decl -> "record" name "(" declared_fields ")"  {% build.recordDecl %}

# "..." at the end: further fields are accepted and ignored.
declared_fields ->
    maybe_fields                          {% build.allFields %}
  | "..."                                 {% build.someFields %}
  | fields "," "..."                      {% build.someFields %}

# #id: string   email: string?   status: string = "Regular"   @at: instant (the time of the fact)
field -> field_mark:? any_name ":" type_ref "?":? default:?  {% build.field %}

field_mark -> ("#" | "@")    {% build.op %}

param -> any_name ":" type_ref "?":? default:?  {% build.param %}

default -> "=" value         {% build.second %}

type_ref ->
    type_name                {% build.first %}
  | type_name "[" "]"        {% build.listTypeRef %}
  | union                    {% build.unionTypeRef %}

type_name ->
    %word                    {% build.namedTypeRef %}
  | "any"                    {% build.namedTypeRef %}
  | dotted                   {% build.dottedTypeRef %}

union ->
    option                   {% build.listOf %}
  | union "|" option         {% build.listAnd %}

option ->
    text                     {% build.first %}
  | signed_number            {% build.first %}

# type Severity = "low" | "high": another name for a type
alias_decl -> "type" name "=" type_ref  {% build.aliasDecl %}

# The name may be that of a built-in action: TSD files declare these too.
action_decl -> "action" action_name "(" maybe_param_list ")"  {% build.actionDecl %}

action_name ->
    name                     {% build.first %}
  | %verb                    {% build.ident %}

fact_decl ->
    fact                     {% build.factDecl %}
  | name "=" fact            {% build.namedFactDecl %}
  | "assert" "(" fact ")"    {% build.assertFactDecl %}

fact -> known "(" maybe_fact_args ")"  {% build.fact %}

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
  | name ":" name "(" taken ")"  {% build.aggregateSource %}

source_var -> name ":" known    {% build.sourceVar %}

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
  | sequence_shut maybe_comma shut  {% build.listAndPattern %}  # `within (b)` needs a comma before it
  | sequence_open maybe_comma shut  {% build.listAndElement %}  # `then (b)` needs a comma before it: see build.REFUSALS
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
  | let                                     {% build.listOf %}
  | sequence_shut maybe_comma let           {% build.listAnd %}
  | sequence_open maybe_comma let           {% build.listAnd %}

# The same inside parentheses, where `or` separates alternatives.
tight ->
    tight_shut                   {% build.first %}
  | tight_open                   {% build.first %}

# last element ends in a closing parenthesis
tight_shut ->
    shut                                {% build.listOf %}
  | group                               {% build.first %}
  | tight_shut maybe_comma shut  {% build.listAndPattern %}  # `within (b)` needs a comma before it
  | tight_open maybe_comma shut  {% build.listAndElement %}
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
  | tight_let                             {% build.listOf %}
  | tight_shut maybe_comma tight_let      {% build.listAnd %}
  | tight_open maybe_comma tight_let      {% build.listAnd %}

shut ->
    pattern_shut                        {% build.first %}
  | quantifier pattern_shut             {% build.absenceOfOne %}
  | quantifier nested                   {% build.absence %}
  | quantifier absence_shut             {% build.absenceOfOne %}
  | "forall" "(" tested_pattern ":" expr ")"  {% build.forall %}
  | name ":" name "(" taken:? ")" "from" pattern_shut  {% build.aggregate %}
  | row                                 {% build.first %}

open ->
    pattern_open                        {% build.first %}
  | quantifier pattern_open             {% build.absenceOfOne %}
  | quantifier absence_open             {% build.absenceOfOne %}
  | name ":" name "(" taken:? ")" "from" pattern_open  {% build.aggregate %}
  | items                               {% build.first %}

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
    known "(" maybe_exprs ")"            {% build.pattern %}
  | name ":" known "(" maybe_exprs ")"   {% build.namedPattern %}

pattern_open ->
    bare_pattern                        {% build.first %}
  | pattern_shut over by:?              {% build.windowed %}
  | bare_pattern over by:?              {% build.windowed %}

bare_pattern -> name ":" known           {% build.barePattern %}

# p: Payment(account == a) over last 10 min by p.received
# p: Payment(account == a) within 30 days after i.issued by p.received
over ->
    "over" "last" arith                 {% build.over %}
  | "within" arith ("after" | "before") arith  {% build.within %}

# Before ":" the lexer takes the unit for a name: at least 2 of a: Approval over last 2 days : a.ok
tested_pattern ->
    pattern                             {% build.first %}
  | pattern_shut over_amount            {% build.windowed %}
  | bare_pattern over_amount            {% build.windowed %}

over_amount -> "over" "last" number unit  {% build.overAmount %}

unit -> ("ms" | "millisecond" | "milliseconds" | "s" | "second" | "seconds" | "min" | "minute" | "minutes" | "h" | "hour" | "hours" | "day" | "days" | "week" | "weeks")  {% build.word %}

# l in o.lines: one match for each item. A call alone is a row of a query, or a list, which the checker tells apart: see `row`.
items -> name "in" listed               {% build.items %}

listed ->
    path                                {% build.first %}
  | list                                {% build.first %}
  | comprehension                       {% build.first %}
  | item                                {% build.first %}
  | property                            {% build.first %}
  | "(" expr ")"                        {% build.parens %}
  | aggregate_in                        {% build.first %}

open_where -> "where" expr              {% build.whereElement %}

# Inside parentheses `or` separates alternatives, so a test there has no `or` of its own outside parentheses.
tight_where -> "where" conjunction      {% build.whereElement %}

# let net = o.qty * o.price: a value with a name. In parentheses it has no `or` of its own, as a test there.
let -> "let" name "=" expr              {% build.let %}

tight_let -> "let" name "=" conjunction  {% build.let %}

lets ->
    let                                 {% build.listOf %}
  | lets maybe_comma let                {% build.listAnd %}

maybe_lets ->
    null                                {% build.emptyList %}
  | lets                                {% build.first %}

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
  | "verify" label_of "(" maybe_exprs ")"  {% build.verify %}
  | let                                 {% build.first %}

call_action -> known "(" maybe_values ")"  {% build.callAction %}

decide -> "decide" label_of "(" maybe_exprs ")"  {% build.decide %}

# ---------------------------------------------------------------- expressions

# `and` and `or` in one flat list. A choice is a whole expression: inside `and`, `or` or arithmetic it is in parentheses.
expr ->
    logic                               {% build.logic %}
  | "if" expr "then" expr "else" expr   {% build.choice %}

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
  | arith "in" searched                 {% build.in %}
  | arith "not" "in" searched           {% build.notIn %}
  | arith "contains" arith              {% build.contains %}
  | arith "contains" "any" arith        {% build.containsAny %}
  | arith "contains" "all" arith        {% build.containsAll %}
  | arith "like" arith                  {% build.like %}
  | arith "matches" text                {% build.matches %}
  | arith "is" "missing"                {% build.missing %}
  | arith "is" "present"                {% build.present %}
  | "exists" pattern                    {% build.existsExpr %}
  | "exists" "(" source_vars in_test:? in_window:? ")"  {% build.existsIn %}
  | "all" "(" maybe_exprs ")"      {% build.allOf %}
  | "any" "(" maybe_exprs ")"      {% build.anyOf %}
  | "all" "(" name "in" arith ":" expr ")"  {% build.allItems %}
  | "any" "(" name "in" arith ":" expr ")"  {% build.anyItem %}
  | "at" "least" signed_number "of" "(" maybe_exprs ")"  {% build.quorum %}
  | "at" "least" signed_number "of" tested_pattern ":" test  {% build.factQuorum %}
  | "at" "least" signed_number "of" "all" tested_pattern ":" test  {% build.closedQuorum %}
  | judge judged "(" maybe_exprs ")" outcome_verb  {% build.outcome %}
  | %wait arith                         {% build.waitUntil %}

# What `in` looks into: a list, or a range, of which the end may be left out with ")".
searched ->
    arith                               {% build.first %}
  | arith ".." arith                    {% build.range %}
  | "[" arith ".." arith "]"            {% build.shutRange %}
  | "[" arith ".." arith ")"            {% build.openRange %}

comparator -> ("==" | "!=" | "<" | "<=" | ">" | ">=")  {% build.op %}

judge -> ("gate" | "guardian")                     {% build.word %}

# A reserved word would be an operator here: `gate contains (string) passes`.
judged ->
    name                                {% build.bareLabel %}
  | %text                               {% build.quotedLabel %}
  | dotted_label                        {% build.first %}

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
  # ---- time: @2026-11-16, @2026-11-16T09:30:00Z, and 90 days, 1 month
  | %time                               {% build.time %}
  | %amount                             {% build.amount %}
  | template                            {% build.first %}
  | "true"                              {% build.bool %}
  | "false"                             {% build.bool %}
  | path                                {% build.first %}
  | call                                {% build.first %}
  | list                                {% build.first %}
  | comprehension                       {% build.first %}
  | item                                {% build.first %}
  | property                            {% build.first %}
  | "(" expr ")"                        {% build.parens %}  # never `(number)` alone: see build.REFUSALS
  | "cast" "(" expr "as" cast_target ")"  {% build.castCall %}
  | aggregate_in                        {% build.first %}

aggregate_in -> name "(" source_vars in_test:? in_window:? in_value:? ")"  {% build.aggregateIn %}

in_test -> "/" expr                     {% build.second %}

in_window -> over by:?                  {% build.windowBy %}

in_value -> ";" taken                   {% build.second %}

# What an aggregate takes of each fact: a value, with a key that orders it, and a number that is the same for all.
taken ->
    expr                                {% build.first %}
  | expr "," expr                       {% build.numbered %}
  | keyed                               {% build.first %}

# r.value by r.at   3, o.total by o.at: a test before "by" is in parentheses, since `exists P() over last d by x` has its own
keyed ->
    arith "by" expr                     {% build.keyed %}
  | expr "," arith "by" expr            {% build.numberedKeyed %}

cast_target -> ("number" | "string" | "bool" | "boolean")  {% build.op %}

call ->
    known "(" maybe_values ")"          {% build.call %}
  | name "(" keyed ")"                  {% build.keyedCall %}

path ->
    name                                {% build.path %}
  | name dots                           {% build.dottedPath %}

dots ->
    "." any_name                        {% build.listOfSecond %}
  | dots "." any_name                   {% build.listAnd %}

list -> "[" maybe_values "]"       {% build.list %}

# [x.qty * x.price for x in o.lines if x.qty > 0]
comprehension ->
    "[" value "for" name "in" arith "]"            {% build.comprehension %}
  | "[" value "for" name "in" arith "if" expr "]"  {% build.comprehension %}

# o.lines[0], and a field of an item: o.lines[0].sku
item -> indexed "[" expr "]"            {% build.item %}

indexed ->
    path                                {% build.first %}
  | call                                {% build.first %}
  | list                                {% build.first %}
  | comprehension                       {% build.first %}
  | item                                {% build.first %}
  | property                            {% build.first %}
  | "(" expr ")"                        {% build.parens %}

property ->
    item "." any_name                   {% build.property %}
  | call "." any_name                   {% build.property %}
  | "(" expr ")" "." any_name           {% build.propertyOfParens %}
  | property "." any_name               {% build.property %}

# An object stands only where data is given, never as an operand: `{e: Emp} / test` is the slash form.
value ->
    expr                                {% build.first %}
  | object                              {% build.first %}

object -> "{" maybe_entries "}"     {% build.object %}

entry -> (any_name | text_name) ":" value  {% build.entry %}

text_name -> %text                      {% build.ident %}

text -> %text                           {% build.text %}

# $"{o.id}: {total} EUR": the lexer cuts it at the braces
template ->
    %template                           {% build.text %}
  | template_parts %template_tail       {% build.template %}

template_parts ->
    %template_head expr                 {% build.templateStart %}
  | template_parts %template_middle expr  {% build.templatePart %}

number -> %number                       {% build.number %}

signed_number ->
    number                              {% build.first %}
  | "-" number                          {% build.negate %}

# ---------------------------------------------------------------- condition, gate, flow

condition_decl ->
    "condition" name params:? ":" expr evidence:?  {% build.conditionDecl %}
  | "condition" name params:? ":" lets maybe_comma "where" expr evidence:?  {% build.conditionWithLets %}

params -> "(" maybe_param_list ")"     {% build.second %}

# The one "by" serves both the window and "latest".
evidence -> "from" evidence_mode:? evidence_pattern over:? by:? per:?  {% build.evidence %}

evidence_pattern ->
    pattern_shut                        {% build.first %}
  | bare_pattern                        {% build.first %}

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
  | let                                 {% build.first %}

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
  | let                                 {% build.first %}

check -> "check" name check_modifiers "{" maybe_lets check_lines "}"  {% build.check %}

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
  | let                                 {% build.first %}

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
  | let                                 {% build.first %}
  | either                              {% build.first %}

bound_pattern ->
    bound_shut                          {% build.first %}
  | bare_pattern                        {% build.first %}
  | bound_shut over by:?                {% build.windowed %}
  | bare_pattern over by:?              {% build.windowed %}

bound_shut -> name ":" known "(" maybe_exprs ")"  {% build.namedPattern %}

step_unless -> "unless" expr            {% build.second %}

# ---------------------------------------------------------------- list, query, test

# list EU = ["FR", "DE"]   const VAT = 0.2   const EU = ["FR", "DE"]
list_decl -> "list" name "=" list       {% build.listDecl %}

const_decl -> "const" name "=" value    {% build.constDecl %}

query_decl -> "query" name params:? "{" elements "}"    {% build.queryDecl %}

test_decl -> "test" label "{" test_items "}"       {% build.testDecl %}

test_item ->
    "given" fact                        {% build.given %}
  | "given" name "=" fact               {% build.namedGiven %}
  | "given" call "=" value              {% build.givenCall %}
  | "clock" clock_time                  {% build.clockItem %}
  | "advance" clock_time                {% build.advanceItem %}
  | "expect" "rule" label_of "fires" number:?  {% build.expectRule %}
  | "expect" "effect" call_action       {% build.expectEffect %}
  | "expect" "no" "effect" call_action  {% build.expectNoEffect %}
  | "expect" "gate" label_of "(" maybe_exprs ")" "is" outcome            {% build.expectGate %}
  | "expect" "guardian" label_of "(" maybe_exprs ")" "is" verdict        {% build.expectVerdict %}
  | "expect" "pipeline" label_of "(" maybe_exprs ")" "is" step_action    {% build.expectDecision %}
  | "expect" pattern                    {% build.expectSome %}
  | "expect" "no" pattern               {% build.expectNone %}
  | "expect" number pattern             {% build.expectCount %}

# @2026-11-16T12:00:00Z   10 min
clock_time ->
    %time                               {% build.time %}
  | %amount                             {% build.amount %}

# ---------------------------------------------------------------- decision tables

# table discount(c: Customer, o: Order) first { | c.tier | o.total || rate: number | … }: inside, the lexer keeps || apart from or
table_decl ->
    "table" name params table_policy "{" table_head table_rows "}"  {% build.tableDecl %}
  | "table" name params:? "from" text table_policy  {% build.tableFrom %}

table_policy ->
    ("first" | "unique" | "any")        {% build.policy %}
  | "collect" ("sum" | "min" | "max" | "list")  {% build.collectPolicy %}

table_head -> "|" table_inputs "||" table_outputs "|"  {% build.tableHead %}

table_inputs ->
    expr                                {% build.listOf %}
  | table_inputs "|" expr               {% build.listAnd %}

table_outputs ->
    table_output                        {% build.listOf %}
  | table_outputs "|" table_output      {% build.listAnd %}

table_output ->
    any_name ":" table_type             {% build.namedOutput %}
  | table_type                          {% build.output %}

# A union is in parentheses: | separates columns.
table_type ->
    type_name                           {% build.first %}
  | type_name "[" "]"                   {% build.listTypeRef %}
  | "(" union ")"                       {% build.unionInParens %}

table_rows ->
    null                                {% build.emptyList %}
  | table_rows table_row                {% build.pushed %}

table_row -> "|" table_cells "||" table_values "|"  {% build.tableRow %}

table_cells ->
    table_cell                          {% build.listOf %}
  | table_cells "|" table_cell          {% build.listAnd %}

table_cell ->
    "-"                                 {% build.anyCell %}
  | unary_tests                         {% build.cell %}

unary_tests ->
    unary_test                          {% build.listOf %}
  | unary_tests "," unary_test          {% build.listAnd %}

unary_test ->
    plain_unary                         {% build.first %}
  | "not" plain_unary                   {% build.notUnary %}

plain_unary ->
    arith                               {% build.isUnary %}
  | comparator arith                    {% build.compareUnary %}
  | "in" searched                       {% build.inUnary %}
  | arith ".." arith                    {% build.rangeUnary %}
  | "[" arith ".." arith "]"            {% build.shutRangeUnary %}
  | "[" arith ".." arith ")"            {% build.openRangeUnary %}

table_values ->
    expr                                {% build.listOf %}
  | table_values "|" expr               {% build.listAnd %}

# ---------------------------------------------------------------- reuse and modules

# q in adults(18)
row -> name "in" known "(" maybe_values ")"  {% build.row %}

# param max_amount: number = 1000
param_decl -> "param" name ":" type_ref default:?  {% build.paramDecl %}

# function risk(country: string, amount: number): number
# function gross(net: number): number = net * 1.2
function_decl -> "function" name params ":" type_ref "?":? body:?  {% build.functionDecl %}

body -> "=" expr                        {% build.second %}

# ---------------------------------------------------------------- the rest

import_decl ->
    "import" text                       {% build.importDecl %}
  | "import" text "as" name             {% build.importDecl %}

# private const LIMIT = 5: the name is known in this file only
private_decl ->
    "private" named_decl                {% build.privateDecl %}
  | "private" name "=" fact             {% build.privateFact %}

named_decl ->
    type_decl       {% build.first %}
  | record_decl     {% build.first %}
  | action_decl     {% build.first %}
  | rule_decl       {% build.first %}
  | condition_decl  {% build.first %}
  | gate_decl       {% build.first %}
  | flow_decl       {% build.first %}
  | guardian_decl   {% build.first %}
  | pipeline_decl   {% build.first %}
  | list_decl       {% build.first %}
  | const_decl      {% build.first %}
  | alias_decl      {% build.first %}
  | param_decl      {% build.first %}
  | function_decl   {% build.first %}
  | query_decl      {% build.first %}
  | table_decl      {% build.first %}
  | test_decl       {% build.first %}
  | xuple_decl      {% build.first %}

option_decl ->
    "option" name name                  {% build.optionDecl %}
  | "option" name signed_number         {% build.optionDecl %}
  | "option" name text                  {% build.optionDecl %}

remove_decl ->
    "remove" "rule" label_of            {% build.removeRule %}
  | "remove" "fact" known keys  {% build.removeFact %}

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

# actions one after the other, with commas where the author likes them; `then (b)` needs one before it: see build.REFUSALS
loose_actions ->
    action                             {% build.listOf %}
  | loose_actions maybe_comma action   {% build.listAndElement %}

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
