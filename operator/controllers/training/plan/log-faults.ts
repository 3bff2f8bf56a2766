import type { LogFinding } from '../ports/logs.js';
import { type NewFault, placeOf } from './new-fault.js';
import { currentIn, type Fault, generationIn, isInPlace, membersIn, type Situation } from './situation.js';

/**
 * The fault that rules over the logs have found. The first finding counts: the others of a generation follow from it, for
 * example because all ranks lose the one that failed.
 */
export function logFaults(situation: Situation): readonly NewFault[] {
  const { logs } = situation;
  const generation = generationIn(situation);
  if (!logs || logs.generation !== generation || isRepairing(situation)) return [];
  const current = currentIn(situation);
  const [first] = logs.findings.filter(({ pod }) => pod === undefined || current.some(({ uid }) => uid === pod.uid));
  if (!first) return [];
  const worker = current.find(({ uid }) => uid === first.pod?.uid);
  const fault = {
    ...{ kind: first.kind, grade: gradeOf(first, situation), message: first.message.slice(0, 512) },
    ...latencyOf(first, situation),
  };
  return [
    worker
      ? { ...placeOf(worker, situation), id: `pod-${worker.uid}`, ...fault }
      : { id: logFaultOf(generation), ...fault },
  ];
}

/** When a silence began that is a fault is a matter of the rule. */
function latencyOf({ kind, at }: LogFinding, { now }: Situation): Pick<NewFault, 'detectionSeconds'> {
  return kind === 'LogHanging' ? {} : { detectionSeconds: Math.max(0, Math.round((now - at) / 1_000)) };
}

/** The identifier of the fault of a generation whose culprit is not known. */
export const logFaultOf = (generation: number) => `logs-${generation}`;

/** Without a culprit, the processes form a new group. */
function gradeOf({ pod }: LogFinding, situation: Situation): NewFault['grade'] {
  if (!isInPlace(situation)) return 'Job';
  return pod ? 'Pod' : 'Generation';
}

/**
 * True while the generation still has the member that such a fault has named, or has had one without a culprit. Ranks that
 * wait for a rollback write nothing.
 */
function isRepairing(situation: Situation): boolean {
  const members = membersIn(situation);
  const generation = generationIn(situation);
  const isOfLoss = ({ kind, rendezvous }: Fault) => kind === 'NonFiniteLoss' && rendezvous === generation;
  return situation.memory.faults.some(
    (fault) =>
      fault.id === logFaultOf(generation) ||
      isOfLoss(fault) ||
      (isOfLogs(fault) && members.some(({ uid }) => uid === fault.uid)),
  );
}

function isOfLogs({ kind }: { readonly kind: string }): boolean {
  return kind === 'LogHanging' || kind === 'LogSlow' || kind === 'LogFault';
}
