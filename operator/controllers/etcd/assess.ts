import type { EtcdClusterResource } from '../../../imports/index.js';
import { etcdEndpoint, etcdSelector } from '../../../src/index.js';
import {
  activeMembersIn,
  keepUntilAnswered,
  memberMarks,
  memberStatus,
  readyRatio,
  scaleSelector,
} from '../../members/index.js';
import type { Assessment, Outcome } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { planOf } from './plan.js';
import { type Node, type Observed, type Situation, situationOf } from './situation.js';

type Found = Assessment<EtcdClusterResource, typeof conditions>;

/** Derives the conditions and the status of an EtcdCluster from its members and the next step. */
export function assess(outcome: Observed & Pick<Outcome, 'blocker' | 'calls'>): Found {
  const { resource, blocker, polled, calls } = outcome;
  const situation = situationOf(outcome);
  const { cluster, wanted, name } = situation;
  const nodes = activeMembersIn(situation);
  const clusterId = cluster?.clusterId ?? resource.status?.clusterId;
  const marks = memberMarks({ situation, steps: planOf(situation).steps, blocker, call: calls.of('members') });
  return {
    conditions: { ...marks, ...keepUntilAnswered({ Available: availableOf(situation) }, polled.engine, resource) },
    status: {
      ...{ ready: readyRatio(nodes, wanted), replicas: cluster?.members.length ?? 0, ...(clusterId && { clusterId }) },
      ...{ selector: scaleSelector(etcdSelector(name)), endpoints: etcdEndpoint(situation) },
      members: nodes.map((node) => ({ ...memberStatus(node), ...etcdStatus(node, situation) })),
    },
  };
}

function availableOf({ cluster, isFormed }: Situation) {
  if (!cluster) return { reason: isFormed ? ('MembersUnreachable' as const) : ('Initializing' as const) };
  return { reason: cluster.hasQuorum ? ('Serving' as const) : ('NoQuorum' as const) };
}

function etcdStatus({ etcd }: Node, { cluster }: Situation) {
  return etcd && { id: etcd.id, isLeader: etcd.id === cluster?.leader, ...(etcd.isLearner && { state: 'Learning' }) };
}
