import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../../plain.js';
import { type DatabaseIdentity, repositoryLabel } from '../identity.js';
import { objectNames } from '../object-names.js';
import { places } from '../places.js';
import { pgbackrestServer } from './containers.js';
import { databaseUser, type Placing, placingOf } from './pod.js';
import { backupSettingsVolume, claimVolume, emptyVolume, settingsMount, volumeNames } from './volumes.js';

/** What a Pod serves, and as whom. */
interface Served {
  /** The Pod's name. */
  readonly pod: string;
  /** The claim of the archive. */
  readonly claim: string;
  /** It is looked at, and not written to. */
  readonly isReadOnly: boolean;
  readonly placing: Placing;
  /** Where its `pgbackrest.conf` is. */
  readonly settings: { readonly config: string; readonly key: string };
}

/** Takes the archive of the instances, and serves it to them. It has no account, no password and no part in a failover. */
export function repositoryPod(
  identity: DatabaseIdentity,
  image: string,
  placing: Placing,
): ManifestOf<k8s.KubePodProps> {
  const { repository } = objectNames(identity.name);
  const settings = { config: repository, key: 'pgbackrest.conf' };
  const labels = { ...identity.labels, [repositoryLabel]: identity.name };
  return servingPod({ ...identity, labels }, image, {
    pod: repository,
    claim: repository,
    isReadOnly: false,
    placing,
    settings,
  });
}

/** Serves a Database the archive of one that is gone, by its own certificate. @param claim that of the archive */
export function archivePod(
  identity: DatabaseIdentity,
  image: string,
  { claim, placing }: { readonly claim: string; readonly placing: Placing },
): ManifestOf<k8s.KubePodProps> {
  const { archive, settings } = objectNames(identity.name);
  return servingPod(identity, image, {
    ...{ pod: archive, claim, isReadOnly: true, placing },
    settings: { config: settings, key: archiveKey },
  });
}

/** The key of `pgbackrest.conf` of the Pod of an archive, in the settings of its Database. */
export const archiveKey = 'archive.conf';

function servingPod(
  { name, namespace, labels }: DatabaseIdentity,
  image: string,
  { pod, claim, isReadOnly, placing, settings }: Served,
): ManifestOf<k8s.KubePodProps> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod, namespace, labels },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          ...pgbackrestServer(image),
          readinessProbe: { tcpSocket: { port: 'pgbackrest' }, periodSeconds: 3 },
          volumeMounts: [
            { name: volumeNames.repository, mountPath: places.repository, ...(isReadOnly && { readOnly: true }) },
            settingsMount(volumeNames.backupSettings),
            { name: 'tmp', mountPath: '/tmp' },
          ],
        },
      ],
      enableServiceLinks: false,
      ...placingOf(placing),
      hostname: pod,
      restartPolicy: 'Always',
      securityContext: databaseUser,
      subdomain: objectNames(name).members,
      volumes: [claimVolume(volumeNames.repository, claim), backupSettingsVolume(name, settings), emptyVolume('tmp')],
    },
  };
}
