/** The ports of a member: for clients, for the other members, and for metrics without TLS. */
export const etcdPorts = { client: 2379, peer: 2380, metrics: 2381 } as const;

/** An EtcdCluster whose namespace is known. */
interface Named {
  readonly name: string;
  readonly namespace: string;
}

/** The names of the objects that exist once for each EtcdCluster. @param cluster name of the EtcdCluster */
export function etcdObjectNames(cluster: string) {
  return {
    /** ServiceAccount, NetworkPolicy and PodDisruptionBudget. */
    own: cluster,
    /** The Service of all Pods by name. */
    peers: `${cluster}-peers`,
    /** The Service of the ready members. */
    client: `${cluster}-client`,
    /** The Issuer of all certificates. */
    issuer: `${cluster}-ca`,
    /** Certificates, and their Secrets. */
    memberCertificate: `${cluster}-member-tls`,
    operatorCertificate: `${cluster}-operator-tls`,
    clientCertificate: `${cluster}-client-tls`,
  } as const;
}

/** The common names of the certificates. Only a certificate with that of a member may be a member. */
export function etcdPrincipals(cluster: string) {
  return { member: `${cluster}-member`, operator: `${cluster}-operator`, client: `${cluster}-client` } as const;
}

/** The name of the Pod, of the PVC and of the member in etcd. @param serial number from 1, which no later member has */
export function etcdMemberName(cluster: string, serial: number): string {
  return `${cluster}-${serial}`;
}

/** The serial in the name of a member. Undefined for another name. */
export function etcdSerialOf(cluster: string, member: string): number | undefined {
  const serial = member.startsWith(`${cluster}-`) ? member.slice(cluster.length + 1) : '';
  return /^[1-9]\d{0,8}$/.test(serial) ? Number(serial) : undefined;
}

/** The host name of a member, as in its certificate. It omits the domain of the cluster, which is unknown. */
export function etcdHost(member: string, { name, namespace }: Named): string {
  return `${member}.${etcdObjectNames(name).peers}.${namespace}.svc`;
}

/** The URL at which the other members reach a member. etcd identifies a member that has not started by it. */
export function etcdPeerUrl(member: string, cluster: Named): string {
  return `https://${etcdHost(member, cluster)}:${etcdPorts.peer}`;
}

/** The URL at which clients reach a member. */
export function etcdClientUrl(member: string, cluster: Named): string {
  return `https://${etcdHost(member, cluster)}:${etcdPorts.client}`;
}

/** The URL at which clients reach one of the ready members. */
export function etcdEndpoint({ name, namespace }: Named): string {
  return `https://${etcdObjectNames(name).client}.${namespace}.svc:${etcdPorts.client}`;
}

/** The host names of the members and of the Service for clients, for their certificate. */
export function etcdCertificateHosts({ name, namespace }: Named): readonly string[] {
  const { peers, client } = etcdObjectNames(name);
  const domains = [`${namespace}.svc`, `${namespace}.svc.cluster.local`];
  return [
    ...domains.map((domain) => `*.${peers}.${domain}`),
    ...[client, `${client}.${namespace}`, ...domains.map((domain) => `${client}.${domain}`)],
    // The readiness probe connects to its own member.
    'localhost',
  ];
}
