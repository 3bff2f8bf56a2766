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
  renderMembers({
    ...{ plan, revision, live: memberClaimsOf(view), size: spec.storage.size, remedy: 'lower spec.resources' },
    shared: new EtcdSharedObjects(scope, 'etcd', { ...spec, name, namespace, voters: cluster?.members.length ?? 0 }),
    pod: (member) => {
      const first = firstStart(member, situation, plan.claims);
      return new EtcdMemberPod(scope, `pod-${member}`, { ...of, member, firstStart: first }).pod;
    },
    claim: (member, size) => {
      const hasStarted = situation.members.some((one) => one.name === member && one.hasStarted);
      const storage = { ...spec.storage, size };
      return new EtcdMemberClaim(scope, `claim-${member}`, { ...of, member, storage, hasStarted }).claim;
    },
  });
  const step = actingStep(plan.steps);
  if (step?.act !== 'call') return;
  const request = { ...accessTo(view), ...step.request };
  new ExternalCall(scope, 'members', { port: etcdCluster, request, refreshes: ['engine'], visibleWithin: 10_000 });
}

/** A member that has started never begins with an empty volume again: it has forgotten what it confirmed to the others. */
function firstStart(
  member: string,
  { members, cluster }: Situation,
  claims: MemberPlan['claims'],
): FirstStart | undefined {
  if (members.some(({ name, hasStarted }) => name === member && hasStarted)) return undefined;
  const isLearner = cluster?.members.some((one) => one.isLearner && nameOf(one) === member);
  const all = cluster?.members.map(nameOf) ?? claims.map(({ name }) => name);
  return { state: isLearner ? 'existing' : 'new', members: all };
}
