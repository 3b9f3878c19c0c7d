/**
 * Tests functions of the program in patterns, joins, aggregates, and in the evidence of conditions, where facts are judged: the network
 * finds what the brute-force matcher finds. Functions of the host that nobody passes are unknown on both sides.
 */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const RULES = `
function same(a: string?, b: string?): bool = a == b
function adds(a: number?, b: number): number = a + b
function about(e: E, r: R): bool = e.who == r.id and e.n > 1
function name(e: E): string = coalesce(e.boss.nick, e.who)
type R(#id: string, n: number?)
type P(#id: string, nick: string?)
type E(#k: string, who: string?, n: number?, ok: bool?, boss: P?)
R("r1", 1) R("r2")
P("p1", "r1") P("p2")
E("e1", "r1", 2, true, "p1") E("e2", null, 3, false, "p2") E("e3", "r2", null, null) E("e4", "r2", 3, true, "p2")
condition c1(r: R) : e.ok from any e: E(same(e.who, r.id))
condition c2(r: R) : e.ok from every e: E(about(e, r))
condition c3(r: R) : adds(e.n, 1) > 2 from e: E(e.who == r.id, adds(e.n, 0) == 3)
condition c5(r: R) : e.ok from latest e: E(name(e) == r.id) by e.n
rule "1" { when r: R where c1(r) then log(r.id) }
rule "1n" { when r: R where not c1(r) then log(r.id) }
rule "2" { when r: R where c2(r) then log(r.id) }
rule "2n" { when r: R where not c2(r) then log(r.id) }
rule "3" { when r: R where c3(r) then log(r.id) }
rule "3n" { when r: R where not c3(r) then log(r.id) }
rule "5" { when r: R where c5(r) then log(r.id) }
rule "5n" { when r: R where not c5(r) then log(r.id) }
rule "6" { when r: R e: E(same(who, r.id), adds(n, r.n) > 2) then log(r.id) }
rule "7" { when r: R not E(same(who, r.id), n > 1) then log(r.id) }
rule "8" { when r: R n: count(e) from e: E(name(e) == r.id) where n > 1 then log(r.id) }
rule "9" { when r: R e: E(name(e) == r.id) f: E(name(f) == name(e), adds(f.n, 1) == adds(e.n, 0)) then log(r.id) }
rule "10" { when e: E(boss.nick == name(e)) let x = name(e) where x == coalesce(e.who, "z") then log(e.k) }
rule "11" { when r: R where COUNT(e: E / same(e.who, r.id) and adds(e.n, 1) > 2) > 0 then log(r.id) }
gate g for r: R { require c1(r) and c2(r) or c5(r) }

function score(who: string?): number
rule "12" { when e: E(coalesce(score(who), 0) == 0) then log(e.k) }
rule "13" { when e: E where adds(score(e.who), 1) is missing then log(e.k) }
`;

test.each([1, 2, 3])("with seed %i", (seed) => {
  const ran = runCli(["prove", "rules.tsd", "--cases", "60", "--seed", String(seed)], { "rules.tsd": RULES });
  expect(ran.out).toMatch(/^60 cases, \d+ changes, 16 rules: no difference/u);
  expect(ran.exit).toBe(0);
});
