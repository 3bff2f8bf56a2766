import type { Connection } from '../../operator/cluster/connection/connection.js';
import { Namespace } from '../../operator/runtime/index.js';
import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { clusterOver } from '../cluster/cluster-access.js';

/** What is worth saying before anything is done. */
export interface Preflight {
  /** Why nobody answered; a refusal is an answer. @default - somebody did */
  readonly unanswered: string | undefined;
  /** Those of the namespaces that are not there; of one that may not be asked for nothing is said. */
  readonly missing: readonly string[];
}

/** Milliseconds: it is a hint, for which nobody waits long. */
const patience = 3_000;

/** Of all namespaces the one that every cluster has is asked for. */
export async function preflight(names: readonly string[], connection: Connection): Promise<Preflight> {
  await using at = clusterOver(connection);
  const signal = AbortSignal.timeout(patience);
  const look = async (name: string) => {
    try {
      return (await at.cluster.read(Namespace, { name }, { signal })) === undefined ? 'missing' : 'there';
    } catch (error) {
      return isApiError(error) && error.code > 0 ? 'refused' : { why: messageOf(error) };
    }
  };
  const found = await Promise.all((names.length > 0 ? names : ['default']).map(look));
  const unanswered = found.filter((one) => typeof one === 'object');
  return {
    unanswered: unanswered.length === found.length ? unanswered[0]?.why : undefined,
    missing: names.filter((_, index) => found[index] === 'missing'),
  };
}
