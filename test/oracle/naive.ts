/** The oracle of the tests is the naive matcher that `sluice prove` ships. */
export * from "../../src/prove/naive.ts";
