/** Advice for what people write who know other languages: each says how it is written here. */
import type { Advice } from "../situation.ts";
import { BLOCKS } from "./blocks.ts";
import { ITEMS } from "./items.ts";
import { LETS } from "./lets.ts";
import { OPERATORS } from "./operators.ts";
import { STATEMENTS } from "./statements.ts";
import { VALUES } from "./values.ts";

export const HABITS: readonly Advice[] = [...LETS, ...VALUES, ...OPERATORS, ...ITEMS, ...BLOCKS, ...STATEMENTS];
