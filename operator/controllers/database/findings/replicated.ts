import type { Instance } from '../instances/instances.js';
import { leaderIn, type Situation, stayingIn, streamsFrom } from '../situation.js';
import { type ConditionMark, hasOnlyBegun, type Observation } from './observation.js';

/** Milliseconds that a newly ready replica has to connect to the primary and be named by it. */
const patience = 60_000;

/** Whether the replicas follow the primary. */
export function replicatedOf(seen: Observation): ConditionMark<'Replicated'> {
  const found = foundIn(seen);
  const isWell = found.reason === 'Streaming' || found.reason === 'SingleInstance';
  return isWell || !isBeginning(seen) ? found : { ...found, reason: 'Initializing' };
}

/** True if the replicas have never all followed, and one is missing, not ready, or ready for less than a minute. */
function isBeginning(seen: Observation): boolean {
  const { situation } = seen;
  const staying = stayingIn(situation);
  const isNew = ({ isReady, readySince = 0 }: Instance) => !isReady || situation.now - readySince < patience;
  return hasOnlyBegun(seen, 'Replicated') && (staying.length < situation.wanted || staying.some(isNew));
}

function foundIn({ situation, resource }: Observation): ConditionMark<'Replicated'> {
  const wanted = situation.wanted - 1;
  if (wanted < 1) return { reason: 'SingleInstance' };
  const leader = leaderIn(situation);
  if (!leader?.report) return { reason: 'PrimaryStatusUnknown' };
  const replicas = stayingIn(situation).filter(({ name }) => name !== leader.name);
  const following = replicas.filter((replica) => streamsFrom(leader, replica));
  const count = Math.min(following.length, wanted);
  const counted = `${count} of ${wanted} replicas ${count === 1 ? 'follows' : 'follow'} ${leader.name}`;
  if (following.length < Math.min(wanted, replicas.length) || replicas.length < wanted) {
    const away = replicas.filter((replica) => !following.includes(replica)).map(({ name }) => name);
    return { reason: 'Degraded', message: [counted, ...missing(away, wanted - replicas.length)].join('; ') };
  }
  const { replicas: least, durability } = resource.spec.synchronous;
  const confirming = confirmingIn(situation);
  if (!situation.isSynchronous || confirming >= least) return { reason: 'Streaming', message: counted };
  const means = durability === 'Required' ? 'commits wait' : 'commits continue with fewer confirmations';
  return { reason: 'TooFewSyncReplicas', message: `${confirming} of ${least} replicas confirm commits, so ${means}` };
}

function missing(away: readonly string[], unmade: number): readonly string[] {
  const names = `${away.join(' and ')} ${away.length === 1 ? 'does' : 'do'} not`;
  return [...(away.length > 0 ? [names] : []), ...(unmade > 0 ? [`${unmade} more to be created`] : [])];
}

/** Number of replicas that the primary waits for. */
function confirmingIn(situation: Situation): number {
  const streaming = leaderIn(situation)?.report?.streaming ?? {};
  return Object.values(streaming).filter(({ synchronous }) => synchronous).length;
}
