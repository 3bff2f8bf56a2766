import { leaderIn, type Situation, stayingIn, streamsFrom } from '../plan/index.js';
import type { Said, Seen } from './seen.js';

/** Whether replicas have what the primary has. */
export function replicationOf({ situation, resource }: Seen): Said<'Replicated'> {
  const wanted = situation.wanted - 1;
  if (wanted < 1) return { reason: 'Alone' };
  const leader = leaderIn(situation);
  if (!leader?.report) return { reason: 'NotTold' };
  const replicas = stayingIn(situation).filter(({ name }) => name !== leader.name);
  const following = replicas.filter((replica) => streamsFrom(leader, replica));
  const count = Math.min(following.length, wanted);
  const counted = `${count} of ${wanted} replicas ${count === 1 ? 'follows' : 'follow'} ${leader.name}`;
  if (following.length < Math.min(wanted, replicas.length) || replicas.length < wanted) {
    const missing = replicas.filter((replica) => !following.includes(replica)).map(({ name }) => name);
    const unmade = wanted - replicas.length;
    return {
      reason: 'Degraded',
      message: [counted, ...lagging(missing), ...(unmade > 0 ? [`${unmade} more to be made`] : [])].join('; '),
    };
  }
  const { replicas: least, durability } = resource.spec.synchronous;
  const confirming = confirmingIn(situation);
  if (!situation.isSynchronous || confirming >= least) return { reason: 'Streaming', message: counted };
  const means = durability === 'Required' ? 'commits wait' : 'commits go on without';
  return { reason: 'Unconfirmed', message: `${confirming} of ${least} replicas confirm commits, so ${means}` };
}

function lagging(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`${names.join(' and ')} ${names.length === 1 ? 'does' : 'do'} not`];
}

/** For how many replicas the primary waits. */
function confirmingIn(situation: Situation): number {
  const streaming = leaderIn(situation)?.report?.streaming ?? {};
  return Object.values(streaming).filter(({ synchronous }) => synchronous).length;
}
