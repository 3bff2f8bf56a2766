import { secondsOf } from '../../../crds/index.js';
import type { EtcdClusterResource } from '../../../imports/index.js';
import * as etcd from '../../../src/index.js';
import * as members from '../../members/index.js';
import type { Found } from '../../runtime/index.js';
import { pollValueOf } from '../../runtime/index.js';
import type { reads } from './declarations.js';
import type { EtcdAnswer, EtcdMember } from './ports/cluster.js';

/** A Pod with its PVC, and the member that etcd has for it. */
export type Node = members.RetirableMember & { readonly etcd?: EtcdMember | undefined; readonly hasStarted: boolean };
/** The input of `desire` and `assess`. */
export type Observed = members.MemberView<EtcdClusterResource, EtcdAnswer, Found<ReturnType<typeof reads>>>;

/** The facts from which the next step of an EtcdCluster is planned. */
export interface Situation extends members.ReplacingSituation<Node> {
  readonly name: string;
  readonly namespace: string;
  /** What etcd answered. Undefined while it does not answer. */
  readonly cluster?: EtcdAnswer | undefined;
  /** The cluster exists: no member starts with an empty volume unless etcd has added it. */
  readonly isFormed: boolean;
  /** Identifies the cluster in etcd: the UID of the EtcdCluster that formed it. */
  readonly token: string;
}

export function situationOf(view: Observed): Situation {
  const { metadata, spec, status } = view.resource;
  const { uid, name, namespace = '' } = metadata;
  const cluster = pollValueOf(view.polled.engine);
  const read = ({ member, claim }: members.ObjectsOfMember): Node | undefined => {
    const said = cluster?.members.find((one) => nameOf(one) === member.name);
    if (etcd.etcdSerialOf(name, member.name) === undefined) return undefined;
    const hasStarted = etcd.hasEtcdStarted(claim) || said?.isHealthy === true || member.isReady;
    return { ...member, etcd: said, hasStarted, retired: members.retirementOf(claim) };
  };
  const claims = members.memberClaimsOf(view).filter((claim) => members.retirementOf(claim) === undefined);
  const [token = uid] = claims.flatMap((claim) => etcd.etcdTokenOf(claim) ?? []);
  const isFormed = status?.clusterId !== undefined || token !== uid || claims.some(etcd.hasEtcdStarted);
  // The first members must have the same list of members, so they start when all of their volumes exist.
  const certificates =
    isFormed || claims.length >= spec.replicas ? view.reads.certificate?.data?.['ca.crt'] : undefined;
  const settings = { name, namespace, spec, image: etcd.etcdImage(spec) };
  return {
    ...{ name, namespace, cluster, token, isFormed, wanted: spec.replicas, now: view.now.getTime() },
    members: members.membersFrom(members.memberObjectsOf(view, spec.placement.topologyKey), {}, read),
    revision: certificates && etcd.etcdMemberRevision({ ...settings, certificates }),
    replaceAfter: 1_000 * secondsOf(spec.replaceAfter),
  };
}

/** The name of a member by its URL: etcd has no other name of a member that has not started. */
export const nameOf = ({ peerUrls: [url = ''] }: EtcdMember) => URL.parse(url)?.hostname.split('.')[0] ?? '';
