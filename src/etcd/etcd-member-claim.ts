import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { EtcdClusterSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { claim } from '../workload/claim.js';
import { type EtcdClusterRef, etcdIdentity, etcdMemberLabels } from './naming/identity.js';

/**
 * Annotation of a PVC: the token of its cluster in etcd. A later EtcdCluster of the same name recognizes by it the volumes of
 * one earlier cluster.
 */
const etcdTokenAnnotation = 'reconstruct.dev/etcd-token';

/** Props of an {@link EtcdMemberClaim}. */
export interface EtcdMemberClaimProps extends EtcdClusterRef {
  /** The name of the member, such as `store-2`. */
  readonly member: string;
  readonly storage: EtcdClusterSpec['storage'];
  /** Tells clusters of the same name apart: the UID of the EtcdCluster that formed it. */
  readonly token: string;
  /** The member was healthy with this volume: it never begins with an empty one again. @default false */
  readonly hasStarted?: boolean;
}

/** Annotation of a PVC whose member was healthy. */
const startedAnnotation = 'reconstruct.dev/etcd-started';

type Annotated = { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } } | undefined;

/** The token in a PVC. */
export function etcdTokenOf(claim: Annotated): string | undefined {
  return claim?.metadata.annotations?.[etcdTokenAnnotation];
}

/** True for a PVC whose member was healthy. */
export function hasEtcdStarted(claim: Annotated): boolean {
  return claim?.metadata.annotations?.[startedAnnotation] === 'true';
}

/** The PersistentVolumeClaim of a member. The data is on this volume, and the Pod only runs it. */
export class EtcdMemberClaim extends Construct {
  readonly claim: ApiObject;

  constructor(scope: Construct, id: string, { member, storage, token, hasStarted, ...cluster }: EtcdMemberClaimProps) {
    super(scope, id);
    const { namespace } = etcdIdentity(this, cluster);
    const labels = etcdMemberLabels(cluster.name, member);
    this.claim = new KubeObject(this, 'claim', claim({ name: member, namespace, labels }, storage));
    this.claim.metadata.addAnnotation(etcdTokenAnnotation, token);
    if (hasStarted) this.claim.metadata.addAnnotation(startedAnnotation, 'true');
  }
}
