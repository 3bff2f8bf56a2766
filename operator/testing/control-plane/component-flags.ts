/** Flags of a component by name, without the leading dashes. */
export type Flags = Readonly<Record<string, string>>;

/** Flags as command line arguments. */
export function commandLine(flags: Flags): readonly string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

/** Names of the files in the data folder. Flags use these relative paths, because components run in that folder. */
export const files = {
  adminKubeconfig: 'admin.kubeconfig',
  auditLog: 'audit.log',
  auditPolicy: 'audit-policy.yaml',
  authority: 'ca.crt',
  authorityKey: 'ca.key',
  controllerManagerKubeconfig: 'kube-controller-manager.kubeconfig',
  frontProxy: 'front-proxy.crt',
  frontProxyKey: 'front-proxy.key',
  schedulerKubeconfig: 'kube-scheduler.kubeconfig',
  server: 'apiserver.crt',
  serverKey: 'apiserver.key',
  serviceAccountKey: 'service-account.key',
} as const;

const etcdSocket = 'unix://etcd.sock';

/** First address of the Service range, which the Service of the API server has. */
export const kubernetesServiceIp = '10.96.0.1';

/**
 * Flags of etcd. It listens on a socket in the data folder, so only the owner of the folder can access it.
 *
 * It has no peers: with port 0 the kernel chooses a free port.
 */
export const etcdFlags: Flags = {
  'data-dir': 'etcd',
  'listen-client-urls': etcdSocket,
  'advertise-client-urls': 'http://127.0.0.1:2379', // etcd requires a host here; no client uses the address
  'listen-peer-urls': 'http://127.0.0.1:0',
  'initial-advertise-peer-urls': 'http://127.0.0.1:0',
  'initial-cluster': 'default=http://127.0.0.1:0',
  'log-level': 'warn',
  'unsafe-no-fsync': 'true', // the state does not outlive the process
};

/** Flags of an API server like that of a cluster, on one port of this machine. */
export function apiServerFlags(port: number): Flags {
  return {
    'etcd-servers': etcdSocket,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': String(port),
    'endpoint-reconciler-type': 'none', // the API refuses endpoints on a loopback address
    'tls-cert-file': files.server,
    'tls-private-key-file': files.serverKey,
    'client-ca-file': files.authority,
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'allow-privileged': 'true',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': files.serviceAccountKey,
    'service-account-signing-key-file': files.serviceAccountKey,
    'service-cluster-ip-range': '10.96.0.0/16',
    ...aggregationFlags,
  };
}

const aggregationFlags: Flags = {
  'enable-aggregator-routing': 'true', // without kube-proxy, aggregated APIs are reached by Pod address
  'proxy-client-cert-file': files.frontProxy,
  'proxy-client-key-file': files.frontProxyKey,
  'requestheader-client-ca-file': files.authority,
  'requestheader-allowed-names': 'front-proxy',
  'requestheader-username-headers': 'X-Remote-User',
  'requestheader-group-headers': 'X-Remote-Group',
  'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
};

/** Flags with which an API server logs every request before its caller continues. */
export const auditFlags: Flags = {
  'audit-policy-file': files.auditPolicy,
  'audit-log-path': files.auditLog,
  'audit-log-mode': 'blocking',
  'audit-log-maxsize': '0', // one file, without rotation
};

/** Flags that admit Pods without a controller that creates service accounts. */
export const withoutControllerManagerFlags: Flags = { 'disable-admission-plugins': 'ServiceAccount' };

/** Flags of the only controller manager. */
export const controllerManagerFlags: Flags = {
  kubeconfig: files.controllerManagerKubeconfig,
  // With the default of 20 requests per second the start takes several seconds.
  'kube-api-qps': '500',
  'kube-api-burst': '1000',
  'secure-port': '0',
  'leader-elect': 'false',
  'use-service-account-credentials': 'true',
  'service-account-private-key-file': files.serviceAccountKey,
  'root-ca-file': files.authority,
  'cluster-signing-cert-file': files.authority,
  'cluster-signing-key-file': files.authorityKey,
};

/** Flags of a controller manager whose nodes send no heartbeats and run no containers. */
export const simulatedNodesFlags: Flags = {
  'node-monitor-grace-period': '8760h',
  // No container runs, so autoscalers would report missing metrics for ever.
  controllers: '*,-horizontal-pod-autoscaler-controller',
};

/** Flags of the only scheduler. */
export const schedulerFlags: Flags = {
  kubeconfig: files.schedulerKubeconfig,
  'secure-port': '0',
  'leader-elect': 'false',
};
