import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { pgbackrestServer } from './containers.js';
import type { DatabaseIdentity } from './identity.js';
import { objectNames } from './object-names.js';
import { places } from './places.js';
import { databaseUser } from './pod.js';
import { backupSettingsVolume, claimVolume, emptyVolume, settingsMount, volumeNames } from './volumes.js';

/** Takes the archive of the instances, and serves it to them. It has no account, no password and no part in a failover. */
export function repositoryPod(
  { name, namespace, labels }: DatabaseIdentity,
  image: string,
): ManifestOf<k8s.KubePodProps> {
  const { repository, members } = objectNames(name);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: repository, namespace, labels },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          ...pgbackrestServer(image),
          readinessProbe: { tcpSocket: { port: 'pgbackrest' }, periodSeconds: 3 },
          volumeMounts: [
            { name: volumeNames.repository, mountPath: places.repository },
            settingsMount(volumeNames.backupSettings),
            { name: 'tmp', mountPath: '/tmp' },
          ],
        },
      ],
      enableServiceLinks: false,
      hostname: repository,
      restartPolicy: 'Always',
      securityContext: databaseUser,
      subdomain: members,
      volumes: [
        claimVolume(volumeNames.repository, repository),
        backupSettingsVolume(name, repository),
        emptyVolume('tmp'),
      ],
    },
  };
}
