import type { ObjectName } from '../../../../../operator/runtime/kubernetes/object.js';
import type { FollowLogOptions, PodLogs } from '../../../../../operator/runtime/ports/pod-logs.js';

interface Entry {
  readonly at: number;
  readonly text: string;
}

interface Reader {
  readonly since: number;
  next: number;
  isCut: boolean;
  wake: () => void;
}

/** Logs of Pods in memory. As the API server does, it begins with a whole second, and refuses Pods without a log. */
export class FakePodLogs implements PodLogs {
  readonly #logs = new Map<string, Entry[]>();
  readonly #readers = new Map<string, Set<Reader>>();
  /** Each connection that was made: the Pod, and since when. */
  readonly connections: string[] = [];
  /** Whether connections are refused. */
  isAway = false;

  constructor(readonly now: () => number) {}

  /** A program writes a line. */
  write(pod: string, text: string, at = this.now()): void {
    this.begin(pod);
    this.#logs.get(pod)?.push({ at, text });
    for (const reader of this.#readers.get(pod) ?? []) reader.wake();
  }

  /** A container starts, and has written nothing yet. */
  begin(pod: string): void {
    if (!this.#logs.has(pod)) this.#logs.set(pod, []);
  }

  /** The connections to a log end. */
  cut(pod: string): void {
    for (const reader of this.#readers.get(pod) ?? []) {
      reader.isCut = true;
      reader.wake();
    }
  }

  /** The connections that are there deliver nothing any more, and do not end. */
  deafen(pod: string): void {
    for (const reader of this.#readers.get(pod) ?? []) reader.next = Number.POSITIVE_INFINITY;
  }

  async follow({ name }: ObjectName, { since, signal }: FollowLogOptions): Promise<AsyncIterable<readonly Buffer[]>> {
    const second = Math.floor(since.getTime() / 1_000);
    this.connections.push(`${name} since ${new Date(1_000 * second).toISOString().slice(14, 19)}`);
    if (this.isAway) throw new Error('the API server is away');
    if (!this.#logs.has(name)) throw new Error(`container of ${name} is waiting to start`);
    const reader: Reader = { since: 1_000 * second, next: 0, isCut: false, wake: () => {} };
    const readers = this.#readers.get(name) ?? new Set();
    this.#readers.set(name, readers.add(reader));
    signal.addEventListener('abort', () => reader.wake(), { once: true });
    return this.#pieces(name, reader, signal);
  }

  async *#pieces(pod: string, reader: Reader, signal: AbortSignal): AsyncGenerator<readonly Buffer[]> {
    try {
      for (;;) {
        signal.throwIfAborted();
        if (reader.isCut) return;
        const entry = this.#logs.get(pod)?.[reader.next];
        if (entry === undefined) await this.#news(reader);
        else {
          reader.next++;
          if (entry.at >= reader.since) yield [Buffer.from(`${new Date(entry.at).toISOString()} ${entry.text}\n`)];
        }
      }
    } finally {
      this.#readers.get(pod)?.delete(reader);
    }
  }

  #news(reader: Reader): Promise<void> {
    return new Promise((resolve) => {
      reader.wake = resolve;
    });
  }

  /** The connections that are there. */
  get open(): number {
    return [...this.#readers.values()].reduce((sum, { size }) => sum + size, 0);
  }
}
