// The same decisions without an engine, for comparison: docs/cookbook/README.md.
interface Person {
  login: string;
  lead?: boolean;
}
interface PullRequest {
  number: number;
  author: string;
  head: string;
  base?: string;
  added: number;
  removed: number;
}
interface Check {
  id: string;
  pr: number;
  head: string;
  name: string;
  ok?: boolean;
  at: string;
}
interface Review {
  id: string;
  pr: number;
  head: string;
  by: string;
  ok: boolean;
  at: string;
}
interface Facts {
  Person: Person[];
  PullRequest: PullRequest[];
  Check: Check[];
  Review: Review[];
  Freeze?: { branch: string }[];
}

const LARGE = 400;
const REQUIRED = ["build", "test"];

type Truth = boolean | undefined;
const and = (...all: Truth[]): Truth => (all.includes(false) ? false : all.includes(undefined) ? undefined : true);

function newest<T extends { at: string }>(all: T[]): T | undefined {
  return all.reduce<T | undefined>((best, next) => (best === undefined || next.at >= best.at ? next : best), undefined);
}

function newestPerPerson(reviews: Review[]): Review[] {
  const people = new Map<string, Review[]>();
  for (const review of reviews) people.set(review.by, [...(people.get(review.by) ?? []), review]);
  return [...people.values()].map((mine) => newest(mine)!);
}

export function decide(facts: Facts): [string, ...unknown[]][] {
  const isLead = (login: string) => facts.Person.find((person) => person.login === login)?.lead === true;
  return facts.PullRequest.map((pr) => {
    const size = pr.added + pr.removed;
    const reviews = facts.Review.filter((review) => review.pr === pr.number);
    const others = reviews.filter((review) => review.by !== pr.author);
    const checked = REQUIRED.map(
      (name) => newest(facts.Check.filter((c) => c.pr === pr.number && c.head === pr.head && c.name === name))?.ok,
    );
    const words = newestPerPerson(others);
    const approvals = newestPerPerson(reviews.filter((review) => review.head === pr.head)).filter(
      (review) => review.ok,
    );
    const votes = approvals.filter((review) => review.by !== pr.author).length;
    const parts: Record<string, Truth> = {
      checks: and(...checked),
      "two reviews": votes >= 2 ? true : undefined,
      "no objection": words.length === 0 ? undefined : words.every((review) => review.ok),
      "a lead agrees": size < LARGE || approvals.some((review) => isLead(review.by)) ? true : undefined,
      "not frozen": !(facts.Freeze ?? []).some(({ branch }) => branch === (pr.base ?? "main")),
    };
    const outcome = and(...Object.values(parts));
    if (outcome === true) return ["merge", pr.number, `#${pr.number} by ${pr.author}, ${size} lines`];
    if (outcome === false) return ["label", pr.number, "needs work"];
    return ["comment", pr.number, Object.keys(parts).filter((name) => parts[name] === undefined)];
  });
}
