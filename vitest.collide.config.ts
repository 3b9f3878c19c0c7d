/** The suite once more with a hash that gives every node the same name: nothing but names may depend on it. */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const stub = fileURLToPath(new URL("test/support/colliding-hash.ts", import.meta.url));

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: "colliding-hash",
        enforce: "pre",
        resolveId: (source: string) => (source.endsWith("/hash.ts") ? stub : undefined),
      },
    ],
    test: {
      // what is about hashes itself (d8 brings its own), and what builds no network
      exclude: [
        "test/plan/{hash,or-nodes}*",
        "test/promises/d8-collisions*",
        "test/promises/{d10,hidden-text,escaping,facts-files,pack-damage}*",
        "test/{language,house,bench,node}/**",
        "test/cli/{facts-files,capped-errors}*",
        "test/base/exact-sum*",
        "test/base/hidden-text*",
        "test/explain/pack-signature*",
        // what is counted in steps is about how much is done, not with which names
        "test/promises/steps*",
        "test/plan/planning-steps*",
        "test/session/logical-growth*",
        "test/explain/budget*",
        "test/cli/attacks*",
        // pictures show names, and the others start programs of their own
        "test/docs/documents*",
        "test/cli/{graph,processes}*",
        "test/engine/types*",
      ],
    },
  }),
);
