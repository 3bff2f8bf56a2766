import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import { type Plan, planOf } from '../../../../../operator/controllers/database/plan/index.js';
import type { Situation } from '../../../../../operator/controllers/database/situation.js';

/** Bytes of the write-ahead log that everybody has: `0/5000000`. */
export const position = 0x5000000;

/** Milliseconds since 1970. */
export const now = 1_900_000_000_000;

/** A replica that runs as it should, two timelines into its life. */
export function replica(serial: number, changes: Partial<Instance> = {}): Instance {
  return {
    ...{
      name: `orders-${serial}`,
      serial,
      pod: 'there',
      claim: 'there',
      isReady: true,
      revision: 'r1',
      parameters: 'p1',
    },
    ...{ node: `node-${serial}`, zone: `zone-${serial}`, isCordoned: false, isLabelledPrimary: false },
    ...{ isQuarantined: false, report: { role: 'replica', state: 'running', timeline: 2, position } },
    ...changes,
  };
}

/** A primary from which these replicas stream, the first of them synchronously. */
export function primary(serial: number, streams: readonly number[], changes: Partial<Instance> = {}): Instance {
  const streaming = Object.fromEntries(
    streams.map((of, index) => [`orders-${of}`, { synchronous: index === 0 }] as const),
  );
  return replica(serial, {
    isLabelledPrimary: true,
    report: { role: 'primary', state: 'running', timeline: 2, position, streaming },
    ...changes,
  });
}

/** A pod that does not get ready. */
export const unready = { isReady: false, unreadySince: now - 10_000 } as const;
/** A pod that cannot even be asked. */
export const silent = { ...unready, report: undefined } as const;
/** A volume without a pod. */
export const podless = { ...silent, pod: 'none', revision: undefined, node: undefined } as const;

/** Three instances are wanted, of revision r1. */
export function situation(instances: readonly Instance[], changes: Partial<Situation> = {}): Situation {
  const wanted = { wanted: 3, isSynchronous: true, hasArchive: true, revision: 'r1', parameters: 'p1' };
  return { ...wanted, forks: {}, now, instances, ...changes };
}

/** Three that run, and of which `orders-1` is the primary. */
export function three(...changes: readonly Partial<Instance>[]): readonly Instance[] {
  const [one = {}, two = {}, third = {}] = changes;
  return [primary(1, [2, 3], one), replica(2, two), replica(3, third)];
}

export function planned(instances: readonly Instance[], changes: Partial<Situation> = {}): Plan {
  return planOf(situation(instances, changes), (serial) => `orders-${serial}`);
}

/** What is done and what is waited for, as `replace orders-3` and `wait: orders-2 is not ready yet`. */
export function told(plan: Plan): readonly string[] {
  return plan.steps.map((step) => {
    if (step.act === 'wait') return `wait: ${step.why}`;
    return 'instance' in step ? `${step.act} ${step.instance.name}` : `${step.act}`;
  });
}
