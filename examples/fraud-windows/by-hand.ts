// The same decisions without an engine, for comparison: docs/cookbook/README.md. It looks at all payments again for each instant.
interface Payment {
  id: string;
  account: string;
  amount: number;
  country: string;
  at: string;
}
interface Facts {
  Account: { id: string; home: string }[];
  Payment: Payment[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
const mean = (numbers: number[]): number => sum(numbers) / numbers.length;

/** The standard deviation of a sample. */
function deviation(numbers: number[]): number {
  const center = mean(numbers);
  return Math.sqrt(sum(numbers.map((one) => (one - center) ** 2)) / (numbers.length - 1));
}

export function decide(facts: Facts, clock: string): [string, string, string][] {
  const now = Date.parse(clock);
  return facts.Account.flatMap(({ id, home }) => {
    const decisions: [string, string, string][] = [];
    const mine = facts.Payment.filter((payment) => payment.account === id);
    const last = (duration: number): Payment[] =>
      mine.filter(({ at }) => now - duration < Date.parse(at) && Date.parse(at) <= now);

    const recent = last(10 * MINUTE);
    if (recent.length > 3) decisions.push(["block", id, `${recent.length} payments in ten minutes`]);

    const places = [...new Set(last(HOUR).map(({ country }) => country))].sort();
    if (places.length > 1) decisions.push(["block", id, `in ${places.join(" and ")}`]);

    const month = last(30 * DAY).map(({ amount }) => amount);
    const newest = recent.reduce<Payment | undefined>(
      (best, next) => (best === undefined || next.at >= best.at ? next : best),
      undefined,
    );
    if (newest !== undefined && month.length > 1 && newest.amount > mean(month) + 3 * deviation(month)) {
      decisions.push(["call", id, `${newest.amount.toFixed(2)} EUR, usually ${mean(month).toFixed(2)}`]);
    }

    const abroad = last(DAY).filter(({ country }) => country !== home);
    const spent = sum(abroad.map(({ amount }) => amount));
    if (spent > 1000) decisions.push(["call", id, `${spent.toFixed(2)} EUR abroad in a day`]);
    return decisions;
  });
}
