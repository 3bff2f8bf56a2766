import { OutdatedError } from '../kubernetes/errors.js';
import type { LiveObject } from '../kubernetes/object.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';

/**
 * A cluster whose writes leave only while the resource is as the pass looked at it: the same one, of the same
 * generation. Deletion counts: it moves the generation of what a finalizer holds. Reads go through.
 *
 * Guarantee: nothing of an older spec leaves once a newer one is known, also of what waited for a connection or for its
 * next try. What has left is answered as usual, so that no answer is lost.
 * @param looked the resource as the pass looked at it
 * @param now the resource as the caches have it when asked
 */
export function fencedByGeneration(
  cluster: Cluster,
  looked: LiveObject | undefined,
  now: () => LiveObject | undefined,
): Cluster {
  const mayLeave = () => {
    if (!isCurrent(looked, now())) throw new OutdatedError('the resource was edited during its reconcile');
  };
  const asked = <O extends CallOptions>(options: O): O => ({ ...options, mayLeave });
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => cluster.read(kind, name, options),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) => cluster.create(kind, object, asked(options)),
    apply: (kind, object, options) => cluster.apply(kind, object, asked(options)),
    patch: (kind, name, patch, options) => cluster.patch(kind, name, patch, asked(options)),
    remove: (kind, name, seen, options = {}) => cluster.remove(kind, name, seen, asked(options)),
  };
}

function isCurrent(looked: LiveObject | undefined, now: LiveObject | undefined): boolean {
  return looked?.metadata.uid === now?.metadata.uid && looked?.metadata.generation === now?.metadata.generation;
}
