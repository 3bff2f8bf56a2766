import type { Construct } from 'constructs';
import { EtcdMemberClaim, EtcdMemberPod, EtcdSharedObjects, etcdImage } from '../../../src/index.js';
import { actOf, claimsOf, renderMembers } from '../../members/index.js';
import { ExternalCall } from '../../runtime/index.js';
import { nameOf, planOf } from './plan.js';
import { accessTo } from './polls.js';
import { etcdCluster } from './ports/cluster.js';
import { type Observed, type Situation, situationOf } from './situation.js';

/** Renders the objects that an EtcdCluster needs next, and the change of its members that is due. */
export function desire(scope: Construct, view: Observed): void {
  const { spec, metadata } = view.resource;
  if (metadata.deletionTimestamp !== undefined) return;
  const situation = situationOf(view);
  const { name, namespace, token, revision, cluster } = situation;
  const plan = planOf(situation);
  const of = { name, namespace, token, spec, image: etcdImage(spec) };
  const voters = cluster?.members.filter(({ isLearner }) => !isLearner).length ?? 0;
  renderMembers({
    ...{ plan, revision, live: claimsOf(view), size: spec.storage.size, remedy: 'lower spec.resources' },
    shared: new EtcdSharedObjects(scope, 'etcd', { ...spec, name, namespace, voters }),
    pod: (member) =>
      new EtcdMemberPod(scope, `pod-${member}`, { ...of, member, firstStart: firstStart(member, situation, plan.pods) })
        .pod,
    claim: (member, size) =>
      new EtcdMemberClaim(scope, `claim-${member}`, { ...of, member, storage: { ...spec.storage, size } }).claim,
  });
  const step = actOf(plan.steps);
  if (step?.act !== 'call') return;
  const request = { ...accessTo(view), ...step.request };
  new ExternalCall(scope, 'members', { port: etcdCluster, request, refreshes: ['engine'], visibleWithin: 10_000 });
}

/** Only a member that etcd has never seen may begin with an empty volume. */
function firstStart(member: string, { isFormed, cluster }: Situation, first: readonly string[]) {
  if (!isFormed) return { state: 'new' as const, members: first };
  const isNew = cluster?.members.some((one) => one.name === undefined && nameOf(one) === member);
  return isNew ? { state: 'existing' as const, members: cluster?.members.map(nameOf) ?? [] } : undefined;
}
