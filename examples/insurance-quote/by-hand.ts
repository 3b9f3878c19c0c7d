// The same decisions without an engine, for comparison: docs/cookbook/README.md.
interface Driver {
  id: string;
  born: string;
  licence: string;
  zip: string;
}
interface Car {
  plate: string;
  value: number;
  power: number;
}
interface Facts {
  Driver: Driver[];
  Car: Car[];
  Claim: { id: string; driver: string; on: string; paid: number }[];
  Quote: { id: string; driver: string; car: string; start: string; cover: string }[];
}

const DAYS = 30;

const cents = (amount: number): number => Number(`${Math.round(Number(`${amount}e2`))}e-2`);
const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** The same day five years before; 28 February where there is none. */
function fiveYearsBefore(date: string): string {
  const then = `${Number(date.slice(0, 4)) - 5}${date.slice(4)}`;
  return new Date(then).toISOString().slice(0, 10) === then ? then : then.replace("-02-29", "-02-28");
}

function years(first: string, last: string): number {
  const before = last.slice(5) < first.slice(5) ? 1 : 0;
  return Number(last.slice(0, 4)) - Number(first.slice(0, 4)) - before;
}

function base({ power, value }: Car, cover: string): number {
  const [price, rate] = power < 75 ? [240, 0.02] : power < 150 ? [360, 0.03] : [540, 0.04];
  return cover === "full" ? price + value * rate : price;
}

const region = (zip: string): number => (["75001", "13001"].includes(zip) ? 1.3 : 1);

function bonus(claims: number, experience: number): { factor: number; reason: string } {
  if (claims === 0 && experience >= 10) return { factor: 0.6, reason: "no claims" };
  if (claims === 0 && experience >= 3) return { factor: 0.8, reason: "no claims" };
  if (claims === 1 && experience >= 3) return { factor: 1, reason: "one claim" };
  if (claims <= 1 && experience < 3) return { factor: 1.5, reason: "new driver" };
  return { factor: 1.8, reason: "claims" };
}

export function decide(facts: Facts): [string, string, ...unknown[]][] {
  return facts.Quote.flatMap(({ id, driver: driverId, car: plate, start, cover }): [string, string, ...unknown[]][] => {
    const driver = facts.Driver.find((one) => one.id === driverId);
    const car = facts.Car.find((one) => one.plate === plate);
    if (driver === undefined || car === undefined) return [];
    const since = fiveYearsBefore(start);
    const claims = facts.Claim.filter((claim) => claim.driver === driverId && claim.on > since).length;
    const age = years(driver.born, start);
    if (claims > 3 || age < 18) return [["refer", id, age < 18 ? "too young" : `${claims} claims`]];
    const { factor, reason } = bonus(claims, years(driver.licence, start));
    const premium = cents(base(car, cover) * region(driver.zip) * factor);
    const text = `${premium.toFixed(2)} EUR (${reason}), valid until ${plusDays(start, DAYS)}`;
    return [["offer", id, premium, text]];
  });
}
