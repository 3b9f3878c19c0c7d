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
        "test/{hash,or-nodes,d8-collisions}*",
        "test/{print,plain-fact,robust,format,readings,facts-files,errors,architecture,generator,minimise}*",
        "test/{exact-sum,hidden-text,escaping,audit,imports,capped-errors,pack-signature,pack-damage}*",
        // what is counted in steps is about how much is done, not with which names
        "test/{planning-steps,logical-growth,explain-budget,attacks}*",
        // pictures show names, and the others start programs of their own
        "test/{documents,graph,processes,types}*",
      ],
    },
  }),
);
