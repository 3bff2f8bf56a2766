import type { Connection } from '../../operator/cluster/connection.js';
import { Namespace } from '../../operator/runtime/index.js';
import { clusterOver } from '../cluster-at.js';

/** Milliseconds: it is a hint, for which nobody waits long. */
const patience = 3_000;

/** Those of the namespaces that are not there; of one that may not be asked for nothing is said. */
export async function missingNamespaces(names: readonly string[], connection: Connection): Promise<readonly string[]> {
  await using at = clusterOver(connection);
  const isMissing = async (name: string) => {
    try {
      return (await at.cluster.read(Namespace, { name }, { signal: AbortSignal.timeout(patience) })) === undefined;
    } catch {
      return false; // no right to ask, or no server: the watches say that
    }
  };
  const missing = await Promise.all(names.map(isMissing));
  return names.filter((_, index) => missing[index]);
}
