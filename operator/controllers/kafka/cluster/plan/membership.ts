import { isKafkaController } from '../../../../../src/index.js';
import { retireLost } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { drainedIn, isVoter, membersIn, quorumIn, type Situation, stayingIn, surplusIn } from '../situation.js';
import { illnessOf } from './health.js';
import { isDown, obstacleTo } from './rollout.js';
import { onNode, refuse, type Step, waitStep } from './step.js';

/**
 * Gives up a node whose machine was deleted: its volume is retired, and a new node with another id takes its place. The
 * machine may return meanwhile, so this waits. A controller of the same machine is no obstacle, or both would wait for each
 * other: it is replaced next.
 */
export function lost(situation: Situation): Step | undefined {
  const node = membersIn(situation).find(({ isNodeGone, isReady }) => isNodeGone && !isReady);
  if (!node) return undefined;
  const step = retireLost({
    ...{ member: node, concern: 'lost', obstacle: obstacleToRetire(node, situation) },
    found: `The volume of ${node.name} is on a node that no longer exists`,
    patience: situation.replaceAfter,
    prospect: 'it is replaced unless it returns within spec.replaceAfter',
    now: situation.now,
  });
  return onNode(step);
}

/** Why a lost node must not be given up now, as the end of a sentence. */
function obstacleToRetire(node: KafkaNode, situation: Situation): string | undefined {
  const { cluster } = situation;
  if (!cluster) return '; the replacement waits until the brokers answer';
  if (cluster.brokers.some(({ id, isFenced }) => id === node.id && !isFenced))
    return ', but the controllers still see it';
  // Others that are lost too do not come back. While every partition has a leader, no data is on lost brokers alone.
  const isLost = (one: KafkaNode) =>
    one.isNodeGone && !one.isReady && (one.role === 'controller' || cluster.partitions.offline === 0);
  const other = membersIn(situation).find(
    (one) => one.name !== node.name && !isLost(one) && illnessOf(one, situation) !== undefined,
  );
  return other && `; the replacement waits, because ${illnessOf(other, situation)}`;
}

/**
 * Makes new controllers voters, and takes the votes of those that leave or have lost their disk. One at a time. A broker that
 * leaves keeps its vote until its replicas have moved: its removal may be refused.
 */
export function voters(situation: Situation): Step | undefined {
  const quorum = quorumIn(situation);
  if (!quorum || !situation.isBootstrapped) return undefined;
  const staying = stayingIn(situation).filter(isKafkaController);
  const holdsReplicas = (id: number) =>
    surplusIn(situation).some((node) => node.id === id && node.isCombined && !isEmpty(id, situation));
  const isStaying = (id: number) => staying.some((node) => node.id === id);
  // An observer with the id of a voter has another disk.
  const hasNewDisk = (id: number) => quorum.observers.some((one) => one.id === id) && isStaying(id);
  const serves = (id: number) =>
    membersIn(situation).some((node) => node.id === id && illnessOf(node, situation) === undefined);
  // The rest needs those that serve for its majority as long as there are others.
  const placeOf = ({ id }: { readonly id: number }) => (id === quorum.leader ? 2 : Number(serves(id)));
  const obsolete = quorum.voters
    .filter(({ id }) => (!isStaying(id) && !holdsReplicas(id)) || hasNewDisk(id))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const [old] = obsolete;
  const fresh = quorum.observers.find(({ id }) => isStaying(id) && !isVoter(id, situation));
  // More voters come before fewer, unless the disk of a voter is lost.
  if (fresh && !(old && hasNewDisk(old.id))) return newVoter(fresh, situation, staying);
  if (!old) return undefined;
  const others = quorum.voters.filter((voter) => voter !== old);
  // Two that lose their votes may both be down, and would wait for each other. The call checks the majority of the rest.
  const needed = others.filter((voter) => !obsolete.includes(voter));
  const nodes = membersIn(situation).filter(({ id }) => needed.some((voter) => voter.id === id));
  const ill = nodes.map((node) => illnessOf(node, situation)).find((illness) => illness !== undefined);
  const why = `controller ${old.id} loses its vote`;
  if (others.length === 0) return waitStep('quorum', `${why} when another controller has one`);
  if (nodes.length < needed.length || ill !== undefined)
    return waitStep('quorum', `${why} when all others are in sync: ${ill ?? 'a voter has no Pod'}`);
  const { id, directoryId } = old;
  return { act: 'call', concern: 'quorum', request: { act: 'removeVoter', id, directoryId }, why };
}

function newVoter(
  { id, directoryId }: { readonly id: number; readonly directoryId: string },
  situation: Situation,
  staying: readonly KafkaNode[],
): Step {
  const node = staying.find((one) => one.id === id);
  const illness = node && illnessOf(node, situation);
  const why = `controller ${id} becomes a voter`;
  if (illness !== undefined) return waitStep('quorum', `${why} when it is in sync: ${illness}`);
  if (!hasCaughtUp(id, situation)) return waitStep('quorum', `${why} when it has all records of the metadata`);
  return { act: 'call', concern: 'quorum', request: { act: 'addVoter', id, directoryId }, why };
}

/** Milliseconds. Controllers fetch at least twice a second, also when nothing changes. */
const longestLag = 3_000;

/** False if unknown: a voter that lags would delay each change of the metadata, and counts for the majority. */
function hasCaughtUp(id: number, { cluster }: Situation): boolean {
  const { leader, voters = [], observers = [] } = cluster?.quorum ?? {};
  const now = voters.find((voter) => voter.id === leader)?.caughtUpAt;
  const at = observers.find((observer) => observer.id === id)?.caughtUpAt;
  return now !== undefined && at !== undefined && now - at <= longestLag;
}

/** Brokers that are registered and do not stay: those that the spec no longer has, and lost ones. */
export function leavingIds(situation: Situation): readonly number[] {
  const staying = new Set(stayingIn(situation).map(({ id }) => id));
  return (situation.cluster?.brokers ?? []).map(({ id }) => id).filter((id) => !staying.has(id));
}

/**
 * Takes out brokers: their replicas move first, and only when the metadata has none on them the Pods stop. Those that are
 * controllers lose their vote before. Then their registration is removed, and then their volumes are retired.
 */
export function leaving(situation: Situation): Step | undefined {
  const { cluster } = situation;
  const surplus = surplusIn(situation).filter(({ role }) => role === 'broker');
  const ids = leavingIds(situation);
  if (surplus.length === 0 && ids.length === 0) return undefined;
  if (!cluster)
    return waitStep('removal', `no broker is removed, because ${situation.silence ?? 'the brokers do not answer'}`);
  const voting = [...surplus.map(({ id }) => id), ...ids].find(
    (id) => isVoter(id, situation) && isEmpty(id, situation),
  );
  if (voting !== undefined)
    return waitStep('removal', `broker ${voting} has no replicas, and leaves when it has no vote`);
  // One that has stopped leaves before the next one stops, which would wait for it.
  const gone = ids.find((id) => isEmpty(id, situation) && isStopped(id, situation));
  if (gone !== undefined) {
    const isFenced = cluster.brokers.some(({ id, isFenced: is }) => id === gone && is);
    const why = `broker ${gone} is unregistered`;
    if (!isFenced) return waitStep('removal', `${why} when the controllers see that it stopped`);
    return { act: 'call', concern: 'removal', request: { act: 'unregister', broker: gone }, why };
  }
  const unregistered = surplus.find(({ id, pod }) => pod === 'none' && !ids.includes(id));
  if (unregistered && !isEmpty(unregistered.id, situation))
    return waitStep('removal', `${unregistered.name} starts again, because partitions still have replicas on it`);
  if (unregistered)
    return { act: 'retire', concern: 'removal', node: unregistered, why: `${unregistered.name} has left` };
  const drained = nextToStop(
    surplus.filter(({ id }) => isEmpty(id, situation)),
    situation,
  );
  if (drained) {
    const obstacle = obstacleToStop(drained, situation);
    if (obstacle !== undefined) return waitStep('removal', `${drained.name} is not stopped: ${obstacle}`);
    return { act: 'stop', concern: 'removal', node: drained, why: `${drained.name} has no replicas and is stopped` };
  }
  return drain(ids, situation);
}

/** One that does not run comes first, because it costs nothing. @param surplus nodes without replicas and votes */
function nextToStop(surplus: readonly KafkaNode[], situation: Situation): KafkaNode | undefined {
  const running = surplus.filter(({ pod }) => pod === 'there');
  return running.find((node) => isDown(node, situation)) ?? running[0];
}

/** Nothing depends on a node without replicas and votes that does not run. Two of them would wait for each other. */
function obstacleToStop(node: KafkaNode, situation: Situation): string | undefined {
  return isDown(node, situation) ? undefined : obstacleTo(node, situation);
}

/** Moves the replicas off brokers that a person wants to be empty. The brokers go on to run. */
export function drained(situation: Situation): Step | undefined {
  const isDone = drainedIn(situation).every(({ id }) => isEmpty(id, situation));
  if (!situation.cluster || isDone || leavingIds(situation).length > 0) return undefined;
  return drain([], situation);
}

function isEmpty(id: number, { cluster }: Situation): boolean {
  return cluster !== undefined && (cluster.load[id]?.replicas ?? 0) === 0;
}

function isStopped(id: number, { nodes }: Situation): boolean {
  return nodes.every((node) => node.id !== id || node.role !== 'broker' || node.pod === 'none');
}

/** @param leaving IDs of brokers that leave. Those that are drained move with them, because one request moves all */
function drain(leaving: readonly number[], situation: Situation): Step {
  const { cluster } = situation;
  const kept = drainedIn(situation);
  const ids = [...leaving, ...kept.map(({ id }) => id)];
  const names = ids.join(' and ');
  const onto = stayingIn(situation).filter(({ role, isDrained }) => role === 'broker' && !isDrained);
  const highest = cluster?.partitions.highestReplication ?? 0;
  const wanted = situation.groups
    .filter(({ role }) => role === 'broker')
    .reduce((sum, { replicas }) => sum + replicas, -kept.length);
  if (wanted < highest)
    return refuse(
      'removal',
      `broker ${names} cannot be ${leaving.length > 0 ? 'removed' : 'drained'}: topic ${cluster?.partitions.highestTopic} has ${highest} replicas, and ${wanted} brokers would remain; lower the replication of the topic, or keep ${highest} brokers`,
    );
  const ill =
    onto.length < wanted
      ? 'brokers are missing'
      : onto.map((node) => illnessOf(node, situation)).find((illness) => illness !== undefined);
  if (ill !== undefined)
    return waitStep('removal', `the replicas of broker ${names} move when all others serve: ${ill}`);
  if ((cluster?.moves?.partitions ?? 0) === 0)
    return waitStep('removal', `the replicas of broker ${names} are moving to other brokers`);
  const request = { act: 'reassign' as const, from: ids, onto: onto.map(({ id }) => id), throttle: situation.throttle };
  return { act: 'call', concern: 'removal', request, why: `the replicas of broker ${names} move to other brokers` };
}

/** Stops controllers that have no vote any more, and then retires their volumes. */
export function formerControllers(situation: Situation): Step | undefined {
  const quorum = quorumIn(situation);
  const surplus = surplusIn(situation).filter(({ role }) => role === 'controller');
  const former = surplus.filter(({ id }) => quorum && !isVoter(id, situation));
  // One that has stopped leaves before the next one stops.
  const node = former.find(({ pod }) => pod === 'none') ?? nextToStop(former, situation);
  if (!node) return undefined;
  if (node.pod === 'none') return { act: 'retire', concern: 'quorum', node, why: `${node.name} has left` };
  const obstacle = obstacleToStop(node, situation);
  if (obstacle !== undefined) return waitStep('quorum', `${node.name} has no vote and is not stopped: ${obstacle}`);
  return { act: 'stop', concern: 'quorum', node, why: `${node.name} has no vote and is stopped` };
}
