/** What the clock shows, where an explanation reads it. */
import { timeNumbers, timeText } from "../../base/time.ts";
import type { Maybe } from "../../base/value.ts";
import { zoneNamed } from "../../base/zone.ts";
import { zoneOf } from "../../language/check/clock.ts";
import type { World } from "./world.ts";

/** Returns the value of `now` or `today` as text; undefined while the clock is not set. */
export function clockValue(name: string, { clock, context }: World): Maybe {
  if (clock === undefined || name === "now") return clock;
  const instant = timeNumbers("instant", clock);
  const day = typeof instant === "number" ? zoneNamed(zoneOf(context.program))?.dayAt(instant) : undefined;
  return day === undefined ? undefined : timeText("date", day);
}
