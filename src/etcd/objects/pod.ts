import type { k8s } from 'cdk8s-plus-27';
import { defaultEtcdResources } from '../../../crds/index.js';
import type { EtcdClusterSpec } from '../../../imports/index.js';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { withPodTemplate } from '../../workload/pod-template.js';
import { containerResources } from '../../workload/resources.js';
import { containerSecurityContext, podSecurityContext } from '../../workload/security-context.js';
import { claimVolume } from '../../workload/volumes.js';
import { etcdMemberLabels, etcdSelector } from '../naming/identity.js';
import { etcdObjectNames, etcdPorts } from '../naming/object-names.js';
import { etcdArguments, etcdFiles, etcdFolders } from './arguments.js';
import type { MemberPod } from './member-settings.js';

/** The name of the container. */
const container = 'etcd';

/** Any user can run etcd. The group is also the group of the volumes. */
const user: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  fsGroupChangePolicy: 'OnRootMismatch',
};

/** The Pod of a member with its own volume. The operator replaces the Pod instead of changing it. */
export function memberPod(settings: MemberPod): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, member, spec } = settings;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: member, namespace, labels: etcdMemberLabels(name, member) },
    spec: {
      automountServiceAccountToken: false,
      containers: [etcd(settings)],
      enableServiceLinks: false,
      hostname: member,
      restartPolicy: 'Always',
      securityContext: user,
      serviceAccountName: name,
      subdomain: etcdObjectNames(name).peers,
      // A leader hands over its role within a second.
      terminationGracePeriodSeconds: 30,
      topologySpreadConstraints: apart(name, spec.placement),
      volumes: [claimVolume('data', member), certificate(etcdObjectNames(name).memberCertificate)],
    },
  };
  const labelSelector = { matchLabels: etcdSelector(name) };
  return withPodTemplate(pod, spec.podTemplate, { container, spread: { mode: 'Add', labelSelector } });
}

function etcd(settings: MemberPod): Plain<k8s.Container> {
  const port = (name: keyof typeof etcdPorts) => ({ name, containerPort: etcdPorts[name], protocol: 'TCP' });
  return {
    name: container,
    image: settings.image,
    command: ['etcd', ...etcdArguments(settings)],
    env: environment(),
    ports: [port('client'), port('peer'), port('metrics')],
    resources: containerResources(settings.spec.resources, defaultEtcdResources),
    // Reads through the quorum, over TLS. A learner is not ready, because it answers no clients. No liveness probe: a
    // restart does not help a member without quorum.
    readinessProbe: {
      exec: { command: ['etcdctl', 'endpoint', 'health', '--command-timeout=3s'] },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 3,
    },
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'data', mountPath: etcdFolders.volume },
      { name: 'tls', mountPath: etcdFolders.tls, readOnly: true },
    ],
  };
}

/** The connection of etcdctl to its own member, for the probe and for people. */
function environment(): readonly Plain<k8s.EnvVar>[] {
  const { crt, key, ca } = etcdFiles;
  const values = {
    ETCDCTL_API: '3',
    ETCDCTL_ENDPOINTS: `https://localhost:${etcdPorts.client}`,
    ETCDCTL_CERT: crt,
    ETCDCTL_KEY: key,
    ETCDCTL_CACERT: ca,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function certificate(secretName: string): Plain<k8s.Volume> {
  const items = ['tls.crt', 'tls.key', 'ca.crt'].map((key) => ({ key, path: key }));
  return { name: 'tls', secret: { secretName, defaultMode: 0o440, items } };
}

/** Spreads the members over zones, and over nodes in a zone. */
function apart(
  cluster: string,
  { topologyKey, spread }: EtcdClusterSpec['placement'],
): readonly Plain<k8s.TopologySpreadConstraint>[] {
  return [...new Set([topologyKey, 'kubernetes.io/hostname'])].map((key) => ({
    maxSkew: 1,
    topologyKey: key,
    whenUnsatisfiable: spread === 'Required' ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector: { matchLabels: etcdSelector(cluster) },
  }));
}
