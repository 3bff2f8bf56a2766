import type { EtcdClusterResource } from '../../../imports/index.js';
import { etcdEndpoint, etcdSelector } from '../../../src/index.js';
import { activeIn, keepUntilAnswered, memberMarks, scaleSelector } from '../../members/index.js';
import type { Assessment, Outcome } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { planOf } from './plan.js';
import { type Observed, type Situation, situationOf } from './situation.js';

/** Derives the conditions and the status of an EtcdCluster from its members and the next step. */
export function assess(
  outcome: Observed & Pick<Outcome, 'blocker'>,
): Assessment<EtcdClusterResource, typeof conditions> {
  const { resource, blocker, polled } = outcome;
  const situation = situationOf(outcome);
  const { cluster, wanted, isFormed } = situation;
  const silent = isFormed ? ('MembersUnreachable' as const) : ('Initializing' as const);
  const Available = { reason: !cluster ? silent : cluster.hasQuorum ? ('Serving' as const) : ('NoQuorum' as const) };
  const clusterId = cluster?.clusterId ?? resource.status?.clusterId;
  return {
    conditions: {
      ...memberMarks({ situation, steps: planOf(situation).steps, blocker }),
      ...keepUntilAnswered({ Available }, polled.engine, resource),
    },
    status: {
      ...{
        ready: `${activeIn(situation).filter(({ isReady }) => isReady).length}/${wanted}`,
        endpoints: etcdEndpoint(situation),
      },
      ...{ replicas: cluster?.members.length ?? 0, selector: scaleSelector(etcdSelector(situation.name)) },
      ...(clusterId !== undefined && { clusterId }),
      members: activeIn(situation).map((node) => statusOf(node, situation)),
    },
  };
}

function statusOf({ name, zone, node, etcd, isReady }: Situation['members'][number], { cluster }: Situation) {
  const state = etcd?.isLearner ? 'Learning' : isReady ? 'Running' : 'Starting';
  const [id, isLeader] = [etcd?.id, etcd !== undefined && etcd.id === cluster?.leader];
  return { name, state, isLeader, ...(id && { id }), ...(zone && { zone }), ...(node && { node }) };
}
