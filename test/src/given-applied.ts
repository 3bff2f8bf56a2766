import type { ClusterAccess } from '../../operator/testing/index.js';
import type { Manifest } from '../../src/index.js';
import type { Rendered } from './given-rendered.js';

/**
 * Applies objects as a GitOps tool does, and returns what the API server stored, in the same order.
 * @throws {Error} when the API server refuses one, or warns of one
 */
export async function appliedOn(cluster: ClusterAccess, manifests: readonly Manifest[]): Promise<Rendered[]> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests });
  const { code, stdout, stderr } = await cluster.kubectl(['apply', '--server-side', '-f', '-', '-o', 'json'], {
    input,
  });
  if (code !== 0 || stderr !== '') throw new Error(`not applied, or with a warning: ${stderr}`);
  const stored = JSON.parse(stdout);
  return stored.kind === 'List' ? stored.items : [stored];
}
