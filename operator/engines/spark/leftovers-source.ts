import { type LeftoversQuestion, sparkLeftovers } from '../../controllers/spark/ports/leftovers.js';
import { isApiError } from '../../runtime/kubernetes/errors.js';
import { Pod } from '../../runtime/kubernetes/kinds.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

type Access = Pick<Cluster, 'read' | 'remove'>;

/** Reads and deletes executors, one by one. */
export function leftoversFrom(cluster: Access): Provided {
  return provided(sparkLeftovers, (question, { signal }) => leftOf(question, { cluster, signal }), {
    perform: async ({ namespace, executors }, { signal, mayLeave }) => {
      const removed = executors.map(({ name, uid }) =>
        cluster.remove(Pod, { namespace, name }, { uid }, { signal, mayLeave }).catch(unlessOther),
      );
      // All are tried before the first failure is reported.
      const failed = (await Promise.allSettled(removed)).find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    },
    concurrency: 8,
    callsPerSecond: 50,
  });
}

/** Another Pod has the name, so the one that was meant is gone. */
function unlessOther(error: unknown): undefined {
  if (!isApiError(error, 'Conflict')) throw error;
  return undefined;
}

async function leftOf(
  { namespace, executors }: LeftoversQuestion,
  { cluster, signal }: { readonly cluster: Access; readonly signal: AbortSignal },
) {
  const found = await Promise.all(
    executors.map(async ({ name, uid }) => {
      const live = await cluster.read(Pod, { namespace, name }, { signal });
      return live?.metadata.uid === uid ? [uid] : [];
    }),
  );
  return { left: found.flat() };
}
