import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { kafkaClusterSpec, withDefaults } from '../../crds/index.js';
import type { KafkaClusterSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { rendered } from '../validation/rendered.js';
import { metadataOf } from '../workload/identity.js';
import { kafkaNameProblem, kafkaProblems } from './checks.js';
import { brokerProperties, brokersIn, controllerProperties, mostDefaultReplicas } from './config/properties.js';
import { kafkaIdentity } from './naming/identity.js';
import { kafkaObjectNames } from './naming/object-names.js';
import { kafkaCertificates } from './objects/certificates.js';
import { type ExistingNodes, kafkaBudgets, kafkaNetworkPolicy } from './objects/protection.js';
import { kafkaServices } from './objects/services.js';

/** Props of {@link KafkaSharedObjects}: its spec, name and namespace. */
export interface KafkaSharedObjectsProps extends KafkaClusterSpecInput {
  /** The name of the KafkaCluster. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the KafkaCluster. One of the two must be set. @default - the namespace of the chart */
  readonly namespace?: string;
  /** Addresses of the load balancers of listeners, for their certificates, by listener. @default - none is known */
  readonly assignedAddresses?: Readonly<Record<string, readonly string[]>>;
  /** How many nodes of each role exist, for the budgets. @default - those of the spec */
  readonly existing?: ExistingNodes;
  /**
   * The number of brokers from which the defaults of replication follow, such as `min.insync.replicas`. While a cluster
   * grows or shrinks, it differs from that of the spec. @default - those of the spec
   */
  readonly brokersForDefaults?: number;
}

/**
 * The objects that all nodes of a KafkaCluster share, without the nodes, which need the operator: it renders a
 * `KafkaNodePod` and a `KafkaNodeClaim` for each. An app that wants a cluster renders the resource with
 * `KubeKafkaCluster`.
 *
 * @example new KafkaSharedObjects(scope, 'events', { name: 'events', brokers: { storage: { size: '10Gi' } } });
 */
export class KafkaSharedObjects extends Construct {
  readonly services: Readonly<Record<'nodes' | 'bootstrap', ApiObject>>;
  /** The properties that nodes read when they start. */
  readonly config: ApiObject;

  constructor(scope: Construct, id: string, props: KafkaSharedObjectsProps) {
    super(scope, id);
    const { name = id, namespace, assignedAddresses, existing, brokersForDefaults, ...input } = props;
    const spec = withDefaults(kafkaClusterSpec, input);
    const problems = () => [...kafkaNameProblem(name), ...kafkaProblems(spec)];
    this.node.addValidation({ validate: problems });

    const identity = { ...kafkaIdentity(this, { name, namespace }), version: spec.version };
    const names = kafkaObjectNames(name);
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    const ofSpec = <T>(render: () => T) => rendered(this, problems, render);
    add('service-account', { ...serviceAccount, metadata: metadataOf(identity) } as Manifest);
    const cluster = { name, namespace: identity.namespace, spec, brokersForDefaults };
    const data = ofSpec(() => ({
      'broker.properties': brokerProperties(cluster),
      ...(!spec.controllers.combined && { 'controller.properties': controllerProperties(cluster) }),
    }));
    const defaultsFor = String(Math.min(mostDefaultReplicas, brokersForDefaults ?? brokersIn(spec)));
    const metadata = {
      ...metadataOf(identity, names.config),
      annotations: { [kafkaBrokersForDefaultsAnnotation]: defaultsFor },
    };
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    this.config = add('config', config);
    const { nodes, bootstrap } = ofSpec(() => kafkaServices(identity, spec));
    this.services = { nodes: add('nodes', nodes), bootstrap: add('bootstrap', bootstrap) };
    const others = ofSpec(() => [
      ...kafkaBudgets(identity, spec, existing),
      kafkaNetworkPolicy(identity, spec),
      ...kafkaCertificates(identity, spec, assignedAddresses),
    ]);
    for (const manifest of others) add(`${manifest.kind.toLowerCase()}-${manifest.metadata.name}`, manifest);
  }
}

/**
 * Annotation of the ConfigMap with the properties: the number of brokers from which its defaults follow, at most 3. The
 * operator reads it, because a broker that is down for a while must not change them.
 */
export const kafkaBrokersForDefaultsAnnotation = 'reconstruct.dev/brokers-for-defaults';

/** Nodes need no rights, and get no token. */
const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: false };
