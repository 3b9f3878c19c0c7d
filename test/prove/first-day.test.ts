/** The oracle at the beginning of the calendar: west of Greenwich the first day of the year 1 begins where clocks still show the year before. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { callOnTimes } from "../../src/prove/times.ts";

test.each(["America/St_Johns", "Pacific/Apia", "Asia/Tokyo", "UTC"])(
  "the first day begins in %s as the engine says",
  (zone) => {
    const session = compile(`rule r { when where true then log(instant(@0001-01-01, "${zone}")) }`).session();
    const [logged] = session.run().effects;
    expect(callOnTimes("instant", ["0001-01-01", zone])).toEqual(logged?.args[0]);
  },
);
