/**
 * Logical facts along chains, rings and trees: deriving all of them from one root, and retracting the root.
 *
 *   npm run bench -- logical
 */
import { compile } from "../src/index.ts";
import { type Benchmark, type Figures, verify } from "./lib/benchmark.ts";

const TYPES = `
type Root(#k: number)
type Link(#from: number, #to: number)
type Node(#k: number)
rule start { when r: Root then insert logical Node(k: r.k) }
`;

/** A rule that names the fact it rests on, and one that only asks whether there is one. */
const RULES: Readonly<Record<string, string>> = {
  named: `${TYPES}rule along { when n: Node l: Link(from == n.k) then insert logical Node(k: l.to) }`,
  exists: `${TYPES}rule along { when l: Link exists Node(k == l.from) then insert logical Node(k: l.to) }`,
};

/** For each node after the root, the node that leads to it. */
const SHAPES: Readonly<Record<string, (k: number) => number>> = {
  chain: (k) => k - 1,
  ring: (k) => k - 1,
  tree: (k) => (k - 1) >> 1,
};

const SIZES = [1000, 10_000, 100_000];

function measure(shape: string, rules: string, size: number): Figures {
  const session = compile(RULES[rules] ?? "").session({ limit: 2 * size });
  const before = SHAPES[shape] ?? (() => 0);
  session.batch(() => {
    for (let k = 1; k < size; k++) session.assert("Link", { from: before(k), to: k });
    if (shape === "ring") session.assert("Link", { from: size - 1, to: 0 });
  });
  const start = performance.now();
  const root = session.assert("Root", { k: 0 });
  session.run({ collect: false });
  const derive = performance.now() - start;
  verify({ nodes: session.facts("Node").length }, { nodes: size });
  const end = performance.now();
  session.retract(root);
  const retract = performance.now() - end;
  verify({ nodes: session.facts("Node").length }, { nodes: 0 });
  return { derive, retract, steps: session.counters().supportSteps };
}

export const benchmark: Benchmark = {
  about: "logical facts from one root, and the root retracted (size: facts)",
  shows: ["derive", "retract"],
  picture: "works",
  figures: [
    { key: "derive", title: "derive", unit: "ms" },
    { key: "retract", title: "retract", unit: "ms" },
    { key: "steps", title: "steps", unit: "count" },
  ],
  cases: Object.keys(RULES).flatMap((rules) =>
    Object.keys(SHAPES).flatMap((shape) =>
      SIZES.map((size) => ({
        work: `${shape}, ${rules}`,
        size,
        engine: "sluice",
        measure: () => measure(shape, rules, size),
      })),
    ),
  ),
};
