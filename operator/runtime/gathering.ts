import type { Controller } from './controller.js';
import type { Asking, Gathered } from './gather.js';
import { Inquiry, type InquiryPlace } from './inquiry.js';
import type { ObjectKey } from './object.js';
import type { Provided } from './port.js';
import type { Telemetry } from './telemetry.js';

/** What one resource asks, by the names of the declaration. */
export type Askings = ReadonlyMap<string, Asking>;

/** What gathering takes. */
export interface GatheringPlace extends Pick<InquiryPlace, 'clock' | 'turnstile'> {
  readonly controller: Pick<Controller, 'name' | 'gather'>;
  readonly ports: readonly Provided[];
  readonly telemetry: Telemetry;
}

/**
 * Asks what the resources of one controller want to know, in the background: a pass goes on with what is known.
 *
 * Holds nothing for a resource that asks nothing. While it is closed nobody is asked, and nothing is known.
 */
export class Gathering {
  readonly #inquiries = new Map<ObjectKey, Map<string, Inquiry>>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  #isOpen = false;

  /** @throws {Error} when nobody answers at a port that the controller asks at */
  constructor(readonly place: GatheringPlace) {
    const { controller } = place;
    for (const { port } of Object.values(controller.gather)) sourceOf(port.name, place);
  }

  /** Questions that are asked. */
  get size(): number {
    return [...this.#inquiries.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Hears of each resource of which something else is known than before. */
  listen(listener: (key: ObjectKey) => void): void {
    this.#listeners.add(listener);
  }

  /** What is known by now of a question of a resource; nothing unless it is the one that is asked. */
  answerTo(key: ObjectKey, name: string, asking: Asking): Gathered | undefined {
    const inquiry = this.#inquiries.get(key)?.get(name);
    return inquiry && isSame(inquiry.asking, asking) ? inquiry.gathered : undefined;
  }

  /** Asks what a resource wants to know from now on, and no more what it does not. */
  follow(key: ObjectKey, askings: Askings): void {
    const before = this.#inquiries.get(key);
    if (!this.#isOpen || (!before && askings.size === 0)) return;
    const inquiries = new Map<string, Inquiry>();
    for (const [name, asking] of askings) {
      const known = before?.get(name);
      inquiries.set(name, known && isSame(known.asking, asking) ? known : this.#inquiry(key, name, { asking, known }));
    }
    for (const [name, inquiry] of before ?? []) if (inquiries.get(name) !== inquiry) inquiry.end();
    if (inquiries.size > 0) this.#inquiries.set(key, inquiries);
    else this.#inquiries.delete(key);
  }

  /** Of a resource that is gone. */
  forget(key: ObjectKey): void {
    for (const inquiry of this.#inquiries.get(key)?.values() ?? []) inquiry.end();
    this.#inquiries.delete(key);
  }

  /** Lets it ask. */
  open(): void {
    this.#isOpen = true;
  }

  /** Asks nobody any more, and forgets what was answered. */
  close(): void {
    this.#isOpen = false;
    for (const key of [...this.#inquiries.keys()]) this.forget(key);
  }

  #inquiry(key: ObjectKey, name: string, { asking, known }: { asking: Asking; known?: Inquiry | undefined }): Inquiry {
    const { controller, clock, turnstile, telemetry } = this.place;
    const port = controller.gather[name]?.port.name ?? name;
    const fields = { controller: controller.name, key, port };
    let wasKnown = true;
    const place: InquiryPlace = {
      ...{ clock, turnstile, source: sourceOf(port, this.place) },
      heard: ({ result, seconds, isNews }) => {
        telemetry.asked({ controller: controller.name, port, result, seconds });
        const { gathered } = inquiry;
        if (gathered.known && !wasKnown) telemetry.log.info(fields, 'what is gathered is known again');
        if (!gathered.known && wasKnown)
          telemetry.log.warn({ ...fields, error: gathered.why }, 'what is gathered is not known, asking again');
        wasKnown = gathered.known;
        if (isNews) for (const listener of this.#listeners) listener(key);
      },
    };
    const inquiry = new Inquiry(asking, place, known?.untilAnother);
    return inquiry;
  }
}

function sourceOf(name: string, { controller, ports }: GatheringPlace): InquiryPlace['source'] {
  const provided = ports.find(({ port }) => port.name === name);
  if (provided) return provided.source as InquiryPlace['source'];
  throw new Error(`controller ${controller.name} asks ${name}, and nobody answers there: add it to ports`);
}

function isSame(one: Asking, other: Asking): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
