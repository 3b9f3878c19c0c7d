/** A picture: boxes with their places, and the paths of arrows, in pixels from the top left. */
import type { Box, GraphModel } from "./model.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface SmallLine {
  readonly words: string;
  readonly look: "facts" | "kind" | "sharing";
}

export interface PlacedBox extends Point {
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  readonly title: readonly string[];
  readonly small: readonly SmallLine[];
}

export interface PlacedArrow {
  readonly from: string;
  readonly to: string;
  readonly carries: GraphModel["arrows"][number]["carries"];
  readonly label?: string;
  /** The middle of the label. */
  readonly labelAt?: Point;
  readonly how?: "error" | "never";
  readonly color?: string;
  readonly points: readonly Point[];
}

interface Heading extends Point {
  readonly words: string;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly headings: readonly Heading[];
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

/** A box with its size and lines, not yet placed. */
export type MeasuredBox = Omit<PlacedBox, "x" | "y">;
