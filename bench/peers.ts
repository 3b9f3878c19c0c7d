/**
 * The same work on other engines: six from npm, CLIPS when it is installed, and a program written by hand as the limit.
 *
 *   npm run bench -- peers
 */
import { alphaByHand, type AlphaName, alphaOnSluice } from "./lib/alpha-cases.ts";
import type { Benchmark, Case, Figures } from "./lib/benchmark.ts";
import { type OrderName, ordersByHand, ordersOnSluice } from "./lib/order-cases.ts";
import { measureProgram } from "./lib/program-cases.ts";
import { alphaOnPeer, ordersOnPeer } from "./peers/cases.ts";
import { alphaOnClips, clipsVersion, ordersOnClips, programOnClips } from "./peers/clips/clips.ts";
import { jsonLogicEngine } from "./peers/engines/json-logic-engine.ts";
import { jsonRulesEngine } from "./peers/engines/json-rules-engine.ts";
import { nodeRules } from "./peers/engines/node-rules.ts";
import { nools } from "./peers/engines/nools.ts";
import { rools } from "./peers/engines/rools.ts";
import { zenEngine } from "./peers/engines/zen-engine.ts";
import { installPeers, peerVersions } from "./peers/install.ts";
import type { Peer } from "./peers/peer.ts";

const FACTS = 10_000;
const SECONDS = 20;
const PEERS: readonly Peer[] = [jsonLogicEngine, nodeRules, rools, zenEngine, nools, jsonRulesEngine];

/** Sluice has no need of a limit, but must not hold up the others. */
const OWN_SECONDS = 120;

function versus(
  work: string,
  size: number,
  own: () => Figures,
  clips: () => Figures,
  others: readonly Omit<Case, "work" | "size">[],
): Case[] {
  return [
    { work, size, engine: "sluice", seconds: OWN_SECONDS, measure: own },
    { work, size, engine: "clips", seconds: 2 * SECONDS, measure: clips },
    ...others.map((other) => ({ work, size, seconds: SECONDS, ...other })),
  ];
}

function alpha(work: AlphaName, size: number): Case[] {
  return versus(
    work,
    size,
    () => alphaOnSluice(work, size, FACTS),
    () => alphaOnClips(work, size, FACTS),
    [
      { engine: "hand", measure: () => alphaByHand(work, size, FACTS) },
      ...PEERS.map((peer) => ({
        engine: peer.name,
        measure: (built: () => void) => alphaOnPeer(peer, work, size, FACTS, built),
      })),
    ],
  );
}

function orders(work: OrderName, size: number): Case[] {
  return versus(
    work,
    size,
    () => ordersOnSluice(work),
    () => ordersOnClips(work),
    [
      { engine: "hand", measure: () => ordersByHand(work) },
      ...PEERS.map((peer) => ({
        engine: peer.name,
        measure: (built: () => void) => ordersOnPeer(peer, work, built),
      })),
    ],
  );
}

function program(work: "manners" | "waltz" | "waltzdb", size: number): Case[] {
  return versus(
    work,
    size,
    () => measureProgram(work, size),
    () => programOnClips(work, size),
    [],
  );
}

export const benchmark: Benchmark = {
  about:
    "the same work on other engines; at most 20 s each (size: rules in W1 and W4, facts in W2, replacements in W5)",
  processes: 1,
  prepare: installPeers,
  versions: () => ({ clips: clipsVersion(), ...peerVersions() }),
  picture: "works",
  figures: [
    { key: "build", title: "build", unit: "ms" },
    { key: "first", title: "first run", unit: "ms" },
    { key: "warm", title: "time", unit: "ms" },
  ],
  versus: "warm",
  cases: [
    ...[100, 1000, 5000].flatMap((rules) => alpha("W1", rules)),
    ...alpha("W4", 1000),
    ...orders("W2", 11_000),
    ...orders("W5", 10_000),
    ...program("manners", 64),
    ...program("manners", 128),
    ...program("waltz", 50),
    ...program("waltz", 200),
    ...program("waltzdb", 16),
  ],
};
