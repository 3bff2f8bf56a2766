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
  const counted = `${Math.min(following.length, wanted)} of ${wanted} replicas follow ${leader.name}`;
  if (following.length < Math.min(wanted, replicas.length) || replicas.length < wanted) {
    const missing = replicas.filter((replica) => !following.includes(replica)).map(({ name }) => name);
    return { reason: 'Degraded', message: missing.length > 0 ? `${counted}, and not ${missing.join(', ')}` : counted };
  }
  const { replicas: least, durability } = resource.spec.synchronous;
  const confirming = confirmingIn(situation);
  if (!situation.isSynchronous || confirming >= least) return { reason: 'Streaming', message: counted };
  const means = durability === 'Required' ? 'commits wait' : 'commits go on without';
  return { reason: 'Unconfirmed', message: `${confirming} of ${least} replicas confirm commits, so ${means}` };
}

/** For how many replicas the primary waits. */
function confirmingIn(situation: Situation): number {
  const streaming = leaderIn(situation)?.report?.streaming ?? {};
  return Object.values(streaming).filter(({ synchronous }) => synchronous).length;
}
