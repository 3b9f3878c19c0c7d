/** Which hosts have been silent for too long, by hand: the pings are a queue, in which only the last one of each host counts. */
export class Silences {
  readonly #limit: number;
  /** The pings in order: of which host, and when. */
  readonly #queue: { readonly host: number; readonly at: number }[] = [];
  /** The place of the last ping of each host; undefined when it is silent. */
  readonly #last: (number | undefined)[] = [];
  #first = 0;
  /** The times that a host became silent. */
  silent: number = 0;

  constructor(hosts: number, limit: number) {
    this.#limit = limit;
    for (let host = 0; host < hosts; host++) this.ping(host, 0);
  }

  /** Tells of the hosts that are silent at an instant, and were not before. */
  moveTo(now: number, tell: (host: number) => void): void {
    for (let first = this.#oldest(); first !== undefined; first = this.#oldest()) {
      if (first.at + this.#limit > now) return;
      this.#last[first.host] = undefined;
      this.silent += 1;
      tell(first.host);
    }
  }

  ping(host: number, at: number): void {
    this.#last[host] = this.#queue.length;
    this.#queue.push({ host, at });
  }

  /** The next instant at which a host will be silent. */
  get next(): number {
    return (this.#oldest()?.at ?? Number.NaN) + this.#limit;
  }

  #oldest(): { readonly host: number; readonly at: number } | undefined {
    for (;;) {
      const ping = this.#queue[this.#first];
      if (ping === undefined || this.#last[ping.host] === this.#first) return ping;
      this.#first += 1;
    }
  }
}
