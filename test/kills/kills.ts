import { randomBytes } from 'node:crypto';
import { install } from '../e2e/cluster/install.js';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { untilRolledOut } from '../e2e/cluster/operator-pods.js';
import { databaseKills } from './database-kills.js';
import type { KilledKind } from './flags.js';
import { kafkaKills } from './kafka-kills.js';
import type { KillsProps, KillsResult } from './kills-result.js';
import { trainingKills } from './training-kills.js';

const trials = { database: databaseKills, kafka: kafkaKills, training: trainingKills } as const satisfies Record<
  KilledKind,
  unknown
>;

/**
 * Kills Pods of a kind again and again, and counts what clients were promised. It uses the cluster of KUBECONFIG, installs the
 * operator of `dist/` there, and leaves no other trace.
 */
export async function kills(kind: KilledKind, props: KillsProps): Promise<KillsResult> {
  await install();
  await untilRolledOut();
  const namespace = `kills-${randomBytes(3).toString('hex')}`;
  await kubectl(['create', 'namespace', namespace]);
  try {
    return await trials[kind](namespace, props);
  } finally {
    await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
}
