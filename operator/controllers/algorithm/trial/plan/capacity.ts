import type { AlgorithmResource } from '../../../../../imports/index.js';
import { type TrialState, weightOf } from '../../judgement/index.js';
import type { Capacity, TrialRecord } from '../resource/record.js';
import { settingsOf } from '../resource/settings.js';
import type { Situation } from '../situation.js';

/**
 * Milliseconds after a move of the requests until the autoscaler has measured them. Until then it would count the CPU
 * utilization from before the move.
 */
const measuredAfter = 120_000;

/** The desired share of the version on trial, in percent, when its Pods and those of the stable side are ready. */
export function aimOf(state: TrialState, { lifecycle, scaling }: AlgorithmResource['spec']): number {
  return state.stage === 'steps' && lifecycle ? weightOf(state, settingsOf(lifecycle, { scaling })) : 0;
}

/**
 * The capacity after one check, written before the Pods and the route change. Undefined without an autoscaler, and when
 * the autoscaler has measured the last move.
 * @param now milliseconds since 1970
 */
export function capacityAfter(record: TrialRecord, situation: Situation, now: () => number): Capacity | undefined {
  const { resource, record: last } = situation;
  const { scaling } = resource.spec;
  const before = last?.capacity;
  const weight = aimOf(record.state, resource.spec);
  const isStill = weight === 0 && situation.traffic.weight === 0;
  if (!scaling || (isStill && !isHeld(before, scaling))) return undefined;
  if (isStill && isMeasured(record, situation, now)) return undefined;
  // A move that has begun keeps its number: the new Pods would count twice.
  const isSame = before !== undefined && before.weight === weight && last?.id === record.id;
  const pods = within(scaling, isSame ? before.pods : podsOfBoth(situation, before));
  const trial = isSame ? before.trial : Math.max(triedIn(situation), (pods * weight) / 100);
  const stable = weight === 0 ? pods : within(scaling, needed(situation, { pods, trial }));
  if (isSame && before.pods === pods && before.stable === stable) return before;
  return { weight, pods, trial, stable };
}

/** True if the stable side has as many available Pods as the requests need that are to be its own. */
export function canTake({ main, resource, record }: Situation, share: number): boolean {
  const { scaling } = resource.spec;
  const capacity = record?.capacity;
  if (!scaling || !capacity) return true;
  return (main?.available ?? 0) >= within(scaling, sizeFor(share, capacity.pods));
}

/** Number of Pods for a share of the requests. @param weight in percent @param replicas for all requests */
export function sizeFor(weight: number, replicas: number): number {
  return Math.max(1, Math.ceil((replicas * weight) / 100));
}

/** The Pods that serve the requests now, without those that the stable side only holds ready. */
function podsOfBoth(situation: Situation, before: Capacity | undefined): number {
  const { main, traffic } = situation;
  const stable = main?.replicas ?? 1;
  // The stable side grew beyond the minimum that it has for a rollback, so all of its Pods are busy.
  const isBusy = !before || stable > before.stable;
  return isBusy ? triedIn(situation) + (traffic.weight < 100 ? stable : 0) : needed(situation, before);
}

/** Number of Pods for all requests now. It grows with the Pods on trial. */
function needed(situation: Situation, { pods, trial }: Pick<Capacity, 'pods' | 'trial'>): number {
  const tried = triedIn(situation);
  return tried <= Math.ceil(trial) ? pods : Math.ceil(pods + tried - trial);
}

/** Number of Pods on trial that get requests. */
function triedIn({ trial, traffic }: Situation): number {
  return traffic.weight > 0 ? (trial?.replicas ?? 0) : 0;
}

/** True if the requests have not moved for so long that the autoscaler's own numbers hold. */
function isMeasured({ unweightedSince }: TrialRecord, { trial }: Situation, now: () => number): boolean {
  return !trial && unweightedSince !== undefined && now() - unweightedSince >= measuredAfter;
}

/** True if the stable side has a higher minimum than the spec states. */
function isHeld(capacity: Capacity | undefined, { minReplicas }: { readonly minReplicas: number }): boolean {
  return capacity !== undefined && capacity.stable > minReplicas;
}

function within({ maxReplicas }: { readonly maxReplicas: number }, replicas: number): number {
  return Math.min(maxReplicas, replicas);
}
