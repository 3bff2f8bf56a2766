import type { Controller } from '../controller/controller.js';
import type { Polled, PollRequest } from '../controller/polls.js';
import type { ObjectKey } from '../kubernetes/object.js';
import { type Provided, providedAt } from '../ports/external-port.js';
import type { Telemetry } from '../ports/telemetry.js';
import { type Asked, Poller, type PollerContext } from './poller.js';
import { noSecrets, type SecretAccess } from './secret-access.js';

/** The polls of one resource, by the names of the declaration. */
export type Askings = ReadonlyMap<string, PollRequest>;

/** What the pollers need. */
export interface PollersContext extends Pick<PollerContext, 'clock' | 'turnstile'> {
  readonly controller: Pick<Controller, 'name' | 'polls'>;
  readonly ports: readonly Provided[];
  readonly telemetry: Telemetry;
  /** @default - questions that name a Secret fail */
  readonly secrets?: SecretAccess;
}

/**
 * Polls the questions of one controller's resources in the background. A reconcile continues with what is known.
 *
 * Holds nothing for a resource without polls. While it is closed, it polls nothing and knows nothing.
 */
export class Pollers {
  readonly #inquiries = new Map<ObjectKey, Map<string, Poller>>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  #isOpen = false;
  #order = 0;
  #announcing: AbortController | undefined;

  /** @throws {Error} if no source answers at a port that the controller polls */
  constructor(readonly context: PollersContext) {
    const { controller } = context;
    for (const { port } of Object.values(controller.polls)) sourceOf(port.name, context);
  }

  /** The number of questions that are polled. */
  get size(): number {
    return [...this.#inquiries.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Calls the listener for each resource whose known answers have changed. */
  listen(listener: (key: ObjectKey) => void): void {
    this.#listeners.add(listener);
  }

  /** What is known of a question of a resource. Undefined unless it is the question that is polled. */
  answerTo(key: ObjectKey, name: string, asking: PollRequest): Polled | undefined {
    return knownOf(this.#inquiries.get(key), name, asking)?.polled;
  }

  /** When the known answer to a question was asked for. Undefined unless it is the question that is polled. */
  askedFor(key: ObjectKey, name: string, asking: PollRequest): Asked | undefined {
    return knownOf(this.#inquiries.get(key), name, asking)?.asked;
  }

  /** A number greater than all before. It orders the starts of polls and the ends of calls. */
  order(): number {
    return ++this.#order;
  }

  /** Asks questions of a resource anew. Resolves when these polls have ended, with any result. */
  async refresh(key: ObjectKey, names: Iterable<string>): Promise<void> {
    const inquiries = this.#inquiries.get(key);
    await Promise.all([...names].map((name) => inquiries?.get(name)?.refresh()));
  }

  /** Has all questions of a resource asked anew soon. */
  askAnew(key: ObjectKey): void {
    for (const inquiry of this.#inquiries.get(key)?.values() ?? []) inquiry.announced();
  }

  /**
   * Polls these questions of a resource from now on, and stops polling others.
   * @param rejected the questions that it would ask if its spec were not rejected
   */
  follow(key: ObjectKey, requests: Askings, rejected: Askings = new Map()): void {
    const before = this.#inquiries.get(key);
    if (!this.#isOpen || (!before && requests.size + rejected.size === 0)) return;
    const inquiries = new Map<string, Poller>();
    const follow = (slot: string, name: string, asking: PollRequest) => {
      const known = knownOf(before, name, asking);
      known?.pace(asking.interval);
      inquiries.set(slot, known ?? this.#inquiry(key, name, { asking, known: before?.get(slot) }));
    };
    for (const [name, asking] of requests) follow(name, name, asking);
    for (const [name, asking] of rejected)
      if (!knownOf(inquiries, name, asking)) follow(ofRejected(name), name, asking);
    const asked = new Set(inquiries.values());
    for (const inquiry of before?.values() ?? []) if (!asked.has(inquiry)) inquiry.end();
    if (inquiries.size > 0) this.#inquiries.set(key, inquiries);
    else this.#inquiries.delete(key);
  }

  /** For a resource that is gone. */
  forget(key: ObjectKey): void {
    for (const inquiry of this.#inquiries.get(key)?.values() ?? []) inquiry.end();
    this.#inquiries.delete(key);
  }

  /** Starts polling. */
  open(): void {
    this.#isOpen = true;
    this.#announcing = new AbortController();
    const { signal } = this.#announcing;
    const names = new Set(Object.values(this.context.controller.polls).map(({ port }) => port.name));
    for (const name of names)
      providedAt(name, this.context.ports)?.announces?.((question) => this.#announced(name, question), { signal });
  }

  /** Has the question asked anew for each resource that asks it. */
  #announced(port: string, question: unknown): void {
    const text = JSON.stringify(question);
    for (const inquiries of this.#inquiries.values())
      for (const inquiry of inquiries.values())
        if (inquiry.port === port && JSON.stringify(inquiry.asking.question) === text) inquiry.announced();
  }

  /** Stops polling and drops all answers. */
  close(): void {
    this.#isOpen = false;
    this.#announcing?.abort();
    for (const key of [...this.#inquiries.keys()]) this.forget(key);
  }

  #inquiry(
    key: ObjectKey,
    name: string,
    { asking, known }: { asking: PollRequest; known?: Poller | undefined },
  ): Poller {
    const { controller, clock, turnstile, telemetry } = this.context;
    const port = controller.polls[name]?.port.name ?? name;
    const fields = { controller: controller.name, key, port };
    let wasKnown = true;
    const { secrets = noSecrets } = this.context;
    const answer = sourceOf(port, this.context);
    const source: PollerContext['source'] = (question, { signal, longPoll }) =>
      secrets({ resource: key, name: asking.secret, signal }, (secret) =>
        answer(question, { signal, ...(secret && { secret }), ...(longPoll && { longPoll }) }),
      );
    const versionOf = controller.polls[name]?.port.versionOf as PollerContext['versionOf'];
    const context: PollerContext = {
      ...{ clock, turnstile, source, versionOf, order: () => this.order(), port },
      heard: ({ result, seconds, isNews }) => {
        telemetry.polled({ controller: controller.name, port, result, seconds });
        const { polled } = inquiry;
        if (polled.known && !wasKnown) telemetry.log.info(fields, 'Poll succeeded again');
        if (!polled.known && wasKnown) telemetry.log.warn({ ...fields, error: polled.why }, 'Poll failed, retrying');
        wasKnown = polled.known;
        if (isNews) for (const listener of this.#listeners) listener(key);
      },
    };
    const inquiry = new Poller(asking, context, known?.untilAnother);
    return inquiry;
  }
}

/** The key of a question of a rejected spec, next to that of the last accepted one. */
function ofRejected(name: string): string {
  return `${name} of the rejected spec`;
}

function knownOf(inquiries: ReadonlyMap<string, Poller> | undefined, name: string, asking: PollRequest) {
  const places = [inquiries?.get(name), inquiries?.get(ofRejected(name))];
  return places.find((inquiry) => inquiry && isSame(inquiry.asking, asking));
}

function sourceOf(name: string, { controller, ports }: PollersContext): PollerContext['source'] {
  const provided = providedAt(name, ports);
  if (provided) return provided.source as PollerContext['source'];
  throw new Error(`controller ${controller.name} polls ${name}, which has no source: add it to ports`);
}

/** The same question, perhaps at another interval. */
function isSame(one: PollRequest, other: PollRequest): boolean {
  return JSON.stringify({ ...one, interval: 0 }) === JSON.stringify({ ...other, interval: 0 });
}
