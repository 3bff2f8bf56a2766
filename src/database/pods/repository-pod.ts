import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../../manifest/plain.js';
import { withCommonTemplate } from '../../workload/pod-template.js';
import { claimVolume, emptyVolume } from '../../workload/volumes.js';
import { type DatabaseIdentity, repositoryLabel } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';
import { places } from '../naming/places.js';
import { pgbackrestServer } from './containers.js';
import type { Templated } from './instance.js';
import { databaseUser } from './pod.js';
import { backupSettingsVolume, settingsMount, volumeNames } from './volumes.js';

/** The settings of a Pod that serves an archive. */
interface Served {
  /** The name of the Pod. */
  readonly pod: string;
  /** The PersistentVolumeClaim of the archive. */
  readonly claim: string;
  /** Whether the archive is mounted read-only. */
  readonly isReadOnly: boolean;
  readonly spec: Templated;
  /** The ConfigMap and the key of its `pgbackrest.conf`. */
  readonly settings: { readonly config: string; readonly key: string };
}

/**
 * The Pod that stores the archive of the instances and serves it to them. It has no ServiceAccount token and no
 * password, and takes no part in a failover.
 */
export function repositoryPod(
  identity: DatabaseIdentity,
  image: string,
  spec: Templated,
): ManifestOf<k8s.KubePodProps> {
  const { repository } = objectNames(identity.name);
  const settings = { config: repository, key: 'pgbackrest.conf' };
  const labels = { ...identity.labels, [repositoryLabel]: identity.name };
  return servingPod({ ...identity, labels }, image, {
    pod: repository,
    claim: repository,
    isReadOnly: false,
    spec,
    settings,
  });
}

/**
 * The Pod that serves a Database the archive of a deleted one, with its own certificate.
 * @param claim PersistentVolumeClaim of the archive
 */
export function archivePod(
  identity: DatabaseIdentity,
  image: string,
  { claim, spec }: { readonly claim: string; readonly spec: Templated },
): ManifestOf<k8s.KubePodProps> {
  const { archive, settings } = objectNames(identity.name);
  return servingPod(identity, image, {
    ...{ pod: archive, claim, isReadOnly: true, spec },
    settings: { config: settings, key: archiveKey },
  });
}

/** The key of the `pgbackrest.conf` for the Pod of an archive, in the settings of its Database. */
export const archiveKey = 'archive.conf';

function servingPod(
  { name, namespace, labels }: DatabaseIdentity,
  image: string,
  { pod, claim, isReadOnly, spec, settings }: Served,
): ManifestOf<k8s.KubePodProps> {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod, namespace, labels },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          ...pgbackrestServer(image, spec.backup?.serverResources),
          readinessProbe: { tcpSocket: { port: 'pgbackrest' }, periodSeconds: 3 },
          volumeMounts: [
            { name: volumeNames.repository, mountPath: places.repository, ...(isReadOnly && { readOnly: true }) },
            settingsMount(volumeNames.backupSettings),
            { name: 'tmp', mountPath: '/tmp' },
          ],
        },
      ],
      enableServiceLinks: false,
      hostname: pod,
      restartPolicy: 'Always',
      securityContext: databaseUser,
      subdomain: objectNames(name).members,
      volumes: [claimVolume(volumeNames.repository, claim), backupSettingsVolume(name, settings), emptyVolume('tmp')],
    },
  };
  return withCommonTemplate(manifest, spec.podTemplate);
}
