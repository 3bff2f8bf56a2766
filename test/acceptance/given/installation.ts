import { readFileSync } from 'node:fs';
import type { ClusterAccess } from '../../../operator/testing/index.js';
import { parseYamlDocuments } from '../../../operator/yaml/parse-yaml.js';

const manifests = 'dist/0001-operator.k8s.yaml';

/** The operator's account, as `dist/` makes it. */
export const account = { namespace: 'reconstruct-system', name: 'reconstruct' };

/** The operator's user, as the audit log names it. */
export const operatorUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** Applies `dist/` as its users do, and waits until the API server serves the kinds. */
export async function install(controlPlane: ClusterAccess): Promise<void> {
  // Forced: another test may have brought a definition in its own way.
  const commands = [
    ['apply', '--server-side', '--force-conflicts', '-f', 'dist/'],
    ['wait', '--for=condition=Established', 'crd/algorithms.ai.alien6.io', '--timeout=120s'],
  ];
  for (const command of commands) {
    const { code, stderr } = await controlPlane.kubectl(command);
    if (code !== 0) throw new Error(`dist/ is not installed: ${stderr}`);
  }
}

const installations = new Map<string, Promise<void>>();

/**
 * The same for files that share a control plane, once for all of them: the definitions are a megabyte, which costs
 * kubectl and the API server seconds of CPU each time.
 */
export function installedOnce(controlPlane: ClusterAccess): Promise<void> {
  const { url } = controlPlane;
  const known = installations.get(url) ?? install(controlPlane);
  installations.set(url, known);
  return known;
}

/** The flags of the Deployment in `dist/`. */
export function installedFlags(): readonly string[] {
  const objects = parseYamlDocuments(readFileSync(manifests, 'utf8'));
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  return deployment.spec.template.spec.containers[0].args;
}
