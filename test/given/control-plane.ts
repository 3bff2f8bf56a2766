import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import '../runner/control-plane.setup.js'; // declares what is provided
import { ClusterAccess, type ClusterLocation } from '../../operator/testing/index.js';

const location = await locationOf(process.env['VITEST_POOL_ID'] ?? '');

/** Asks for the control plane of a worker, which starts with the first that asks. */
async function locationOf(worker: string): Promise<ClusterLocation> {
  const response = await fetch(`${inject('controlPlanes')}/${worker}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ClusterLocation;
}

/** The control plane that all files of this worker share; each test has its own namespace there. */
export function givenControlPlane(): ClusterAccess {
  return new ClusterAccess(location);
}

/** Creates a namespace that no other test has, and returns its name. */
export async function freshNamespace(controlPlane: ClusterAccess, prefix = 'test'): Promise<string> {
  const name = `${prefix}-${randomBytes(5).toString('hex')}`;
  const { code, stderr } = await controlPlane.kubectl(['create', 'namespace', name]);
  if (code !== 0) throw new Error(`namespace ${name} was not created: ${stderr.trim()}`);
  return name;
}
