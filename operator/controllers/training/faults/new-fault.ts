import type { ObservedJob } from '../job/job.js';
import type { Fault } from '../job/memory.js';
import { membersIn, ranksOf, stepsDone } from '../job/ranks.js';
import type { Worker } from '../workers/worker.js';

/** A fault without the time at which it was seen. */
export type NewFault = Omit<Fault, 'time'>;

/** The beginning of the identifiers of faults of the loss in a generation. The step follows. */
export const lossFaultsOf = (generation: number) => `loss-${generation}-`;

/** Where a Pod is in the job, as a fault tells it. */
export function placeOf({ name, uid, node }: Pick<Worker, 'name' | 'uid' | 'node'>, job: ObservedJob) {
  const place = membersIn(job).findIndex((member) => member.uid === uid);
  const [said] = ranksOf({ uid }, job);
  const step = said && stepsDone(said);
  return {
    ...{ pod: name, uid },
    ...(node !== undefined && { node }),
    ...(place >= 0 && { rank: place * job.spec.processesPerWorker }),
    ...(step !== undefined && { step }),
  };
}
