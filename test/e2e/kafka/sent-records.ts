/** Numbered records that a producer sent, by its own log. */
export interface Sent {
  /** Numbers that a broker acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Milliseconds: the longest time without an acknowledgement, including one that has not ended. */
  readonly longestGap: number;
  /** Errors by their message. */
  readonly errors: Readonly<Record<string, number>>;
}

interface Line {
  readonly name?: string;
  readonly value?: string;
  readonly message?: string;
  readonly timestamp?: number | string;
}

/** Counts what the log of a producer tells. */
export class SentRecords {
  /** Numbers that a broker acknowledged. It grows. */
  readonly acknowledged = new Set<string>();
  readonly #errors: Record<string, number> = {};
  /** When each was acknowledged, in milliseconds since 1970, from early to late. */
  readonly #times: number[] = [];
  #rest = '';

  /** Adds the next part of the log, which may end in the middle of a line. */
  take(part: string): void {
    const lines = `${this.#rest}${part}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  /** What was sent so far. @param since, now milliseconds since 1970: a gap counts if it had not ended at `since` */
  sent(since: number, now: number): Sent {
    const later = this.#times.findIndex((at) => at > since);
    const from = later < 0 ? this.#times.length - 1 : later - 1;
    const times = [...this.#times.slice(Math.max(0, from)), now];
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    const longestGap = gaps.reduce((longest, gap) => Math.max(longest, gap), 0);
    return { acknowledged: this.acknowledged, longestGap, errors: this.#errors };
  }

  #takeLine(line: string): void {
    const { name, value = '', message = '', timestamp } = parsed(line);
    if (name === 'producer_send_error') this.#errors[message] = (this.#errors[message] ?? 0) + 1;
    if (name !== 'producer_send_success') return;
    this.acknowledged.add(value);
    this.#times.push(Math.max(Number(timestamp), this.#times.at(-1) ?? 0));
  }
}

function parsed(line: string): Line {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as Line) : {};
  } catch {
    return {}; // Another thread wrote into it.
  }
}
