import { afterEach, describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Facts, Outcome } from '../../../../operator/runtime/controller/facts.js';
import type { Refer } from '../../../../operator/runtime/controller/reads.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { Job, type ObjectKind, optional } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

/** Whether the cluster has the CRD of Jobs. A change ends the watches that are open. */
class Installation {
  #isInstalled: boolean;
  readonly #watches = new Set<AbortController>();

  constructor(isInstalled: boolean) {
    this.#isInstalled = isInstalled;
  }

  change(): void {
    this.#isInstalled = !this.#isInstalled;
    for (const watch of this.#watches) watch.abort();
  }

  readonly faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    watch: (kind: ObjectKind, query) => {
      if (kind.kind !== 'Job') return cluster.watch(kind, query);
      this.#check();
      const until = new AbortController();
      this.#watches.add(until);
      const signals = [until.signal, ...(query.signal ? [query.signal] : [])];
      return cluster.watch(kind, { ...query, signal: AbortSignal.any(signals) });
    },
    list: async (kind, query) => {
      if (kind.kind === 'Job') this.#check();
      return cluster.list(kind, query);
    },
  });

  #check(): void {
    if (!this.#isInstalled) throw new ApiError('it is not served', { code: 404, reason: 'NotFound' });
  }
}

/** Longer than a test: only news can wake a resource. */
const resyncPeriod = 1e9;
/** Milliseconds in which a watch of an optional kind has asked again. */
const noticed = 300_000;

type Uses = Pick<Partial<Controller>, 'desire' | 'assess'>;
const { owns, desire, assess } = widgetController();
const asksInDesire: Uses = {
  desire: (scope, facts: Facts) => {
    facts.isServed(Job);
    desire(scope, facts);
  },
};
const asksInAssess: Uses = {
  assess: (outcome: Outcome) => {
    outcome.isServed(Job);
    return assess(outcome);
  },
};
const owned = { owns: [...owns, optional(Job)] };
const read = { reads: ({ named }: Refer) => ({ job: named(optional(Job), () => 'a-job') }) };

/** @returns how often each resource is assessed after the kind has come or gone, and what is written */
async function changed(
  controller: Partial<Controller>,
  isInstalled: boolean,
): Promise<{ assessed: number; writes: readonly string[] }> {
  const jobs = new Installation(isInstalled);
  let assessed = 0;
  const counting: Controller['assess'] = (outcome) => {
    assessed++;
    return (controller.assess ?? assess)(outcome);
  };
  const controllers = [widgetController({ ...controller, assess: counting } as object)];
  given = await new GivenOperator({ controllers, faults: jobs.faults, resyncPeriod }).start();
  for (const name of ['a', 'b', 'c']) await given.given(widgetKind, widget(name));
  await given.clock.advance(noticed);
  given.memory.forgetWrites();
  assessed = 0;
  jobs.change();
  await given.clock.advance(noticed);
  return { assessed: assessed / 3, writes: given.writes };
}

describe('R8 each resource whose controller asks whether a kind is served is reconciled once', () => {
  it.each<{ when: string; how: string; isInstalled: boolean; controller: object }>([
    {
      when: 'it is installed',
      how: 'owned, and `desire` asks',
      isInstalled: false,
      controller: { ...owned, ...asksInDesire },
    },
    {
      when: 'it is installed',
      how: 'owned, and `assess` asks',
      isInstalled: false,
      controller: { ...owned, ...asksInAssess },
    },
    {
      when: 'it is installed',
      how: 'read, and `desire` asks',
      isInstalled: false,
      controller: { ...read, ...asksInDesire },
    },
    {
      when: 'it is removed',
      how: 'owned, and `desire` asks',
      isInstalled: true,
      controller: { ...owned, ...asksInDesire },
    },
    {
      when: 'it is removed',
      how: 'read, and `assess` asks',
      isInstalled: true,
      controller: { ...read, ...asksInAssess },
    },
  ])('when $when, if the kind is $how', async ({ controller, isInstalled }) => {
    expect(await changed(controller, isInstalled)).toEqual({ assessed: 1, writes: [] });
  });

  it('and no resource of a controller that does not ask', async () => {
    expect(await changed(owned, false)).toEqual({ assessed: 0, writes: [] });
  });
});
