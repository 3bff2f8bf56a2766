import type { KafkaNodeRef } from './identity.js';

/** The ports that every node has. Listeners for clients have the ports of `spec.listeners`. */
export const kafkaPorts = { controller: 9090, replication: 9091, metrics: 9404 } as const;

/** The names of the objects that exist once for each KafkaCluster. @param cluster name of the KafkaCluster */
export function kafkaObjectNames(cluster: string) {
  return {
    /** ServiceAccount and NetworkPolicy. */
    own: cluster,
    /** The Service of all Pods by name. */
    nodes: `${cluster}-nodes`,
    /** The Service of the ready brokers. */
    bootstrap: `${cluster}-bootstrap`,
    /** The ConfigMap with the properties that nodes share. */
    config: `${cluster}-config`,
    /** The Issuer of the certificates of the nodes and of the operator. */
    issuer: `${cluster}-ca`,
    /** Certificates, and their Secrets. */
    nodeCertificate: `${cluster}-nodes-tls`,
    operatorCertificate: `${cluster}-operator-tls`,
    /** PodDisruptionBudgets. */
    brokers: `${cluster}-brokers`,
    controllers: `${cluster}-controllers`,
  } as const;
}

/** The Certificate of a listener with an issuer of its own, and its Secret. */
export function listenerCertificateName(cluster: string, listener: string): string {
  return `${cluster}-listener-${listener}-tls`;
}

/** The common names of the certificates that the authorizer does not restrict. */
export function kafkaPrincipals(cluster: string) {
  return { nodes: `${cluster}-nodes`, operator: `${cluster}-operator` } as const;
}

/** The name of the Pod and of the PVC of a node. */
export function kafkaNodeName(cluster: string, { group, id }: Pick<KafkaNodeRef, 'group' | 'id'>): string {
  return `${cluster}-${group}-${id}`;
}

/**
 * The name of a PVC of a node: that of its Pod, or of one of its additional volumes. A name of a volume has no dash and begins
 * with a letter, so it cannot be taken for the ID of a node.
 */
export function kafkaClaimName(node: string, volume?: string): string {
  return volume === undefined ? node : `${node}-${volume}`;
}

/** The node and the additional volume in the name of a PVC. Undefined for the first volume of a node. */
export function additionalVolumeOf(claim: string): { readonly node: string; readonly volume: string } | undefined {
  const [, node, volume] = /^(.+-(?:0|[1-9]\d{0,5}))-([a-z][a-z0-9]*)$/.exec(claim) ?? [];
  return node === undefined || volume === undefined ? undefined : { node, volume };
}

/**
 * The host name of a Pod of a KafkaCluster, as in its certificate. It omits the domain of the cluster, which is unknown.
 * @param pod name of the Pod, such as `events-broker-0`
 */
export function kafkaHost(
  pod: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): string {
  return `${pod}.${kafkaObjectNames(name).nodes}.${namespace}.svc`;
}

/** The host names of the nodes and of the Service for clients, for their certificates. */
export function kafkaCertificateHosts({ name, namespace }: { readonly name: string; readonly namespace: string }) {
  const { nodes, bootstrap } = kafkaObjectNames(name);
  const domains = [`${namespace}.svc`, `${namespace}.svc.cluster.local`];
  return [
    ...domains.map((domain) => `*.${nodes}.${domain}`),
    ...[bootstrap, `${bootstrap}.${namespace}`, ...domains.map((domain) => `${bootstrap}.${domain}`)],
  ];
}
