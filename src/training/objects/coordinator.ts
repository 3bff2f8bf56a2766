import type { k8s } from 'cdk8s-plus-27';
import type { TrainingJobSpec } from '../../../imports/index.js';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { withCommonTemplate } from '../../workload/pod-template.js';
import { containerSecurityContext } from '../../workload/security-context.js';
import { emptyVolume } from '../../workload/volumes.js';
import {
  type TrainingIdentity,
  trainingObjectNames,
  trainingPorts,
  trainingRoleLabel,
  trainingSelector,
} from '../naming/identity.js';
import { coordinatorResources } from './coordinator-settings.js';
import { podUser, tokenVariable } from './worker.js';

/** Seconds after which Pods leave a node that is lost. Kubernetes adds 40 s until it takes the node for lost. */
const secondsOnLostNode = 5;

const lostNode = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  ...{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: secondsOnLostNode },
}));

/**
 * The coordinator. It keeps nothing on disk, and training goes on without it, so a Deployment that starts it again is
 * enough. It runs on any node: the devices, the affinity and the tolerations of the workers are not its own.
 */
export function coordinatorDeployment(
  identity: TrainingIdentity,
  spec: TrainingJobSpec,
): ManifestOf<k8s.KubeDeploymentProps> {
  const { name, namespace, labels } = identity;
  const { imagePullSecrets, securityContext } = spec.podTemplate ?? {};
  const pod = {
    metadata: { labels: { ...labels, [trainingRoleLabel]: 'coordinator' } },
    spec: {
      automountServiceAccountToken: false,
      containers: [coordinator(spec, name)],
      enableServiceLinks: false,
      securityContext: podUser,
      serviceAccountName: name,
      terminationGracePeriodSeconds: 5,
      volumes: [emptyVolume('tmp')],
    },
  };
  const { metadata, spec: podSpec } = withCommonTemplate(pod, {
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(securityContext && { securityContext }),
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf({ name, namespace, labels }, trainingObjectNames(name).coordinator),
    spec: {
      replicas: 1,
      // Two stores at one address would separate the ranks.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: trainingSelector(name, 'coordinator') },
      template: { metadata, spec: { ...podSpec, tolerations: lostNode } },
    },
  };
}

function coordinator({ image }: TrainingJobSpec, job: string): Plain<k8s.Container> {
  return {
    name: 'coordinator',
    image,
    command: ['python3', '-m', 'reconstruct_training.coordinator'],
    env: [tokenVariable(job), { name: 'HOME', value: '/tmp' }],
    ports: [
      { name: 'http', containerPort: trainingPorts.coordinator, protocol: 'TCP' },
      { name: 'store', containerPort: trainingPorts.store, protocol: 'TCP' },
    ],
    resources: coordinatorResources(),
    readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 2, timeoutSeconds: 2 },
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
}
