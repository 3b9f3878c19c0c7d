/** Two ways of working something out that should give the same, and did not. */
export class Difference extends Error {}
