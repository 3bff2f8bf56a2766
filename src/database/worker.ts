import type { k8s } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { defaultBackupResources } from '../../crds/index.js';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { childName } from '../manifest/names.js';
import type { ManifestOf, Plain } from '../manifest/plain.js';
import { withCommonTemplate } from '../workload/pod-template.js';
import { containerResources } from '../workload/resources.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { claimVolume } from '../workload/volumes.js';
import { patroniLabels, repositoryLabel } from './naming/identity.js';
import { objectNames } from './naming/object-names.js';
import { places } from './naming/places.js';
import type { Templated } from './pods/instance.js';
import { databaseUser } from './pods/pod.js';

/**
 * The task of a worker: create a backup, verify it by a restore, or remove it from the archive. `close` finishes the
 * last backup of a Database: it archives all data that the primary has written since.
 */
export type WorkerTask = 'make' | 'verify' | 'expire' | 'close';

/** Props of a {@link DatabaseWorker}. */
export interface DatabaseWorkerProps {
  /** The name of the Pod. */
  readonly name: string;
  readonly namespace: string;
  /** The name of the Database. */
  readonly database: string;
  /** The name of the DatabaseBackup. */
  readonly backup: string;
  readonly spec: Templated & Pick<DatabaseSpec, 'storage'>;
  readonly image: string;
  readonly task: WorkerTask;
  /** The type of the backup to create. @default 'Full' */
  readonly type?: 'Full' | 'Differential' | 'Incremental';
  /** The pgBackRest label of the backup to verify or to expire. */
  readonly label?: string | undefined;
  /** The instance whose volume is used to close the backup. */
  readonly instance?: string | undefined;
}

/** The label of the Pod of a worker with the name of its DatabaseBackup. */
export const workerLabel = 'reconstruct.dev/backup';

/** The only container. Its termination message reports the result. */
export const workerContainer = 'worker';

/** A Pod that runs one task for one backup, and reports the result as JSON in its termination message. */
export class DatabaseWorker extends KubeObject {
  constructor(scope: Construct, id: string, props: DatabaseWorkerProps) {
    super(scope, id, workerPod(props));
  }
}

/** The owner of the Pod with its UID. It identifies a backup whose result was lost. */
const ownerPath = "metadata.annotations['reconstruct.dev/controlled-by']";

function workerPod(props: DatabaseWorkerProps): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, database, backup, image } = props;
  const volumes = volumesOf(props);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: {
        ...patroniLabels(database),
        [workerLabel]: childName(backup),
      },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(writesToVolume(props) && { affinity: besideRepository(database) }),
      // The certificate contains this host name, like that of an instance.
      hostname: name,
      subdomain: objectNames(database).members,
      securityContext: databaseUser,
      containers: [
        {
          name: workerContainer,
          image,
          command: ['reconstruct-worker', ...argumentsOf(props)],
          env: [{ name: 'OWNER', valueFrom: { fieldRef: { fieldPath: ownerPath } } }],
          securityContext: containerSecurityContext,
          resources: containerResources(props.spec.backup?.resources, defaultBackupResources),
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: volumes.map(({ mountPath, readOnly, name: volume }) => ({
            name: volume,
            mountPath,
            ...(readOnly && { readOnly }),
          })),
        },
      ],
      volumes: volumes.map(({ mountPath: _, readOnly: __, ...volume }) => volume),
    },
  };
  return withCommonTemplate(pod, props.spec.podTemplate);
}

function argumentsOf({ task, database, backup, type = 'Full', label }: DatabaseWorkerProps): readonly string[] {
  const of = [task, `--stanza=${database}`];
  if (task === 'close') return of;
  if (task !== 'make') return [...of, `--label=${label ?? ''}`];
  const short = { Full: 'full', Differential: 'diff', Incremental: 'incr' }[type];
  return [...of, `--name=${backup}`, `--type=${short}`];
}

/** Whether the worker writes to the volume. Others use the repository over the network, like instances. */
function writesToVolume({ task, spec }: DatabaseWorkerProps): boolean {
  return spec.backup?.target.volume !== undefined && (task === 'make' || task === 'expire');
}

/**
 * Schedules the worker to the node of the repository Pod, because a volume can be attached to only one node at a time.
 * The scheduler knows the node of a local volume. A network volume would not attach to another node, and the worker
 * would not start.
 */
function besideRepository(database: string): Plain<k8s.Affinity> {
  const labelSelector = { matchLabels: { [repositoryLabel]: database } };
  const beside = [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }];
  return { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: beside } };
}

interface Mounted extends Plain<k8s.Volume> {
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

function volumesOf(props: DatabaseWorkerProps): readonly Mounted[] {
  const { task, database, spec, instance } = props;
  return [
    settings(props),
    { name: 'tmp', emptyDir: {}, mountPath: '/tmp' },
    { name: 'sockets', emptyDir: {}, mountPath: places.sockets },
    ...(writesToVolume(props)
      ? [
          {
            name: 'repository',
            persistentVolumeClaim: { claimName: objectNames(database).repository },
            mountPath: places.repository,
          },
        ]
      : []),
    ...(task === 'verify' ? [restored(spec)] : []),
    ...(instance === undefined ? [] : [{ ...claimVolume('data', instance), mountPath: places.volume }]),
  ];
}

/** The settings for the archive: those of the repository, of a restore, or of an instance. */
function settings({ task, database, spec }: DatabaseWorkerProps): Mounted {
  const folder = task === 'verify' ? 'restore/' : '';
  const key = task === 'verify' ? 'restore.conf' : 'pgbackrest.conf';
  const { repository, settings: ofInstances } = objectNames(database);
  const config = task === 'close' ? ofInstances : repository;
  const at = (file: string) => ({ key: file, path: `${folder}tls/${file}` });
  const bucket = spec.backup?.target.s3?.secretRef.name;
  const keys = ['accessKeyId', 'secretAccessKey'].map((file) => ({ key: file, path: `${folder}s3/${file}` }));
  return {
    name: 'settings',
    mountPath: places.settings,
    readOnly: true,
    projected: {
      defaultMode: 0o440,
      sources: [
        { configMap: { name: config, items: [{ key, path: `${folder}pgbackrest.conf` }] } },
        { secret: { name: objectNames(database).certificate, items: ['tls.crt', 'tls.key', 'ca.crt'].map(at) } },
        ...(bucket === undefined ? [] : [{ secret: { name: bucket, items: keys } }]),
        ...(bucket === undefined
          ? []
          : [{ secret: { name: bucket, optional: true, items: [{ key: 'ca.crt', path: `${folder}s3/ca.crt` }] } }]),
      ],
    },
  };
}

/** A volume for the restored data. It is deleted with the Pod. */
function restored({ storage }: DatabaseWorkerProps['spec']): Mounted {
  const { size, storageClassName } = storage;
  const claim: Plain<k8s.PersistentVolumeClaimSpec> = {
    accessModes: ['ReadWriteOnce'],
    ...(storageClassName !== undefined && { storageClassName }),
    resources: { requests: { storage: size } },
  };
  return { name: 'restored', mountPath: places.volume, ephemeral: { volumeClaimTemplate: { spec: claim } } };
}
