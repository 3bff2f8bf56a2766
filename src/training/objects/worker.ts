import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { canonicalQuantity } from '../../manifest/quantity.js';
import { withPodTemplate } from '../../workload/pod-template.js';
import { containerSecurityContext, podSecurityContext } from '../../workload/security-context.js';
import { claimVolume, emptyVolume } from '../../workload/volumes.js';
import {
  trainingContainer,
  trainingCoordinatorHost,
  trainingLabels,
  trainingObjectNames,
  trainingPodName,
  trainingPorts,
  trainingRoleLabel,
  trainingSelector,
  trainingTokenKey,
} from '../naming/identity.js';
import { placed } from './placement.js';
import { gangGate, type WorkerPod, workerResources } from './worker-settings.js';

/** The folder of the checkpoints in a worker that mounts their volume. */
const folder = '/var/lib/reconstruct/checkpoints';

/** The group that the files of the volume get. The user is that of the image. */
export const podUser: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  fsGroup: 65532,
  fsGroupChangePolicy: 'OnRootMismatch',
};

/** Seconds of a process to leave its generation are 20. The launcher needs some more. */
const secondsToStop = 30;

/** The Pod of a worker. The operator replaces the Pod instead of changing it, except that it removes the gate. */
export function workerPod(settings: WorkerPod): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, spec, worker, gated = false } = settings;
  const labels = { ...trainingLabels(name), [trainingRoleLabel]: 'worker' };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: trainingPodName(name, worker), namespace, labels },
    spec: {
      automountServiceAccountToken: false,
      containers: [trainer(settings)],
      enableServiceLinks: false,
      hostname: `${name}-${worker.index}`,
      restartPolicy: 'Never',
      securityContext: podUser,
      serviceAccountName: name,
      subdomain: trainingObjectNames(name).workers,
      terminationGracePeriodSeconds: secondsToStop,
      ...(gated && { schedulingGates: [{ name: gangGate }] }),
      volumes: [
        emptyVolume('shm', { upTo: canonicalQuantity(spec.sharedMemory) }),
        emptyVolume('tmp'),
        ...(mountsVolume(settings) ? [claimVolume('checkpoints', claimName(settings))] : []),
      ],
    },
  };
  const labelSelector = { matchLabels: trainingSelector(name, 'worker') };
  return placed(
    withPodTemplate(pod, spec.podTemplate, { container: trainingContainer, spread: { mode: 'Add', labelSelector } }),
    settings,
  );
}

function mountsVolume({ spec, worker, sharesVolume = false }: WorkerPod): boolean {
  return spec.checkpoint !== undefined && (sharesVolume || worker.index === 0);
}

function claimName({ name, spec }: WorkerPod): string {
  return spec.checkpoint?.claimName ?? trainingObjectNames(name).checkpoints;
}

function trainer(settings: WorkerPod): Plain<k8s.Container> {
  const { spec } = settings;
  const inPlace = spec.recovery === 'InPlace';
  return {
    name: trainingContainer,
    image: spec.image,
    command: inPlace ? ['python3', '-m', 'reconstruct_training.launcher', ...spec.command] : spec.command,
    env: [
      { name: 'HOME', value: '/tmp' },
      ...(inPlace ? moduleVariables(settings) : torchVariables(settings)),
      ...checkpointVariables(settings),
    ],
    ...(!inPlace && { ports: [{ name: 'master', containerPort: trainingPorts.master, protocol: 'TCP' }] }),
    resources: workerResources(spec) as Plain<k8s.ResourceRequirements>,
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      { name: 'tmp', mountPath: '/tmp' },
      ...(mountsVolume(settings) ? [{ name: 'checkpoints', mountPath: folder }] : []),
    ],
  };
}

/** The variable with the token of the coordinator. */
export function tokenVariable(job: string): Plain<k8s.EnvVar> {
  const secretKeyRef = { name: trainingObjectNames(job).token, key: trainingTokenKey };
  return { name: 'RECONSTRUCT_TOKEN', valueFrom: { secretKeyRef } };
}

/** What the module `reconstruct_training` reads. It sets RANK and WORLD_SIZE itself, because they change. */
function moduleVariables({ name, namespace, uid, spec }: WorkerPod): readonly Plain<k8s.EnvVar>[] {
  const field = (variable: string, fieldPath: string) => ({ name: variable, valueFrom: { fieldRef: { fieldPath } } });
  const coordinator = `${trainingCoordinatorHost({ name, namespace })}:${trainingPorts.coordinator}`;
  return [
    { name: 'RECONSTRUCT_COORDINATOR', value: coordinator },
    tokenVariable(name),
    { name: 'RECONSTRUCT_JOB', value: uid },
    field('RECONSTRUCT_WORKER', 'metadata.name'),
    field('RECONSTRUCT_UID', 'metadata.uid'),
    { name: 'RECONSTRUCT_PROCESSES', value: String(spec.processesPerWorker) },
  ];
}

/**
 * What PyTorch reads with the method `env://`, and torchrun, which takes its options from PET_ variables.
 * @see https://docs.pytorch.org/docs/stable/elastic/run.html
 */
function torchVariables({ name, namespace, spec, worker }: WorkerPod): readonly Plain<k8s.EnvVar>[] {
  const master = `${name}-0.${trainingObjectNames(name).workers}.${namespace}.svc`;
  const { workers, processesPerWorker } = spec;
  const own = { RANK: worker.index, LOCAL_RANK: 0, WORLD_SIZE: workers };
  const values = {
    MASTER_ADDR: master,
    MASTER_PORT: trainingPorts.master,
    NODE_RANK: worker.index,
    // With several processes, the program starts them, and each has a rank of its own.
    ...(processesPerWorker === 1 && own),
    PET_NNODES: workers,
    PET_NPROC_PER_NODE: processesPerWorker,
    PET_NODE_RANK: worker.index,
    PET_MASTER_ADDR: master,
    PET_MASTER_PORT: trainingPorts.master,
  };
  return Object.entries(values).map(([variable, value]) => ({ name: variable, value: String(value) }));
}

function checkpointVariables(settings: WorkerPod): readonly Plain<k8s.EnvVar>[] {
  const { checkpoint } = settings.spec;
  if (!checkpoint) return [];
  return [
    ...(mountsVolume(settings) ? [{ name: 'RECONSTRUCT_CHECKPOINTS', value: folder }] : []),
    { name: 'RECONSTRUCT_EVERY', value: String(checkpoint.every) },
    { name: 'RECONSTRUCT_KEEP', value: String(checkpoint.keep) },
  ];
}
