import { randomBytes } from 'node:crypto';
import { install } from '../e2e/cluster/install.js';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { untilRolledOut } from '../e2e/cluster/operator-pods.js';
import type { KillsProps, KillsResult, SystemKills } from './system-kills.js';

/**
 * Kills Pods of a system again and again, and counts what clients were promised. It uses the cluster of KUBECONFIG, installs the
 * operator of `dist/` there, and leaves no other trace.
 */
export async function kills({ run }: SystemKills, props: KillsProps): Promise<KillsResult> {
  await install();
  await untilRolledOut();
  const namespace = `kills-${randomBytes(3).toString('hex')}`;
  await kubectl(['create', 'namespace', namespace]);
  try {
    return await run(namespace, props);
  } finally {
    await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
}
