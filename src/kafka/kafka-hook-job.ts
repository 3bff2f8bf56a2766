import type { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { defaultKafkaHookResources } from '../../crds/index.js';
import type { KafkaClusterSpec } from '../../imports/index.js';
import { fingerprint } from '../manifest/fingerprint.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { ManifestOf, Plain } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { withPodTemplate } from '../workload/pod-template.js';
import { present } from '../workload/present.js';
import { containerResources } from '../workload/resources.js';
import { containerSecurityContext, podSecurityContext } from '../workload/security-context.js';
import { emptyVolume } from '../workload/volumes.js';
import { type KafkaClusterRef, kafkaHookLabel, kafkaIdentity } from './naming/identity.js';

/** The Job of a hook, as in `spec.hooks`. */
export type KafkaHookJobSpec = NonNullable<NonNullable<NonNullable<KafkaClusterSpec['hooks']>['preRestart']>['job']>;

/** What a hook learns about the restart of a broker. */
export interface HookedRestart {
  /** Identifies the hook of this restart. */
  readonly id: string;
  readonly hook: 'preRestart' | 'postRestart';
  /** ID of the broker. */
  readonly broker: number;
  /** The name of the Pod. */
  readonly pod: string;
  /** Partitions that have no leader during the restart, at most five. */
  readonly interrupted: readonly string[];
  readonly interruptedPartitions: number;
}

/** Props of a {@link KafkaHookJob}. */
export interface KafkaHookJobProps extends KafkaClusterRef {
  readonly job: KafkaHookJobSpec;
  readonly restart: HookedRestart;
}

/** The name of the container. */
const container = 'hook';

/**
 * The name of the Job of a hook. It is the same for the same restart and the same spec, so that a Job is never created twice.
 * A corrected spec has another Job.
 */
export function kafkaHookJobName(cluster: string, id: string, job: KafkaHookJobSpec): string {
  return `${cluster}-hook-${fingerprint([id, job])}`;
}

/**
 * The Job of a hook before or after the restart of a broker. Create it only once, because the Pod template of a Job is
 * immutable. It has no time to live: the operator reads its result first.
 */
export class KafkaHookJob extends Construct {
  readonly job: ApiObject;

  constructor(scope: Construct, id: string, { job, restart, ...cluster }: KafkaHookJobProps) {
    super(scope, id);
    const identity = kafkaIdentity(this, cluster);
    const name = kafkaHookJobName(cluster.name, restart.id, job);
    const manifest: ManifestOf<k8s.KubeJobProps> = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: metadataOf(identity, name),
      spec: { backoffLimit: job.backoffLimit, template: hookPod(identity, job, restart) },
    };
    this.job = new KubeObject(this, 'job', manifest);
  }
}

/** The Pods do not have the label of the nodes, or the Services, policies and budgets of the cluster would select them. */
function hookPod(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  job: KafkaHookJobSpec,
  restart: HookedRestart,
) {
  const labels = {
    'app.kubernetes.io/name': 'kafka-hook',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'reconstruct',
    [kafkaHookLabel]: name,
  };
  const pod = {
    metadata: { labels },
    spec: {
      // A program gets rights only if a person gives it an account.
      automountServiceAccountToken: job.podTemplate?.serviceAccountName !== undefined,
      containers: [hookContainer(job, { ...restart, name, namespace })],
      enableServiceLinks: false,
      // A failed Pod keeps its log.
      restartPolicy: 'Never',
      securityContext: podSecurityContext,
      volumes: [emptyVolume('tmp')],
    },
  };
  return withPodTemplate(pod, job.podTemplate, { container, spread: { mode: 'Add' } });
}

function hookContainer(
  { image, command, resources }: KafkaHookJobSpec,
  restart: HookedRestart & { readonly name: string; readonly namespace: string },
): Plain<k8s.Container> {
  return {
    name: container,
    image,
    command: present(command),
    env: environment(restart),
    resources: containerResources(resources, defaultKafkaHookResources),
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
}

/** The fields of the document that a server gets, as variables. */
function environment({
  name,
  namespace,
  ...restart
}: HookedRestart & { readonly name: string; readonly namespace: string }): readonly Plain<k8s.EnvVar>[] {
  const { id, hook, broker, pod, interrupted, interruptedPartitions } = restart;
  const values = {
    HOOK_ID: id,
    HOOK_NAME: hook,
    HOOK_NAMESPACE: namespace,
    HOOK_CLUSTER: name,
    HOOK_BROKER: String(broker),
    HOOK_POD: pod,
    HOOK_INTERRUPTED: interrupted.join(','),
    HOOK_INTERRUPTED_PARTITIONS: String(interruptedPartitions),
  };
  // The API server does not store an empty value.
  return Object.entries(values).map(([variable, value]) => ({ name: variable, ...(value !== '' && { value }) }));
}
