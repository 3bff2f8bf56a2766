import { DNS_SUBDOMAIN } from '../fields/names.js';
import { object, type Rule, string } from '../schema/index.js';
import type { Definition } from '../schema/json.js';
import { named } from '../schema/schema.js';
import { affinity } from './affinity.js';
import { envFrom, envOf } from './environment.js';
import { annotationsWithout, labelsWithout } from './metadata.js';
import type { Reserved } from './reserved.js';
import {
  imagePullSecrets,
  nodeSelector,
  priorityClassName,
  tolerations,
  topologySpreadConstraints,
} from './scheduling.js';
import { securityContext } from './security-context.js';
import { volumeMountsOf, volumesOf } from './volumes.js';

/** What is different about the Pods of a kind. */
export interface PodTemplateOptions {
  /** The Pods that the template concerns, as a description of the field. */
  readonly description: string;
  /** The program of the container that gets `env`, `envFrom` and `volumeMounts`, in a sentence, such as `the server`. */
  readonly container: string;
  /** The names that the kind uses itself. */
  readonly reserved: Reserved;
  /** The spread of the Pods that the kind has by itself, as a sentence. @default none */
  readonly spread?: string;
  /** Further rules of the kind for the template. @default [] */
  readonly rules?: readonly Rule[];
}

interface Mounted {
  readonly volumes?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
}

/** Refuses mounts without a volume. */
export const MOUNTS_HAVE_VOLUMES: Rule = {
  rule: '!has(self.volumeMounts) || self.volumeMounts.all(mount, has(self.volumes) && self.volumes.exists(volume, volume.name == mount.name))',
  message: 'must each name one of volumes; add the volume to podTemplate.volumes, or correct the name',
  fieldPath: '.volumeMounts',
  holds: ({ volumes = [], volumeMounts = [] }: Mounted) =>
    volumeMounts.every(({ name }) => volumes.some((volume) => volume.name === name)),
};

/** The fields of a Pod template. */
function fieldsOf(reserved: Reserved) {
  return {
    labels: labelsWithout(reserved),
    annotations: annotationsWithout(reserved),
    env: envOf(reserved),
    envFrom,
    volumes: volumesOf(reserved),
    volumeMounts: volumeMountsOf(reserved),
    nodeSelector,
    tolerations,
    affinity,
    topologySpreadConstraints,
    priorityClassName,
    serviceAccountName: string('ServiceAccount of the Pods. Defaults to the ServiceAccount that the kind uses.', {
      minLength: 1,
      maxLength: 253,
      pattern: DNS_SUBDOMAIN,
      optional: true,
    }),
    imagePullSecrets,
    securityContext,
  };
}

/** What all Pod templates have in common: the reference describes each field once. */
export const podTemplateDefinition: Definition = {
  name: 'PodTemplate',
  page: { file: 'pod-template.md', title: 'Pod template' },
  json: object('Settings of Pods.', fieldsOf({}), { rules: [MOUNTS_HAVE_VOLUMES] }).json,
};

/**
 * `spec.podTemplate`, which every kind with Pods has. Its fields have the names and the meaning of those of a Pod.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */
export function podTemplate({ description, container, reserved, spread, rules = [] }: PodTemplateOptions) {
  const text = [description, `The main container runs ${container}.`, spread].filter((part) => part).join(' ');
  const options = { optional: true, rules: [MOUNTS_HAVE_VOLUMES, ...rules] } as const;
  return named(podTemplateDefinition, object(text, fieldsOf(reserved), options));
}

/** Refuses a field of the template that a kind sets itself. @param field path below the template, such as `.a.b` */
export function notSet(field: string, why: string): Rule {
  const steps = field.slice(1).split('.');
  const paths = steps.map((_, index) => `self.${steps.slice(0, index + 1).join('.')}`);
  return {
    rule: `!(${paths.map((path) => `has(${path})`).join(' && ')})`,
    message: `must not be set, ${why}`,
    reason: 'FieldValueForbidden',
    fieldPath: field,
    holds: (value: object) => steps.reduce<unknown>(memberOf, value) === undefined,
  };
}

function memberOf(value: unknown, step: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[step];
}
