import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import './control-plane.setup.js'; // declares what is provided
import { ClusterAccess } from '../operator/testing/index.js';

/** The control plane that all integration tests of this run share; each test has its own namespace there. */
export function givenControlPlane(): ClusterAccess {
  return new ClusterAccess(inject('controlPlane'));
}

/** Creates a namespace that no other test has, and returns its name. */
export async function freshNamespace(controlPlane: ClusterAccess, prefix = 'test'): Promise<string> {
  const name = `${prefix}-${randomBytes(5).toString('hex')}`;
  const { code, stderr } = await controlPlane.kubectl(['create', 'namespace', name]);
  if (code !== 0) throw new Error(`namespace ${name} was not created: ${stderr.trim()}`);
  return name;
}
