import type { EtcdRequest } from '../../controllers/etcd/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { memberWithQuorum, statusesOf } from './cluster-state.js';
import { ask, type Gateway, type Method } from './gateway.js';
import { decimal } from './member-ids.js';

/** Changes one thing of a cluster. @throws {CallError} if etcd refuses it, or if it is not safe */
export async function changeCluster(gateway: Gateway, request: EtcdRequest, mayLeave: () => void): Promise<void> {
  const statuses = await statusesOf(gateway, request);
  // Without a quorum etcd keeps a removal, without an answer, and may carry it out much later.
  const proven = await memberWithQuorum(gateway, statuses);
  if (!proven) throw new CallError('unreachable', 'no member reads through a quorum', { mayHaveEffect: false });
  const leader = statuses.answered.find(({ id }) => id === proven.leader);
  if (request.act === 'moveLeader' && !leader)
    throw new CallError('unreachable', 'the leader does not answer', { mayHaveEffect: false });
  // Only a leader hands over its role. Every member with a vote forwards the rest.
  const { endpoint } = (request.act === 'moveLeader' && leader) || proven;
  try {
    await ask(gateway, { endpoint, ...sentFor(request), mayLeave });
  } catch (error) {
    if (!isDone(request, error)) throw isRemoved(request, error) ? removedId() : error;
  }
}

function sentFor(request: EtcdRequest): { readonly method: Method; readonly body: object } {
  switch (request.act) {
    case 'addMember':
      return { method: 'cluster/member/add', body: { peerURLs: [request.peerUrl], isLearner: true } };
    case 'promoteMember':
      return { method: 'cluster/member/promote', body: { ID: decimal(request.id) } };
    case 'removeMember':
      return { method: 'cluster/member/remove', body: { ID: decimal(request.id) } };
    case 'moveLeader':
      return { method: 'maintenance/transfer-leadership', body: { targetID: decimal(request.id) } };
  }
}

const notFound = 'etcdserver: member not found';

/** The words of etcd for a change that was made before. */
const done: Readonly<Record<EtcdRequest['act'], readonly string[]>> = {
  // The second one within the same second, in which both get the same ID.
  addMember: ['etcdserver: Peer URLs already exists', 'etcdserver: member ID already exist'],
  promoteMember: ['etcdserver: can only promote a learner member'],
  removeMember: [notFound],
  moveLeader: [],
};

function isDone({ act }: EtcdRequest, error: unknown): boolean {
  return error instanceof CallError && done[act].includes(error.message);
}

function removedId(): CallError {
  const text = 'a member with this URL was removed in the same second';
  return new CallError('retryable', text, { mayHaveEffect: false });
}

/** The ID of a member follows from its URL and from the second in which it is added, and no removed ID comes back. */
function isRemoved({ act }: EtcdRequest, error: unknown): boolean {
  return act === 'addMember' && error instanceof CallError && error.message === notFound;
}
