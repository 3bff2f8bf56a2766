import { randomBytes } from 'node:crypto';
import type { DatabaseSpecInput } from '../../imports/index.js';
import { until } from '../chaos/wait.js';
import { read } from '../e2e/cluster/api.js';
import { install } from '../e2e/cluster/install.js';
import { type LivePod, Pod } from '../e2e/cluster/kinds.js';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { untilRolledOut } from '../e2e/cluster/operator-pods.js';
import { deleteByForce, killProcesses } from '../e2e/cluster/faults.js';
import { small, TriedDatabase } from '../e2e/database/given/tried-database.js';
import { told, Witnesses } from '../e2e/database/given/witnesses.js';

/** The number of kills, and the listener for progress. */
export interface KillsProps {
  /** How many kills. */
  readonly kills: number;
  readonly say: (line: string) => void;
  /** Ends it after the kill that it is at. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface KillsResult {
  /** Seconds without an acknowledged row, of each kill. */
  readonly pauses: readonly number[];
  /** Rows that were acknowledged during a kill. */
  readonly acknowledged: number;
  /** How often another instance was the primary afterwards. */
  readonly changes: number;
  /** Rows that were acknowledged and are not there. */
  readonly lost: readonly string[];
  /** Moments at which two instances took writes. */
  readonly overlaps: readonly string[];
}

const spec: DatabaseSpecInput = { ...small, synchronous: { mode: 'Quorum', replicas: 1, durability: 'Required' } };

/**
 * Kills the primary of a Database again and again, and counts what its writers were promised. It uses the cluster of
 * KUBECONFIG, installs the operator of `dist/` there, and leaves no other trace.
 */
export async function kills({ kills, say, signal }: KillsProps): Promise<KillsResult> {
  await install();
  await untilRolledOut();
  const namespace = `kills-${randomBytes(3).toString('hex')}`;
  await kubectl(['create', 'namespace', namespace]);
  try {
    const orders = new TriedDatabase(namespace, 'orders', spec);
    await orders.begin();
    return await killOn(orders, { kills, say, signal });
  } finally {
    await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
}

async function killOn(orders: TriedDatabase, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  const witnesses = new Witnesses(orders);
  const pauses: number[] = [];
  let result: Omit<KillsResult, 'pauses'> = { acknowledged: 0, changes: 0, lost: [], overlaps: [] };
  for (let count = 1; count <= kills && !signal.aborted; count++) {
    const way = ways[count % ways.length] ?? ways[0];
    const before = (await orders.primary()).metadata.name;
    const endured = await witnesses.endure(`kill ${count}`, (primary) => killedBy(way, primary));
    const after = (await orders.primary()).metadata.name;
    const { pause, acknowledged, lost, overlaps } = endured;
    pauses.push(pause);
    result = {
      acknowledged: result.acknowledged + acknowledged,
      changes: result.changes + Number(after !== before),
      ...{ lost, overlaps: [...result.overlaps, ...overlaps] },
    };
    say(`${count} of ${kills}: ${before} ${way.what}, ${after} leads, ${told(endured)}`);
  }
  return { pauses, ...result };
}

/** A way to end a primary. */
interface Way {
  readonly what: string;
  readonly kill: (pod: LivePod) => Promise<void>;
}

const ways: readonly [Way, ...Way[]] = [
  { what: 'killed and deleted', kill: killAndDelete },
  { what: 'deleted by force', kill: deleteByForce },
];

/** A container that ends again and again is started ever later: another Pod knows nothing of that. */
async function killAndDelete(pod: LivePod): Promise<void> {
  await killProcesses(pod);
  await deleteByForce(pod);
}

/** Resolves when there is another Pod in its place. */
async function killedBy({ what, kill }: Way, pod: LivePod): Promise<void> {
  await kill(pod);
  const isAnother = async () => {
    const uid = (await read(Pod, pod.metadata))?.metadata.uid;
    return uid !== undefined && uid !== pod.metadata.uid;
  };
  await until(isAnother, { what: `${pod.metadata.name}, ${what}, has another Pod`, within: 120_000, every: 200 });
}
