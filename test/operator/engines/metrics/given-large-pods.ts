import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';

/** A cluster whose objects are so large that no more than some of them are taken in at once. */
export function withMost(most: number): (cluster: Cluster) => Pick<Cluster, 'list'> {
  return (cluster) => ({
    list: async (kind, query) => {
      const page = await cluster.list(kind, query);
      if (page.items.length > most) throw new ApiError('too much', { code: 200, reason: 'AnswerTooLarge' });
      return page;
    },
  });
}
