import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { withPodTemplate } from '../../workload/pod-template.js';
import { podSecurityContext } from '../../workload/security-context.js';
import { claimVolume, emptyVolume } from '../../workload/volumes.js';
import { type DatabaseIdentity, instanceLabels, instanceSelector } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';
import { backupContainer, postgresContainer, postgresContainerName } from './containers.js';
import type { InstancePod } from './instance.js';
import { backupSettingsVolume, settingsVolume, tokenVolume, volumeNames } from './volumes.js';

/** Seconds that PostgreSQL has to write its data to the volume and to hand over its role. */
const secondsToStop = 120;

/** The user of the image. Its group is also the group of the volumes. */
export const databaseUser: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  runAsUser: 999,
  runAsGroup: 999,
  fsGroup: 999,
  // Skips the check of each file if the volume already has the group. The check takes minutes on a large volume.
  fsGroupChangePolicy: 'OnRootMismatch',
};

/**
 * Short DNS timeouts. An isolated primary asks the other instances by name whether it can continue. It must step down
 * before its lease of 20 seconds ends. Without DNS, the default timeouts alone take that long.
 */
const impatient: Plain<k8s.PodDnsConfig> = {
  options: [
    { name: 'timeout', value: '1' },
    { name: 'attempts', value: '2' },
  ],
};

/** The Pod of an instance with its own volume. The operator replaces the Pod instead of changing it. */
export function instancePod(
  { name, namespace }: DatabaseIdentity,
  { instance, image, spec, restored }: InstancePod,
): ManifestOf<k8s.KubePodProps> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: instance, namespace, labels: instanceLabels(name, instance) },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        postgresContainer(image, spec),
        ...(spec.backup ? [backupContainer(image, spec.backup.serverResources)] : []),
      ],
      enableServiceLinks: false,
      dnsConfig: impatient,
      hostname: instance,
      restartPolicy: 'Always',
      securityContext: databaseUser,
      serviceAccountName: name,
      subdomain: objectNames(name).members,
      terminationGracePeriodSeconds: secondsToStop,
      topologySpreadConstraints: apart(name, spec.placement),
      volumes: volumes(name, { instance, spec, restored }),
    },
  };
  const labelSelector = { matchLabels: instanceSelector(name) };
  return withPodTemplate(pod, spec.podTemplate, {
    container: postgresContainerName,
    spread: { mode: 'Add', labelSelector },
  });
}

function volumes(
  database: string,
  { instance, spec, restored }: Omit<InstancePod, 'image'>,
): readonly Plain<k8s.Volume>[] {
  return [
    claimVolume(volumeNames.data, instance),
    settingsVolume({ database, spec, restored }),
    ...(spec.backup ? [backupSettingsVolume(database), emptyVolume('backup-tmp')] : []),
    emptyVolume(volumeNames.sockets),
    // In memory, because Patroni writes passwords to it.
    emptyVolume('tmp', { upTo: '64Mi' }),
    // For parallel queries, which need more than the default size for containers.
    emptyVolume('memory', { upTo: '1Gi' }),
    tokenVolume,
  ];
}

const hostname = 'kubernetes.io/hostname';

/** Spreads the instances over zones, and over nodes in a zone. */
function apart(
  database: string,
  { topologyKey, spread }: DatabaseSpec['placement'],
): readonly Plain<k8s.TopologySpreadConstraint>[] {
  return [...new Set([topologyKey, hostname])].map((key) => ({
    maxSkew: 1,
    topologyKey: key,
    whenUnsatisfiable: spread === 'Required' ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector: { matchLabels: instanceSelector(database) },
  }));
}
