import { stalls } from '../faults/stalls.js';
import { currentIn } from '../job/job.js';
import { isOpen } from '../job/memory.js';
import type { CoordinatorAct } from '../ports/coordinator.js';
import type { Situation } from '../situation.js';
import { acceptsChange } from './suspension.js';

/** The launchers of stalled ranks start their processes again. An identifier is acted on once. */
export function processRestart(situation: Situation): CoordinatorAct | undefined {
  if (!acceptsChange(situation)) return undefined;
  const { memory, report } = situation;
  const workers = currentIn(situation);
  // A coordinator that was started again has forgotten the orders, and those that had their effect are over.
  const silent = stalls(situation).map(({ uid }) => uid);
  const stalled = memory.faults.filter(
    (fault) =>
      fault.kind === 'RankStalled' && fault.grade === 'Process' && (isOpen(fault) || silent.includes(fault.uid)),
  );
  const wanted = stalled.flatMap(({ id, uid }) => {
    const worker = workers.find((one) => one.uid === uid);
    return worker ? [[worker.name, id] as const] : [];
  });
  // The newest fault of a worker comes first, and counts.
  const restarts = Object.fromEntries(wanted.toReversed());
  const isNew = Object.entries(restarts).some(([name, id]) => report?.restarts[name] !== id);
  return isNew ? { act: 'restart', restarts } : undefined;
}
