import { type Fault, membersIn, ranksOf, type Situation, type Worker } from './situation.js';

/** A fault without the time at which it was seen. */
export type NewFault = Omit<Fault, 'time'>;

/** Where a Pod is in the job, as a fault tells it. */
export function placeOf({ name, uid, node }: Pick<Worker, 'name' | 'uid' | 'node'>, situation: Situation) {
  const place = membersIn(situation).findIndex((member) => member.uid === uid);
  const step = ranksOf({ uid }, situation)[0]?.step;
  return {
    ...{ pod: name, uid },
    ...(node !== undefined && { node }),
    ...(place >= 0 && { rank: place * situation.spec.processesPerWorker }),
    ...(step !== undefined && { step }),
  };
}
