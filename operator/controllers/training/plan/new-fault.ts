import { type Fault, membersIn, ranksOf, type Situation, stepOf, type Worker } from './situation.js';

/** A fault without the time at which it was seen. */
export type NewFault = Omit<Fault, 'time'>;

/** The beginning of the identifiers of faults of the loss in a generation. The step follows. */
export const lossFaultsOf = (generation: number) => `loss-${generation}-`;

/** Where a Pod is in the job, as a fault tells it. */
export function placeOf({ name, uid, node }: Pick<Worker, 'name' | 'uid' | 'node'>, situation: Situation) {
  const place = membersIn(situation).findIndex((member) => member.uid === uid);
  const [said] = ranksOf({ uid }, situation);
  const step = said && stepOf(said);
  return {
    ...{ pod: name, uid },
    ...(node !== undefined && { node }),
    ...(place >= 0 && { rank: place * situation.spec.processesPerWorker }),
    ...(step !== undefined && { step }),
  };
}
