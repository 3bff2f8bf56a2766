import { vi } from 'vitest';
import type { ClusterAccess } from '../../../operator/testing/index.js';

/** An image that {@link forbidImages} lets nobody run. */
export const forbiddenImage = 'forbidden/server:1';
/** What the API server says to who tries. */
export const forbiddenMessage = 'no image of forbidden/ may run here';

const name = 'images';
const group = 'admissionregistration.k8s.io/v1';

const policy = {
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] },
      ],
    },
    validations: [
      {
        expression: "object.spec.template.spec.containers.all(one, !one.image.startsWith('forbidden/'))",
        message: forbiddenMessage,
      },
    ],
  },
};

const binding = {
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
};

/** Makes the API server refuse Deployments of some images, as clusters with rules of their own do. */
export async function forbidImages(controlPlane: ClusterAccess): Promise<void> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [policy, binding] });
  await controlPlane.kubectl(['apply', '--server-side', '-f', '-'], { input });
  const attempt = ['create', 'deployment', 'attempt', `--image=${forbiddenImage}`, '--dry-run=server'];
  const refused = async () => {
    const { stderr } = await controlPlane.kubectl(attempt);
    if (!stderr.includes(forbiddenMessage)) throw new Error(`the policy is not in force: ${stderr}`);
  };
  await vi.waitFor(refused, { timeout: 120_000, interval: 100 });
}
