import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../imports/index.js';
import type { Plain } from '../manifest/plain.js';
import { podVolume } from './pod-volume.js';
import { present } from './present.js';

/** `spec.podTemplate`, which has the same schema in every kind. */
export type PodTemplate = NonNullable<DatabaseSpec['podTemplate']>;

type Pod = Plain<k8s.PodSpec>;
type EnvVar = Plain<k8s.EnvVar>;
type Toleration = Plain<k8s.Toleration>;
type SpreadConstraint = Plain<k8s.TopologySpreadConstraint>;
type Labels = Readonly<Record<string, string>>;

/** A Pod, or the template of one, before {@link withPodTemplate}. */
export interface TemplatedPod {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels | undefined };
  readonly spec: Pod;
}

/** The Pods of a kind that a template concerns. */
export interface TemplateUse {
  /** The container that gets `env`, `envFrom` and `volumeMounts`. */
  readonly container: string;
  /**
   * What the constraints of `topologySpreadConstraints` count unless they say so. They replace those of the Pod if
   * `spread` is `Replace`.
   */
  readonly spread: { readonly mode: 'Replace' | 'Add' } & Pick<SpreadConstraint, 'labelSelector' | 'matchLabelKeys'>;
}

/**
 * A Pod with all settings of a template. What the Pod sets itself stays: the schema refuses a template that has another
 * value for it.
 */
export function withPodTemplate<P extends TemplatedPod>(
  pod: P,
  template: PodTemplate | undefined,
  { container, spread }: TemplateUse,
): P {
  if (!template) return pod;
  const common = withCommonTemplate(pod, template);
  const { spec } = common;
  return {
    ...common,
    spec: {
      ...spec,
      affinity: present({ ...spec.affinity, ...template.affinity }),
      containers: spec.containers.map((one) => (one.name === container ? withEnvironment(one, template) : one)),
      topologySpreadConstraints: spreadOf(spec, template, spread),
      volumes: present([...(spec.volumes ?? []), ...(template.volumes ?? []).map(podVolume)]),
    },
  };
}

/**
 * A Pod with the settings of a template that concern every Pod of a resource: metadata, nodes, priority, pull secrets
 * and the security context.
 */
export function withCommonTemplate<P extends TemplatedPod>(pod: P, template: PodTemplate | undefined): P {
  if (!template) return pod;
  const { metadata, spec } = pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      labels: { ...template.labels, ...metadata.labels },
      annotations: present({ ...template.annotations, ...metadata.annotations }),
    },
    spec: {
      ...spec,
      affinity: mergedAffinity(template.affinity, spec.affinity),
      imagePullSecrets: present(template.imagePullSecrets),
      nodeSelector: present(template.nodeSelector),
      priorityClassName: template.priorityClassName,
      securityContext: { ...spec.securityContext, ...template.securityContext },
      serviceAccountName: template.serviceAccountName ?? spec.serviceAccountName,
      tolerations: present(template.tolerations?.map(withoutEmptyValue)),
    },
  };
}

/** The constraints of the Pod and of the template, which count the Pods of the kind unless they select others. */
function spreadOf(
  { topologySpreadConstraints: own = [] }: Pod,
  { topologySpreadConstraints: stated = [] }: PodTemplate,
  { mode, labelSelector, matchLabelKeys }: TemplateUse['spread'],
): readonly SpreadConstraint[] | undefined {
  const constraints = stated.map((one) => (one.labelSelector ? one : { labelSelector, matchLabelKeys, ...one }));
  return present(mode === 'Replace' && constraints.length > 0 ? constraints : [...own, ...constraints]);
}

/** The nodes of the template, and the Pods that a Pod must be near to by itself. */
function mergedAffinity({ nodeAffinity }: NonNullable<PodTemplate['affinity']> = {}, own: Pod['affinity']) {
  return present({ ...own, ...(nodeAffinity && { nodeAffinity }) });
}

function withEnvironment(container: Plain<k8s.Container>, template: PodTemplate): Plain<k8s.Container> {
  const mounts = (template.volumeMounts ?? []).map(({ readOnly, ...mount }) => ({
    ...mount,
    ...(readOnly && { readOnly }),
  }));
  return {
    ...container,
    env: present([...(container.env ?? []), ...(template.env ?? []).map((one: EnvVar) => withoutEmptyValue(one))]),
    envFrom: present(template.envFrom),
    volumeMounts: present([...(container.volumeMounts ?? []), ...mounts]),
  };
}

/** Removes an empty value, which the API server does not store. */
function withoutEmptyValue<T extends EnvVar | Toleration>({ value, ...rest }: T): T {
  return (value === '' || value === undefined ? rest : { ...rest, value }) as T;
}
