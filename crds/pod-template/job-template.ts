import { DNS_SUBDOMAIN } from '../fields/names.js';
import { object, string } from '../schema/index.js';
import { envOf } from './environment.js';
import { annotationsWithout, labelsWithout } from './metadata.js';
import { MOUNTS_HAVE_VOLUMES, type PodTemplateOptions } from './pod-template.js';
import { imagePullSecrets } from './scheduling.js';
import { securityContext } from './security-context.js';
import { jobVolumesOf, volumeMountsOf } from './volumes.js';

/**
 * `podTemplate` of a Job: the fields of every Pod template that a short program needs. With all of them, the CRD would be too
 * large for clients that store it in an annotation, such as `kubectl apply` without `--server-side`.
 */
export function jobTemplate({ description, container, reserved }: Omit<PodTemplateOptions, 'spread' | 'rules'>) {
  const { runAsUser, runAsGroup, fsGroup } = securityContext.fields;
  return object(
    description,
    {
      labels: labelsWithout(reserved),
      annotations: annotationsWithout(reserved),
      env: envOf(container, reserved),
      volumes: jobVolumesOf(reserved),
      volumeMounts: volumeMountsOf(container, reserved),
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
  );
}
