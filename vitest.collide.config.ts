/**
 * The tests once more with a hash that gives every node the same name: nothing but names may depend on it. Promise D8 tries
 * 20,000 cases with such a hash (test/promises/d1-histories), so the properties try few here: scripts/verify.mjs.
 */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const hash = fileURLToPath(new URL("src/plan/hash.ts", import.meta.url));
const stub = fileURLToPath(new URL("test/support/colliding-hash.ts", import.meta.url));

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: "colliding-hash",
        enforce: "pre",
        resolveId: (source: string, importer?: string) =>
          resolve(dirname(importer ?? ""), source) === hash ? stub : undefined,
      },
    ],
    test: {
      exclude: [
        // about hashes themselves; D8 brings its own
        "test/plan/{hash,or-nodes}*",
        "test/promises/{d8-collisions,sharing-shown}*",
        "test/cli/hash*",
        // build no network
        "test/{base,bench,house,language,node}/**",
        "test/cli/{capped-errors,facts-files}*",
        "test/explain/pack-signature*",
        "test/gates/gate-laws*",
        "test/plan/support-plans*",
        "test/promises/{d7,d10,escaping,facts-files,gates-missing,hidden-text,pack-damage}*",
        "test/prove/oracle*",
        // count steps, time or bytes: how much is done, not with which names
        "test/cli/{attacks,graph-budget}*",
        "test/explain/budget*",
        "test/plan/planning-steps*",
        "test/promises/steps*",
        "test/rete/memory-returns*",
        "test/session/logical-growth*",
        // show names in pictures
        "test/cli/graph*",
        // start processes, which have the real hash
        "test/cli/{decide,help-examples,mistakes,processes,terminal}*",
        "test/docs/!(examples)*",
        "test/engine/types*",
      ],
    },
  }),
);
