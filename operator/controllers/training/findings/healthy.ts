import type { MarkOf } from '../conditions.js';
import { slownessOf, stragglersIn } from '../faults/stragglers.js';
import { isOpen, type Memory } from '../job/memory.js';
import { isTraining } from '../progress/phase.js';
import type { Situation } from '../situation.js';

/** Reasons of the condition, by the kind of the fault. A fault of another kind is the loss of a worker. */
export const faultReasons: Readonly<Record<string, MarkOf<'Healthy'>['reason']>> = {
  RankStalled: 'RankStalled',
  Deadlock: 'RankStalled',
  StartTimeout: 'RankStalled',
  NonFiniteLoss: 'LossNotFinite',
  ProcessFailed: 'ProcessFailed',
  Straggler: 'Straggling',
  LogHanging: 'LogRuleBroken',
  LogSlow: 'LogRuleBroken',
  LogFault: 'LogRuleBroken',
};

/** A new fault counts, and one after which not all ranks have trained yet. A repaired one is not told again. */
export function healthyOf(situation: Situation, memory: Memory): MarkOf<'Healthy'> {
  if (memory.end) return { reason: 'Completed' };
  const [newest] = memory.faults;
  const isNew = newest !== undefined && !situation.memory.faults.some(({ id }) => id === newest.id);
  const open = isTraining(situation) ? undefined : memory.faults.find(isOpen);
  const fault = isNew ? newest : open;
  if (fault) {
    const place = [fault.pod && `Pod ${fault.pod}`, fault.node && `node ${fault.node}`].filter(Boolean).join(' on ');
    const message = `${fault.kind}${place ? ` of ${place}` : ''}: ${fault.message ?? 'no details'}`;
    return { reason: faultReasons[fault.kind] ?? 'WorkerLost', message };
  }
  const [slow] = stragglersIn(situation, memory.slowSince);
  if (slow) return { reason: 'Straggling', message: slownessOf(slow, situation, memory.slowSince) };
  const [unread] = situation.logs?.failures ?? [];
  if (unread !== undefined) return { reason: 'LogsUnknown', message: `The logs are not all known: ${unread}` };
  return { reason: memory.startTime === undefined ? 'NotStarted' : 'Healthy' };
}
