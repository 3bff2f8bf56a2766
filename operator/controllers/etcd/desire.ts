import type { Construct } from 'constructs';
import {
  EtcdMemberClaim,
  EtcdMemberPod,
  EtcdSharedObjects,
  etcdImage,
  type EtcdFirstStart as FirstStart,
} from '../../../src/index.js';
import { actingStep, type MemberPlan, memberClaimsOf, renderMembers } from '../../members/index.js';
import { ExternalCall } from '../../runtime/index.js';
import { planOf } from './plan.js';
import { accessTo } from './polls.js';
import { type EtcdAnswer, etcdCluster } from './ports/cluster.js';
import { nameOf, type Observed, situationOf } from './situation.js';

/** Renders the objects that an EtcdCluster needs next, and the change of its members that is due. */
export function desire(scope: Construct, view: Observed): void {
  const { spec, metadata } = view.resource;
  if (metadata.deletionTimestamp !== undefined) return;
  const situation = situationOf(view);
  const { name, namespace, token, revision, cluster } = situation;
  const plan = planOf(situation);
  const of = { name, namespace, token, spec, image: etcdImage(spec) };
  const started = new Set(situation.members.filter(({ hasStarted }) => hasStarted).map((one) => one.name));
  const first = (member: string) => (started.has(member) ? undefined : firstStart(member, plan, cluster));
  renderMembers({
    ...{ plan, revision, live: memberClaimsOf(view), size: spec.storage.size, remedy: 'lower spec.resources' },
    shared: new EtcdSharedObjects(scope, 'etcd', { ...spec, name, namespace, voters: cluster?.members.length ?? 0 }),
    pod: (member) => new EtcdMemberPod(scope, `pod-${member}`, { ...of, member, firstStart: first(member) }).pod,
    claim: (member, size) => {
      const props = { ...of, member, storage: { ...spec.storage, size }, hasStarted: started.has(member) };
      return new EtcdMemberClaim(scope, `claim-${member}`, props).claim;
    },
  });
  const step = actingStep(plan.steps);
  if (step?.act !== 'call') return;
  const request = { ...accessTo(view), ...step.request };
  new ExternalCall(scope, 'members', { port: etcdCluster, request, refreshes: ['engine'] });
}

/** A member that has started never begins with an empty volume again: it has forgotten what it confirmed to the others. */
function firstStart(member: string, { claims }: Pick<MemberPlan, 'claims'>, cluster?: EtcdAnswer): FirstStart {
  const first = claims.filter(({ retired }) => retired === undefined).map(({ name }) => name);
  const isLearner = cluster?.members.some((one) => one.isLearner && nameOf(one) === member);
  return { state: isLearner ? 'existing' : 'new', members: cluster?.members.map(nameOf) ?? first };
}
