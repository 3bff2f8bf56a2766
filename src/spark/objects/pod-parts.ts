import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../../manifest/plain.js';
import { podSecurityContext } from '../../workload/security-context.js';
import { emptyVolume } from '../../workload/volumes.js';
import { sparkFolders } from '../config/properties.js';
import { sparkAuthKeys, sparkObjectNames } from '../naming/identity.js';

/** The user of the images of Spark. */
const sparkUser = 185;

/** The security context of all Pods. Volumes belong to the group of the user. */
export const sparkPodUser: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  runAsUser: sparkUser,
  runAsGroup: sparkUser,
  fsGroup: sparkUser,
  fsGroupChangePolicy: 'OnRootMismatch',
};

/** The volumes that the driver and the executors have, because their root file system is read-only. */
export const sparkVolumes: readonly Plain<k8s.Volume>[] = [emptyVolume('tmp'), emptyVolume('work-dir')];

/** Where these volumes are mounted. */
export const sparkMounts: readonly Plain<k8s.VolumeMount>[] = [
  { name: 'tmp', mountPath: '/tmp' },
  { name: 'work-dir', mountPath: sparkFolders.work },
];

/** The volume with the secret, as the driver reads it. */
export function sparkAuthVolume(job: string): Plain<k8s.Volume> {
  const items = [{ key: sparkAuthKeys.driver, path: sparkAuthKeys.driver }];
  return { name: 'auth', secret: { secretName: sparkObjectNames(job).auth, items } };
}

/**
 * The secret as executors read it. They need it before they know the properties, so a file does not work. The driver would
 * write it in clear into each executor if it had no files.
 */
export function sparkAuthVariable(job: string): Plain<k8s.EnvVar> {
  const secretKeyRef = { name: sparkObjectNames(job).auth, key: sparkAuthKeys.executor };
  return { name: '_SPARK_AUTH_SECRET', valueFrom: { secretKeyRef } };
}

/** Programs write their caches there. */
export const sparkHome: Plain<k8s.EnvVar> = { name: 'HOME', value: '/tmp' };
