import { isKafkaController } from '../../../../../src/index.js';
import { waitStep } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { isVoter, membersIn, quorumIn, type Situation, stayingIn, surplusIn } from '../situation.js';
import { hasNoReplicas } from './drain.js';
import { illnessOf } from './health.js';
import type { Step } from './step.js';

/**
 * Makes new controllers voters, and takes the votes of those that leave or have lost their disk. One at a time. A broker that
 * leaves keeps its vote until its replicas have moved: its removal may be refused.
 */
export function voters(situation: Situation): Step | undefined {
  const quorum = quorumIn(situation);
  if (!quorum || !situation.isBootstrapped) return undefined;
  const staying = stayingIn(situation).filter(isKafkaController);
  const holdsReplicas = (id: number) =>
    surplusIn(situation).some((node) => node.id === id && node.isCombined && !hasNoReplicas(id, situation));
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
