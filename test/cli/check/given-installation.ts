import type { LiveDefinition } from '../../../cli/check/findings/definitions.js';
import type { Finding } from '../../../cli/check/findings/finding.js';
import type { OperatorDeployment } from '../../../cli/check/findings/installed-operator.js';
import type { CustomResourceDefinition } from '../../../crds/index.js';
import type { LivePod } from '../../../operator/runtime/kubernetes/kinds.js';

/** The time of the tests. */
export const now = Date.parse('2030-01-01T00:00:00Z');

export const place = { namespace: 'reconstruct-system', name: 'reconstruct' };

/** The state and message of each finding, and what to do after an arrow. */
export function linesOf(findings: readonly Finding[]): readonly string[] {
  return findings.map(
    ({ state, message, action }) => `${state}: ${message}${action === undefined ? '' : ` → ${action}`}`,
  );
}

const metadata = { uid: '1', resourceVersion: '1', generation: 1 };

/** A Deployment of the operator whose replicas are all available. */
export function givenDeployment({
  args = ['--leader-elect', '--lease-name=reconstruct'],
  env = [],
  image = 'registry.alien6.io/reconstruct/operator:0.1.0',
  replicas = 2,
  status = {},
}: {
  args?: readonly string[];
  env?: readonly { name: string; value?: string }[];
  image?: string;
  replicas?: number;
  status?: object;
} = {}): OperatorDeployment {
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...metadata, ...place } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'reconstruct' } },
      template: { spec: { serviceAccountName: 'reconstruct', containers: [{ name: 'operator', image, args, env }] } },
    },
    status: { observedGeneration: 1, availableReplicas: replicas, ...status },
  };
}

/** A Pod with a status. */
export function givenPod(status: object = {}, name = 'reconstruct-1'): LivePod {
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, namespace: place.namespace, name } },
    spec: { containers: [{ name: 'operator', image: 'operator:1' }] },
    status,
  };
}

/** A Pod whose only container has a state. */
export function givenFailure(
  state: object,
  { lastState = {}, name = 'reconstruct-1', image = 'operator:1' } = {},
): LivePod {
  const container = { ...{ name: 'operator', ready: false, restartCount: 3, image }, state, lastState };
  return givenPod({ phase: 'Pending', containerStatuses: [container] }, name);
}

/** A CRD as the API server returns it once it is established. */
export function givenDefinition(
  crd: CustomResourceDefinition,
  {
    conditions = [{ type: 'Established', status: 'True' }],
    storedVersions,
    managedFields = [],
  }: { conditions?: readonly object[]; storedVersions?: readonly string[]; managedFields?: readonly object[] } = {},
): LiveDefinition {
  const stored = storedVersions ?? crd.spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  return {
    ...crd,
    metadata: { ...metadata, ...crd.metadata, managedFields },
    status: { conditions, storedVersions: stored },
  } as LiveDefinition;
}
