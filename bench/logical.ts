/**
 * W11: logical facts along chains, rings and trees: deriving all of them from one root, and retracting the root.
 *
 *   npm run bench -- logical
 *
 * `named` rules name the fact they rest on; rules with `exists` only ask whether there is one. CLIPS keeps a ring when its root has gone, so
 * it has no rings here.
 */
import { compile, type Session } from "../src/index.ts";
import { Reach } from "./hand/reach.ts";
import type { Answer, Case, Figures } from "./lib/benchmark.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";
import type { ClipsScript } from "./peers/clips/clips.ts";

const TYPES = `
type Root(#k: number)
type Link(#from: number, #to: number)
type Node(#k: number)
rule start { when r: Root then insert logical Node(k: r.k) }
`;

/** A rule that names the fact it rests on, and one that only asks whether there is one. */
const RULES = {
  named: `${TYPES}rule along { when n: Node l: Link(from == n.k) then insert logical Node(k: l.to) }`,
  exists: `${TYPES}rule along { when l: Link exists Node(k == l.from) then insert logical Node(k: l.to) }`,
};

const CLIPS_RULES = `(deftemplate Root (slot k)) (deftemplate Link (slot from) (slot to)) (deftemplate Node (slot k))
(defrule start (logical (Root (k ?k))) => (assert (Node (k ?k))))
(defrule along (logical (Node (k ?k)) (Link (from ?k) (to ?to))) => (assert (Node (k ?to))))
`;

/** For each node after the root, the node that leads to it. */
const SHAPES = {
  chain: { before: (k: number): number => k - 1, sizes: [2000, 4000, 8000, 16_000] },
  ring: { before: (k: number): number => k - 1, sizes: [2000, 4000, 8000, 16_000] },
  tree: { before: (k: number): number => (k - 1) >> 1, sizes: [2500, 5000, 10_000, 20_000] },
};

type Shape = keyof typeof SHAPES;
type Kind = keyof typeof RULES;
type Links = readonly { readonly from: number; readonly to: number }[];

function linksOf(shape: Shape, size: number): Links {
  const { before } = SHAPES[shape];
  const links = Array.from({ length: size - 1 }, (_, index) => ({ from: before(index + 1), to: index + 1 }));
  return shape === "ring" ? [...links, { from: size - 1, to: 0 }] : links;
}

function deriving(shape: Shape, kind: Kind): Task<Links> {
  return {
    ...common(shape, kind),
    work: `${shape}, ${kind}: derive`,
    onSluice: (session, links) => {
      session.batch(() => links.forEach((link) => session.assert("Link", link)));
      return {
        work: () => {
          session.assert("Root", { k: 0 });
          session.run({ collect: false });
        },
        ...outcomeOf(session),
      };
    },
    byHand: (links) => {
      const reach = reachOf(links);
      return { work: () => reach.root(0), answer: () => ({ nodes: reach.size }) };
    },
    ...(hasClips(shape, kind)
      ? { onClips: (links) => clipsScript(links, ["(assert (Root (k 0)))"], links.length + 1) }
      : {}),
  };
}

function retracting(shape: Shape, kind: Kind): Task<Links> {
  return {
    ...common(shape, kind),
    work: `${shape}, ${kind}: retract`,
    onSluice: (session, links) => {
      session.batch(() => links.forEach((link) => session.assert("Link", link)));
      const root = session.assert("Root", { k: 0 });
      session.run({ collect: false });
      return { work: () => session.retract(root), ...outcomeOf(session) };
    },
    byHand: (links) => {
      const reach = reachOf(links);
      reach.root(0);
      return { work: () => reach.dropRoot(0), answer: () => ({ nodes: reach.size }) };
    },
    ...(hasClips(shape, kind)
      ? { onClips: (links) => clipsScript(links, ["(retract ?*root*)"], 0, ["(bind ?*root* (assert (Root (k 0))))"]) }
      : {}),
  };
}

function common(shape: Shape, kind: Kind): Pick<Task<Links>, "sizes" | "given" | "program" | "alone"> {
  const { sizes } = SHAPES[shape];
  return {
    sizes,
    given: (size) => linksOf(shape, size),
    program: () => compile(RULES[kind]),
    alone: kind === "exists" || shape === "ring",
  };
}

function outcomeOf(session: Session): { answer: () => Answer; figures: () => Figures } {
  return {
    answer: () => ({ nodes: session.facts("Node").length }),
    figures: () => ({ steps: session.counters().supportSteps }),
  };
}

function reachOf(links: Links): Reach {
  const reach = new Reach();
  for (const { from, to } of links) reach.add(from, to);
  return reach;
}

function hasClips(shape: Shape, kind: Kind): boolean {
  return kind === "named" && shape !== "ring";
}

/** What is compared is how many nodes there are. */
function clipsScript(links: Links, timed: string[], nodes: number, last: string[] = []): ClipsScript {
  return {
    rules: CLIPS_RULES,
    globals: ["root"],
    before: [...links.map(({ from, to }) => `(assert (Link (from ${from}) (to ${to})))`), ...last],
    timed,
    after: ["(bind ?*firings* (length$ (find-all-facts ((?n Node)) TRUE)))", "(bind ?*sum* 0)"],
    expected: { firings: nodes, sum: 0 },
  };
}

const KINDS: readonly Kind[] = ["named", "exists"];
const ALL_SHAPES: readonly Shape[] = ["chain", "ring", "tree"];

export const tasks: readonly Task<Links>[] = KINDS.flatMap((kind) =>
  ALL_SHAPES.flatMap((shape) => [deriving(shape, kind), retracting(shape, kind)]),
);

export const benchmark = benchmarkOf(
  "logical facts from one root, and the root retracted (size: facts)",
  tasks.flatMap((task): Case[] => casesOf(task)),
  { figures: [{ key: "steps", title: "steps", unit: "count" }] },
);
