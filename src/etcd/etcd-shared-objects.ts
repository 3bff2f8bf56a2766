import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { etcdClusterSpec, withDefaults } from '../../crds/index.js';
import type { EtcdClusterSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { etcdNameProblem, etcdProblems } from './checks.js';
import { etcdIdentity } from './naming/identity.js';
import { etcdCertificates } from './objects/certificates.js';
import { etcdBudget, etcdNetworkPolicy } from './objects/protection.js';
import { etcdClientService, etcdPeerService } from './objects/services.js';

/** Props of {@link EtcdSharedObjects}: its spec, name and namespace. */
export interface EtcdSharedObjectsProps extends EtcdClusterSpecInput {
  /** The name of the EtcdCluster. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the EtcdCluster. One of the two must be set. @default - the namespace of the chart */
  readonly namespace?: string;
  /** The number of voting members, for the budget. It exceeds that of the spec while a member is replaced. @default 0 */
  readonly voters?: number;
}

/**
 * The objects that all members of an EtcdCluster share, without the members, which need the operator: it renders an
 * `EtcdMemberPod` and an `EtcdMemberClaim` for each. An app that wants a cluster renders the resource with `KubeEtcdCluster`.
 *
 * @example new EtcdSharedObjects(scope, 'store', { replicas: 3 });
 */
export class EtcdSharedObjects extends Construct {
  readonly services: Readonly<Record<'peers' | 'client', ApiObject>>;

  constructor(scope: Construct, id: string, props: EtcdSharedObjectsProps) {
    super(scope, id);
    const { name = id, namespace, voters = 0, ...input } = props;
    const spec = withDefaults(etcdClusterSpec, input);
    this.node.addValidation({ validate: () => [...etcdNameProblem(name), ...etcdProblems(spec)] });

    const identity = etcdIdentity(this, { name, namespace });
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    add('service-account', { ...serviceAccount, metadata: metadataOf(identity) } as Manifest);
    this.services = {
      peers: add('peers', etcdPeerService(identity)),
      client: add('client', etcdClientService(identity)),
    };
    const budget = etcdBudget(identity, Math.max(spec.replicas, voters));
    if (budget) add('budget', budget);
    add('network-policy', etcdNetworkPolicy(identity));
    for (const manifest of etcdCertificates(identity)) {
      add(`${manifest.kind.toLowerCase()}-${manifest.metadata.name}`, manifest);
    }
  }
}

/** Members need no rights, and get no token. */
const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: false };
