// The same decisions without an engine, for comparison: docs/cookbook/README.md.
interface Facts {
  Plan: { name: string; price: number; trial?: string }[];
  Customer: { id: string; country: string; since: string }[];
  Subscription: { id: string; customer: string; plan: string; from: string; to?: string }[];
  Credit: { id: string; customer: string; amount: number }[];
  Month: { first: string }[];
}

const VAT = ["FR", "DE", "IT", "ES"];
const DAY = 86_400_000;

const dayOf = (date: string): number => Date.parse(date) / DAY;
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
const yearOf = (date: string): number => new Date(date).getUTCFullYear();
const daysOf = (duration = "P0D"): number => Number(/^P(\d+)D$/u.exec(duration)?.[1] ?? Number.NaN);
const cents = (amount: number): number => Number(`${Math.round(Number(`${amount}e2`))}e-2`);

function endOfMonth(date: string): number {
  const first = new Date(date);
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0) / DAY;
}

export function decide(facts: Facts): [string, string, string][] {
  const plans = new Map(facts.Plan.map((plan) => [plan.name, plan]));
  return facts.Month.flatMap(({ first: month }) => {
    const ends = endOfMonth(month);
    const lines = facts.Subscription.flatMap(({ customer, plan: name, from, to }) => {
      const plan = plans.get(name);
      if (plan === undefined) return [];
      const first = Math.max(dayOf(month), dayOf(from) + daysOf(plan.trial));
      const last = Math.min(ends, to === undefined ? ends : dayOf(to));
      const used = last - first + 1;
      if (used <= 0) return [];
      const share = used / (ends - dayOf(month) + 1);
      const text = share === 1 ? name : `${name}, ${used} days from ${dateOf(first)}`;
      return [{ customer, text, amount: cents(plan.price * share) }];
    });
    return facts.Customer.flatMap(({ id, country, since }): [string, string, string][] => {
      const net = lines.filter((line) => line.customer === id).reduce((sum, line) => sum + line.amount, 0);
      if (net <= 0) return [];
      const credit = facts.Credit.filter((c) => c.customer === id).reduce((sum, c) => sum + c.amount, 0);
      const loyal = yearOf(month) - yearOf(since) >= 2 ? net * 0.9 : net;
      const due = Math.max(0, loyal - credit);
      const tax = cents(VAT.includes(country) ? due * 0.2 : 0);
      const figures = [cents(loyal), cents(loyal - due), tax, cents(due + tax)].map((figure) => figure.toFixed(2));
      return [["send", id, `${month}: ${figures[0]} - ${figures[1]} + ${figures[2]} = ${figures[3]} EUR`]];
    });
  });
}
