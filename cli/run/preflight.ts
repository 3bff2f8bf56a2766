import type { Connection } from '../../operator/cluster/connection/connection.js';
import { Namespace } from '../../operator/runtime/index.js';
import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { clusterOver } from '../cluster/cluster-access.js';

/** The result of the checks before the start. */
export interface Preflight {
  /** Why the API server did not answer. A refusal is an answer. @default - the API server answered */
  readonly unanswered: string | undefined;
  /** The namespaces that do not exist, without those that the user may not read. */
  readonly missing: readonly string[];
}

/** Milliseconds. Short, because the result is only a hint. */
const patience = 3_000;

/** Checks the API server and the namespaces. Without namespaces it reads `default`, which every cluster has. */
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
