/**
 * Time zones by name, through `Intl.DateTimeFormat`. What was asked once is kept: offsets by quarter of an hour, first instants by day.
 *
 * The first instant of a day is the first at which the clocks of the zone show that day. Clocks can go back over midnight, so
 * the date that clocks show may fall; the first instants of days never do.
 */
import { daysOf, isDay } from "./civil.ts";
import { DAY, HOUR, isInRange, MINUTE, SECOND } from "./time.ts";

/** A zone keeps at most so many offsets and first instants before it forgets them all. */
const MOST_KEPT = 20_000;

/** So many zones are kept: about twice as many as there are. */
const MOST_ZONES = 1_000;

export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();
  readonly #starts = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** Returns what clocks show, as milliseconds since 1970 of the same reading in UTC. */
  wall(instant: number): number {
    const quarter = Math.floor(instant / QUARTER);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return instant + known;
    const offset = this.#offsetAt(quarter * QUARTER);
    // Clocks change inside the quarter: what they show is asked for the second.
    if (offset !== this.#offsetAt((quarter + 1) * QUARTER)) return instant + this.#offsetAt(floorSecond(instant));
    keep(this.#offsets, quarter, offset);
    return instant + offset;
  }

  /** Returns the date that clocks show; undefined beyond the years 1 to 9999. */
  dateAt(instant: number): number | undefined {
    const day = Math.floor(this.wall(instant) / DAY);
    return isDay(day) ? day : undefined;
  }

  /** Returns the first instant of a day. A day that clocks skip begins where they jump. */
  startOf(day: number): number | undefined {
    const known = this.#starts.get(day);
    if (known !== undefined) return known;
    const start = this.#firstInstant(day);
    if (!isInRange("instant", start)) return undefined;
    keep(this.#starts, day, start);
    return start;
  }

  /** Returns the last day whose first instant is not after `instant`; it never goes back while time goes on. */
  dayAt(instant: number): number | undefined {
    let day = Math.floor(this.wall(instant) / DAY) + 1;
    for (let tries = 0; tries < 4; tries += 1, day -= 1) {
      const start = isDay(day) ? this.startOf(day) : undefined;
      if (start !== undefined && start <= instant) return day;
    }
    return undefined;
  }

  /** Returns the instant at which clocks show this reading: the earlier of two, and after a gap as much later as they jumped. */
  instantOf(wall: number): number | undefined {
    const before = this.wall(wall - DAY) - (wall - DAY);
    const after = this.wall(wall + DAY) - (wall + DAY);
    for (const offset of [before, after]) if (this.wall(wall - offset) === wall) return inRange(wall - offset);
    return inRange(wall - before);
  }

  #offsetAt(instant: number): number {
    const parts = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const number = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
    const year = parts.get("era") === "BC" ? 1 - number("year") : number("year");
    const day = daysOf(year, number("month"), number("day"));
    return day * DAY + number("hour") * HOUR + number("minute") * MINUTE + number("second") * SECOND - instant;
  }

  #firstInstant(day: number): number {
    const midnight = day * DAY;
    const before = this.#offsetAt(midnight - DAY);
    if (before === this.#offsetAt(midnight + DAY)) return midnight - before;
    // Clocks change near midnight, and may go back over it: look at quarters first, then inside the first that reaches the day.
    let high = midnight - DAY;
    while (this.wall(high) < midnight) high += QUARTER;
    let low = high - QUARTER;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.wall(middle) >= midnight) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** Clocks change at most once in a quarter of an hour. */
const QUARTER = 15 * MINUTE;

function floorSecond(instant: number): number {
  return Math.floor(instant / SECOND) * SECOND;
}

function inRange(instant: number): number | undefined {
  return isInRange("instant", instant) ? instant : undefined;
}

function keep(map: Map<number, number>, key: number, value: number): void {
  if (map.size >= MOST_KEPT) map.clear();
  map.set(key, value);
}

const ZONES = new Map<string, Zone>();

/** Returns the zone of a name such as "Europe/Paris"; undefined when this machine's zone data has none. */
export function zoneNamed(name: string): Zone | undefined {
  const known = ZONES.get(name);
  if (known !== undefined) return known;
  const zone = makeZone(name);
  if (zone === undefined) return undefined;
  if (ZONES.size >= MOST_ZONES) ZONES.clear(); // a name can be written in many ways
  ZONES.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/u.test(name)) return undefined;
  try {
    return new Zone(name);
  } catch {
    return undefined;
  }
}
