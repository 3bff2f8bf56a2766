import type { ServicePublicationResource } from '../../../imports/index.js';
import { servicePart, slicePart } from '../../../operator/controllers/publication/addresses/live-objects.js';
import { assess } from '../../../operator/controllers/publication/service-publication/assess.js';
import { servicePublication } from '../../../operator/controllers/publication/service-publication/index.js';
import { planOf } from '../../../operator/controllers/publication/service-publication/plan/index.js';
import { situationOf } from '../../../operator/controllers/publication/service-publication/situation.js';
import type {
  PublicationOutcome,
  PublicationView,
} from '../../../operator/controllers/publication/service-publication/view.js';
import type { Polled, PollRequest, StableFacts } from '../../../operator/runtime/controller/polls.js';
import { noCalls } from '../../../operator/runtime/ports/external-call.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { givenService, givenSlice } from '../../operator/controllers/publication/given-publication.js';
import type { OutsideServers, SentCall } from './outside-servers.js';

/** What the API server has. */
export interface Kept {
  resource: ServicePublicationResource;
  /** Addresses of ready endpoints. */
  addresses: readonly string[];
  isGone: boolean;
}

/** What is around a process. */
export interface Surroundings {
  readonly kept: Kept;
  readonly servers: OutsideServers;
  readonly chance: Chance;
  readonly now: () => number;
  readonly say: (what: string) => void;
}

interface Known {
  readonly question: string;
  polled: Polled;
}

const targetPolls = Object.entries(servicePublication.polls).filter(([name]) => /\d$/.test(name));

/** One process of the operator. It knows what it polled, and which of its calls have no answer. */
export class PlannedPublication {
  readonly #known = new Map<string, Known>();
  readonly #sent = new Map<string, SentCall>();

  constructor(private readonly world: Surroundings) {}

  /** Asks some of its questions. */
  poll(): void {
    const { chance, servers } = this.world;
    this.#forgetOthers();
    for (const [name, { question }] of this.#requests()) {
      if (this.#known.has(name) && chance.happens(0.6)) continue;
      const polled = this.#polled(() => servers.answer(question as object));
      this.#known.set(name, { question: JSON.stringify(question), polled });
    }
  }

  /** Another question discards the answer to the one before. */
  #forgetOthers(): void {
    const asked = new Map(this.#requests().map(([name, { question }]) => [name, JSON.stringify(question)]));
    for (const [name, { question }] of this.#known) if (asked.get(name) !== question) this.#known.delete(name);
  }

  #requests(): readonly (readonly [string, PollRequest])[] {
    const view = this.#view() as unknown as StableFacts;
    return targetPolls.flatMap(([name, { request }]) => {
      const wanted = request(view);
      return wanted ? [[name, wanted] as const] : [];
    });
  }

  #polled(ask: () => unknown): Polled {
    const at = this.world.now();
    try {
      return { known: true, value: ask(), at, earlier: [] };
    } catch (error) {
      return { known: false, why: (error as Error).message, since: at, earlier: [] };
    }
  }

  /**
   * One reconcile: the status first, then the calls, as the runtime does. It may end after each write.
   * @returns whether the process lives on
   */
  act(): boolean {
    const { kept, chance, say } = this.world;
    if (kept.isGone) return true;
    for (const [name, { arrives }] of this.#sent) if (arrives * 1_000 <= this.world.now()) this.#ended(name);
    this.#forgetOthers();
    const view = this.#view();
    const { calls } = planOf(situationOf(view));
    const { status } = assess({ ...view, calls: noCalls, owned: { of: () => [] } } as unknown as PublicationOutcome);
    const before = JSON.stringify(kept.resource.status);
    kept.resource = { ...kept.resource, status: status as never };
    if (JSON.stringify(status) !== before && chance.happens(0.02)) return false;
    for (const { slot, change } of calls) {
      if (this.#sent.has(slot.poll)) continue;
      say(`changes ${change.type} of ${slot.poll}`);
      this.#sent.set(slot.poll, this.world.servers.send(change.request, this.world.now() / 1_000));
      if (chance.happens(0.02)) return false;
    }
    if (calls.length === 0 && this.#isDone(status?.claims ?? [])) kept.isGone = true;
    return true;
  }

  /** The answer of a call says little: the target is asked anew. */
  #ended(name: string): void {
    this.#sent.delete(name);
    this.#known.delete(name);
  }

  /** A deletion is complete when each target was asked after the last call, and has nothing more. */
  #isDone(claims: readonly unknown[]): boolean {
    const { kept, servers } = this.world;
    if (kept.resource.metadata.deletionTimestamp === undefined || servers.areCalled) return false;
    return claims.length === 0 && this.#requests().every(([name]) => this.#known.get(name)?.polled.known);
  }

  #view(): PublicationView {
    const { kept } = this.world;
    const polled = Object.fromEntries([...this.#known].map(([name, { polled: answer }]) => [name, answer]));
    const reads = {
      service: servicePart(givenService() as never),
      slices: [slicePart(givenSlice(kept.addresses) as never)],
      ...{ nodes: [], gateways: [], configMaps: [], rivals: [] },
    };
    const facts = { resource: kept.resource, reads, isServed: () => true, now: new Date(this.world.now()), polled };
    return facts as unknown as PublicationView;
  }
}
