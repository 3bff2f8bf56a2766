import type { k8s } from 'cdk8s-plus-27';
import { defaultBackupServerResources, defaultPostgresResources } from '../../../crds/index.js';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { Plain } from '../../manifest/plain.js';
import { containerResources, type StatedResources } from '../../workload/resources.js';
import { containerSecurityContext } from '../../workload/security-context.js';
import { databasePorts, places } from '../naming/places.js';
import { settingsMount, tokenMount, volumeNames } from './volumes.js';

type Container = Plain<k8s.Container>;

const mount = (name: string, mountPath: string): Plain<k8s.VolumeMount> => ({ name, mountPath });
const port = (name: keyof typeof databasePorts): Plain<k8s.ContainerPort> => ({
  name,
  containerPort: databasePorts[name],
  protocol: 'TCP',
});

/** The mounts that both containers of an instance share. */
const shared = [mount(volumeNames.data, places.volume), mount(volumeNames.sockets, places.sockets)];

/** The name of the container of PostgreSQL. */
export const postgresContainerName = 'postgres';

/** PostgreSQL, and Patroni, which runs it. */
export function postgresContainer(image: string, spec: DatabaseSpec): Container {
  return {
    name: postgresContainerName,
    image,
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
    ports: [port('postgresql'), port('patroni')],
    resources: containerResources(spec.resources, defaultPostgresResources),
    readinessProbe: { ...asked('/readiness'), periodSeconds: 3, timeoutSeconds: 3, failureThreshold: 3 },
    // Fails if the loop of Patroni is stuck. It passes while PostgreSQL is down, because Patroni restarts PostgreSQL.
    livenessProbe: {
      ...asked('/liveness'),
      initialDelaySeconds: 10,
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    },
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      ...shared,
      settingsMount(volumeNames.settings),
      mount('tmp', '/tmp'),
      mount('memory', '/dev/shm'),
      tokenMount,
    ],
  };
}

/** Serves the data of this instance to the repository, for a backup. */
export function backupContainer(image: string, resources: StatedResources | undefined): Container {
  return {
    ...pgbackrestServer(image, resources),
    volumeMounts: [...shared, settingsMount(volumeNames.backupSettings), mount('backup-tmp', '/tmp')],
  };
}

/** pgBackRest as a server for clients with a certificate of the Database. */
export function pgbackrestServer(image: string, resources: StatedResources | undefined): Container {
  return {
    name: 'pgbackrest',
    image,
    command: ['pgbackrest', 'server'],
    ports: [port('pgbackrest')],
    resources: containerResources(resources, defaultBackupServerResources),
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/** Uses HTTPS without a client certificate: kubelets have none, and do not verify the server. */
function asked(path: string): Plain<k8s.Probe> {
  return { httpGet: { path, port: 'patroni', scheme: 'HTTPS' } };
}
