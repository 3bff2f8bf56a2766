import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { ManifestOf, Plain } from '../../plain.js';
import { podPlacement } from '../../workload/placement.js';
import { podSecurityContext } from '../../workload/security-context.js';
import type { BackupSource } from '../config/pgbackrest-config.js';
import { type DatabaseIdentity, instanceLabels, instanceSelector } from '../identity.js';
import { objectNames } from '../object-names.js';
import { backupContainer, postgresContainer } from './containers.js';
import { backupSettingsVolume, claimVolume, emptyVolume, settingsVolume, tokenVolume, volumeNames } from './volumes.js';

/** Seconds that PostgreSQL gets to write all it has to its volume, and hand its place over. */
const secondsToStop = 120;

/** The user of the image. The group is that of the volumes, too. */
export const databaseUser: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  runAsUser: 999,
  runAsGroup: 999,
  fsGroup: 999,
  // A volume that is the group's already is not gone through file by file, which takes minutes of a large one.
  fsGroupChangePolicy: 'OnRootMismatch',
};

/** What a spec says of where pods of a Database run, those of its backups too. */
export type Placing = Pick<DatabaseSpec, 'imagePullSecrets'> & {
  readonly placement?: Pick<DatabaseSpec['placement'], 'nodeSelector' | 'tolerations'>;
};

/** The same, as a pod has it. */
export function placingOf({ imagePullSecrets, placement }: Placing) {
  return podPlacement({ ...placement, ...(imagePullSecrets && { imagePullSecrets }) });
}

/**
 * A primary that is cut off asks the others whether it may go on, by their names. It must give in before its lease of 20
 * seconds is over, and where nobody resolves names the usual patience takes as long by itself.
 */
const impatient: Plain<k8s.PodDnsConfig> = {
  options: [
    { name: 'timeout', value: '1' },
    { name: 'attempts', value: '2' },
  ],
};

/** Which instance runs, and what. */
export interface InstancePod {
  /** The name of the Pod and of its claim, as `orders-2`. */
  readonly instance: string;
  readonly image: string;
  readonly spec: DatabaseSpec;
  /** Whose backups it begins with. */
  readonly restored?: BackupSource | undefined;
}

/** Runs an instance on its own volume. It is replaced, not changed. */
export function instancePod(
  { name, namespace }: DatabaseIdentity,
  { instance, image, spec, restored }: InstancePod,
): ManifestOf<k8s.KubePodProps> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: instance, namespace, labels: instanceLabels(name, instance) },
    spec: {
      automountServiceAccountToken: false,
      containers: [postgresContainer(image, spec), ...(spec.backup ? [backupContainer(image)] : [])],
      enableServiceLinks: false,
      ...placingOf(spec),
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
    // Passwords are written to it, as Patroni wants to have them.
    emptyVolume('tmp', { upTo: '64Mi' }),
    // For parallel queries: what containers have there by themselves is soon full.
    emptyVolume('memory', { upTo: '1Gi' }),
    tokenVolume,
  ];
}

const hostname = 'kubernetes.io/hostname';

/** One instance to a zone, and in a zone one to a node. */
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
