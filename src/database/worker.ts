import type { k8s } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import { childName } from '../names.js';
import type { ManifestOf, Plain } from '../plain.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { patroniLabels } from './config/patroni-config.js';
import { repositoryLabel } from './identity.js';
import { objectNames } from './object-names.js';
import { places } from './places.js';
import { databaseUser, type Placing, placingOf } from './pods/pod.js';
import { claimVolume } from './pods/volumes.js';

/**
 * What is done to a backup: it is made, restored to see whether it is good, or taken out of the archive. The last one of a
 * Database is closed: what its primary wrote since then is brought into the archive, too.
 */
export type WorkerTask = 'make' | 'verify' | 'expire' | 'close';

/** Props of a {@link DatabaseWorker}. */
export interface DatabaseWorkerProps {
  /** The Pod's name. */
  readonly name: string;
  readonly namespace: string;
  /** The Database's name. */
  readonly database: string;
  /** The DatabaseBackup that it is about. */
  readonly backup: string;
  readonly spec: Placing & Pick<DatabaseSpec, 'storage' | 'backup'>;
  readonly image: string;
  readonly task: WorkerTask;
  /** Of what is made. @default 'Full' */
  readonly type?: 'Full' | 'Differential' | 'Incremental';
  /** pgBackRest's name of what is verified or expired. */
  readonly label?: string | undefined;
  /** The instance by whose volume it is closed. */
  readonly instance?: string | undefined;
}

/** The label of a worker's Pod with the DatabaseBackup that it is about. */
export const workerLabel = 'reconstruct.dev/backup';

/** The only container, whose termination message says what came of it. */
export const workerContainer = 'worker';

/** A Pod that does one thing to one backup, and says as JSON in its termination message what came of it. */
export class DatabaseWorker extends KubeObject {
  constructor(scope: Construct, id: string, props: DatabaseWorkerProps) {
    super(scope, id, workerPod(props));
  }
}

/** Whose the Pod is, with a UID: by that a backup is known again which was made and of which nobody heard. */
const ownerPath = "metadata.annotations['reconstruct.dev/controlled-by']";

function workerPod(props: DatabaseWorkerProps): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, database, backup, image } = props;
  const volumes = volumesOf(props);
  return {
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
      ...placingOf(props.spec),
      ...(writesToVolume(props) && { affinity: besideRepository(database) }),
      // Its host name is in the certificate, as that of an instance is.
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
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
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
}

function argumentsOf({ task, database, backup, type = 'Full', label }: DatabaseWorkerProps): readonly string[] {
  const of = [task, `--stanza=${database}`];
  if (task === 'close') return of;
  if (task !== 'make') return [...of, `--label=${label ?? ''}`];
  const short = { Full: 'full', Differential: 'diff', Incremental: 'incr' }[type];
  return [...of, `--name=${backup}`, `--type=${short}`];
}

/** Others reach it over the network, as instances do. */
function writesToVolume({ task, spec }: DatabaseWorkerProps): boolean {
  return spec.backup?.target.volume !== undefined && (task === 'make' || task === 'expire');
}

/**
 * The volume is for one node at a time, and the repository's Pod has it. Of a volume that is bound to its node the scheduler
 * knows that; one of the network would not be attached to another node, and the worker never begin.
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

/** What it takes to reach the archive: as the repository's host, as one that restores, or as an instance. */
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

/** Room for what is restored, which goes with the Pod. */
function restored({ storage }: DatabaseWorkerProps['spec']): Mounted {
  const { size, storageClassName } = storage;
  const claim: Plain<k8s.PersistentVolumeClaimSpec> = {
    accessModes: ['ReadWriteOnce'],
    ...(storageClassName !== undefined && { storageClassName }),
    resources: { requests: { storage: size } },
  };
  return { name: 'restored', mountPath: places.volume, ephemeral: { volumeClaimTemplate: { spec: claim } } };
}
