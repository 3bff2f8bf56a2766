import { certificateIdentifier } from '../../certificates/certificate-identifier.js';
import {
  type RenewalInfoAnswer,
  type RenewalInfoQuestion,
  renewalInfo,
} from '../../controllers/certificates/ports/renewal-info.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Announcer, type Provided, provided } from '../../runtime/ports/external-port.js';
import { plain } from './problems.js';
import { directory, exchanging, read, type TransportOptions } from './transport.js';

/** What the source of renewal information needs. */
export interface RenewalInfoOptions extends TransportOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

const minute = 60_000;
/** Milliseconds until the next request, whatever the server states. */
const [least, usual, most] = [minute, 6 * 60 * minute, 24 * 60 * minute];
/** The last time that Kubernetes can store, in milliseconds since 1970. */
const lastTime = Date.parse('9999-12-31T23:59:59Z');
/** Characters of an identifier and of a URL. */
const [longestId, longestUrl] = [128, 1024];

/** Reads when ACME servers suggest to renew certificates. It announces each question when the server wants it again. */
export function renewalInfoSource(options: RenewalInfoOptions): Provided {
  const reminders = new Reminders(options.clock);
  return provided(
    renewalInfo,
    async (question, { signal }): Promise<RenewalInfoAnswer> => {
      signal.throwIfAborted();
      const { certificate, ...server } = question;
      const id = await certificateIdentifier(certificate);
      if (id === undefined || id.length > longestId) return {};
      const context = { ...options, signal, mayLeave: () => {}, server };
      const { value, retryAfter } = await exchanging(context, () => infoOf(id));
      if (value.renewalInfo) reminders.set(question, within(retryAfter || usual));
      return value;
    },
    { announces: reminders.announces },
  );
}

function within(ms: number): number {
  return Math.min(most, Math.max(least, ms));
}

/** Not every server has renewal information. */
async function infoOf(id: string): Promise<RenewalInfoAnswer> {
  const { renewalInfo: url } = await directory();
  if (url === undefined) return {};
  return { renewalInfo: { id, ...windowIn(await read(`${url}/${id}`)) } };
}

interface RenewalInfoDocument {
  readonly suggestedWindow?: { readonly start?: unknown; readonly end?: unknown };
  readonly explanationURL?: unknown;
}

/** Times are whole seconds, as in a status. @throws {CallError} if there is no window that could be followed */
function windowIn(text: string): { readonly start: number; readonly end: number; readonly explanation?: string } {
  const { suggestedWindow, explanationURL: url } = documentIn(text);
  const [start, end] = [suggestedWindow?.start, suggestedWindow?.end].map((time) => Date.parse(String(time)));
  if (start === undefined || end === undefined || !(start >= 0 && start < end && end <= lastTime))
    throw new CallError('retryable', 'the renewal information must have a suggestedWindow that ends after its start');
  const isShown = typeof url === 'string' && /^https?:\/\//.test(url) && url.length <= longestUrl;
  const second = (time: number) => Math.floor(time / 1000) * 1000;
  return { start: second(start), end: second(end), ...(isShown && { explanation: plain(url) }) };
}

function documentIn(text: string): RenewalInfoDocument {
  try {
    return (JSON.parse(text) ?? {}) as RenewalInfoDocument;
  } catch {
    return {};
  }
}

/** Announces questions at their times, while somebody listens. */
class Reminders {
  readonly #cancels = new Map<string, () => void>();
  readonly #listeners = new Set<(question: RenewalInfoQuestion) => void>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  readonly announces: Announcer<RenewalInfoQuestion> = (announce, { signal }) => {
    this.#listeners.add(announce);
    signal.addEventListener('abort', () => {
      this.#listeners.delete(announce);
      if (this.#listeners.size > 0) return;
      for (const cancel of this.#cancels.values()) cancel();
      this.#cancels.clear();
    });
  };

  set(question: RenewalInfoQuestion, after: number): void {
    const key = JSON.stringify(question);
    this.#cancels.get(key)?.();
    if (this.#listeners.size === 0) return;
    const cancel = this.clock.after(after, () => {
      this.#cancels.delete(key);
      for (const announce of this.#listeners) announce(question);
    });
    this.#cancels.set(key, cancel);
  }
}
