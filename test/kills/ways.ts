import { until } from '../chaos/wait.js';
import { read } from '../e2e/cluster/api.js';
import { deleteByForce, killProcesses } from '../e2e/cluster/faults.js';
import { type LivePod, Pod } from '../e2e/cluster/kinds.js';

/** A way to end a Pod. */
export interface Way {
  readonly what: string;
  readonly kill: (pod: LivePod) => Promise<void>;
}

const ways: readonly [Way, ...Way[]] = [
  { what: 'killed and deleted', kill: killAndDelete },
  { what: 'deleted by force', kill: deleteByForce },
];

/** The way of the n-th kill: all in turn. */
export function wayOf(count: number): Way {
  return ways[count % ways.length] ?? ways[0];
}

/** A container that ends again and again is started ever later: another Pod knows nothing of that. */
async function killAndDelete(pod: LivePod): Promise<void> {
  await killProcesses(pod);
  await deleteByForce(pod);
}

/** Ends a Pod. Resolves when there is another Pod in its place. */
export async function killedBy({ what, kill }: Way, pod: LivePod): Promise<void> {
  await kill(pod);
  const isAnother = async () => {
    const uid = (await read(Pod, pod.metadata))?.metadata.uid;
    return uid !== undefined && uid !== pod.metadata.uid;
  };
  await until(isAnother, { what: `${pod.metadata.name}, ${what}, has another Pod`, within: 120_000, every: 200 });
}
