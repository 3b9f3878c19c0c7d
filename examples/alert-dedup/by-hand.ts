// The same decisions without an engine, for comparison: docs/cookbook/README.md. It looks at all alerts again for each instant.
interface Host {
  name: string;
  team: string;
}
interface Alert {
  id: string;
  host: string;
  check: string;
  level: string;
  at: string;
}
interface Facts {
  Host: Host[];
  Silence: { host: string; until: string }[];
  Alert: Alert[];
}

const MINUTE = 60_000;
const QUIET = 15 * MINUTE;
const HOUR = 60 * MINUTE;

export function decide(facts: Facts, clock: string): [string, ...string[]][] {
  const now = Date.parse(clock);
  const time = ({ at }: Alert): number => Date.parse(at);
  const alike = (a: Alert): Alert[] => facts.Alert.filter((b) => b.host === a.host && b.check === a.check);
  const decisions: [string, ...string[]][] = [];

  for (const alert of facts.Alert.filter(({ level }) => level === "critical")) {
    const host = facts.Host.find(({ name }) => name === alert.host);
    if (host === undefined) continue;
    const at = time(alert);
    const isFirst = !alike(alert).some((other) => time(other) < at && time(other) >= at - QUIET);
    const silenced = facts.Silence.some((silence) => silence.host === alert.host && Date.parse(silence.until) > at);
    if (isFirst && !silenced) decisions.push(["page", host.name, host.team, `${alert.check} at ${alert.at}`]);
    const goesOn = alike(alert).some((other) => time(other) > at && time(other) <= at + QUIET);
    if (!goesOn && now >= at + QUIET) decisions.push(["resolve", host.name, alert.check]);
  }

  for (const { name } of facts.Host) {
    const warnings = facts.Alert.filter(
      (alert) => alert.host === name && alert.level === "warning" && now - HOUR < time(alert) && time(alert) <= now,
    );
    if (warnings.length >= 5) decisions.push(["ticket", name, `${warnings.length} warnings in an hour`]);
  }
  return decisions;
}
