import { DNS_SUBDOMAIN } from '../fields/names.js';
import { object, string } from '../schema/index.js';
import { named } from '../schema/schema.js';
import { envOf } from './environment.js';
import { annotationsWithout, labelsWithout } from './metadata.js';
import { MOUNTS_HAVE_VOLUMES, type PodTemplateOptions, podTemplateDefinition } from './pod-template.js';
import { imagePullSecrets } from './scheduling.js';
import { securityContext } from './security-context.js';
import { jobVolumesOf, volumeMountsOf } from './volumes.js';

/**
 * `podTemplate` of a Job: the fields of every Pod template that a short program needs. With all of them, the CRD would be too
 * large for its limit, and for clients that store it in an annotation, such as `kubectl apply` without `--server-side`.
 */
export function jobTemplate({ description, reserved }: Pick<PodTemplateOptions, 'description' | 'reserved'>) {
  const { runAsUser, runAsGroup, fsGroup } = securityContext.fields;
  return named(
    podTemplateDefinition,
    object(
      description,
      {
        labels: labelsWithout(reserved),
        annotations: annotationsWithout(reserved),
        env: envOf(reserved),
        volumes: jobVolumesOf(reserved),
        volumeMounts: volumeMountsOf(reserved),
        serviceAccountName: string(
          'ServiceAccount of the Pods, whose token they get. Defaults to the ServiceAccount `default` without its token.',
          { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN, optional: true },
        ),
        imagePullSecrets,
        securityContext: object(
          'Security context of the Pods. They always meet the Pod Security level `restricted`.',
          { runAsUser, runAsGroup, fsGroup },
          { optional: true },
        ),
      },
      { optional: true, rules: [MOUNTS_HAVE_VOLUMES] },
    ),
  );
}
