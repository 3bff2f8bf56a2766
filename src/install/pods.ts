import { imageIn } from '../workload/image.js';
import type { PodTemplate } from '../workload/pod-template.js';
import { answersChallenges, asksLaunchers, type Installation, operatorPorts } from './installation.js';
import type { OperatorInstallProps, ResourceRequirements, Toleration } from './operator-install-props.js';

/** The image of the operator that the `Dockerfile` of this package builds, in the version of the package. */
export const operatorImage = 'registry.alien6.io/reconstruct/operator:0.1.0';

/** The image of an installation. */
export function installedImage({
  image,
  imageRegistry,
}: Pick<OperatorInstallProps, 'image' | 'imageRegistry'>): string {
  return image ?? imageIn(imageRegistry, operatorImage);
}

/** The Pods of the operator. */
export interface OperatorPods {
  readonly image: string;
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  readonly imagePullSecrets: readonly string[];
  readonly replicas: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly resources: ResourceRequirements;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly priorityClassName: string | undefined;
  readonly affinity: PodTemplate['affinity'];
  /** Beside those of the installation. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly volumes: NonNullable<PodTemplate['volumes']>;
  readonly volumeMounts: NonNullable<PodTemplate['volumeMounts']>;
  /** The Secret that protects the metrics. */
  readonly metricsTlsSecret: string | undefined;
  /** Whether they answer HTTP-01 challenges of ACME servers. */
  readonly answersChallenges: boolean;
  /** Whether they have a token for the launchers of LeaderElections. */
  readonly asksLaunchers: boolean;
}

/** The volume with the token for the launchers of LeaderElections. */
export const launcherToken = 'launcher-token';

/** The volume with the TLS certificate for the metrics. */
export const metricsTls = 'metrics-tls';

/** The mount path of the Secret that protects the metrics. */
export const metricsTlsFolder = '/etc/reconstruct/metrics-tls';

/** The Pods of an installation, with defaults for absent props. */
export function podsOf({ name }: Installation, props: OperatorInstallProps): OperatorPods {
  const watched = watchedNamespaces(props);
  const answers = answersChallenges(props.controllers);
  return {
    image: installedImage(props),
    imagePullPolicy: props.imagePullPolicy,
    imagePullSecrets: props.imagePullSecrets ?? [],
    replicas: props.replicas ?? 2,
    args: [
      '--leader-elect',
      `--lease-name=${name}`,
      `--controllers=${props.controllers.map((controller) => controller.name).join(',')}`,
      ...(watched ? [`--namespaces=${watched.join(',')}`] : []),
      `--metrics-port=${operatorPorts.metrics}`,
      ...(props.metricsTlsSecret === undefined ? [] : ['--metrics-auth', `--metrics-cert-path=${metricsTlsFolder}`]),
      `--health-port=${operatorPorts.health}`,
      ...(answers ? [`--acme-port=${operatorPorts.acme}`] : []),
      ...imageArguments(props),
      `--log-level=${props.logLevel ?? 'info'}`,
      ...(props.args ?? []),
    ],
    env: props.env ?? {},
    resources: props.resources ?? defaultResources,
    nodeSelector: props.nodeSelector ?? {},
    tolerations: props.tolerations ?? [],
    priorityClassName: props.priorityClassName,
    affinity: props.affinity,
    labels: { ...props.labels, ...props.podLabels },
    annotations: { ...props.annotations, ...props.podAnnotations },
    volumes: props.volumes ?? [],
    volumeMounts: props.volumeMounts ?? [],
    metricsTlsSecret: props.metricsTlsSecret,
    answersChallenges: answers,
    asksLaunchers: asksLaunchers(props.controllers),
  };
}

/** A mirror that requires credentials for the operator requires them for all other Pods. */
function imageArguments({ imageRegistry, imagePullSecrets = [] }: OperatorInstallProps): readonly string[] {
  if (imageRegistry === undefined) return [];
  const secrets = imagePullSecrets.length === 0 ? [] : [`--image-pull-secrets=${imagePullSecrets.join(',')}`];
  return [`--image-registry=${imageRegistry}`, ...secrets];
}

/** The watched namespaces, sorted and without duplicates. Undefined for all namespaces. */
export function watchedNamespaces({ watchNamespaces }: OperatorInstallProps): readonly string[] | undefined {
  return watchNamespaces && [...new Set(watchNamespaces)].sort();
}

const defaultResources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } };
