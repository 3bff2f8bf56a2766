import { isSameSpec } from '../kubernetes/equality.js';
import { OutdatedError } from '../kubernetes/errors.js';
import type { LiveObject } from '../kubernetes/object.js';
import { isPaused } from '../kubernetes/pause.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';

/**
 * A cluster whose writes are sent only while the resource is as the reconcile read it: the same UID and generation, and not
 * paused since.
 * Deletion counts, because it increases the generation of an object with a finalizer. Reads pass.
 *
 * Guarantee: no write for an older spec is sent once a newer spec is known, even if it waited for a connection or for a
 * retry. A write that was sent is awaited as usual, so that no response is lost.
 * @param looked the resource as the reconcile read it
 * @param now the resource as the caches hold it at the time of the call
 */
export function fencedByGeneration(
  cluster: Cluster,
  looked: LiveObject | undefined,
  now: () => LiveObject | undefined,
): Cluster {
  return fenced(cluster, () => isCurrent(looked, now()));
}

/**
 * A cluster whose writes are sent unless the resource is paused since the reconcile read it. For a reconcile that is to
 * finish although the spec is edited: a pause stops also that.
 */
export function fencedByPause(
  cluster: Cluster,
  looked: LiveObject | undefined,
  now: () => LiveObject | undefined,
): Cluster {
  return fenced(cluster, () => !isHalted(looked, now()));
}

/** @throws {OutdatedError} from each write that may not leave */
function fenced(cluster: Cluster, isAllowed: () => boolean): Cluster {
  const mayLeave = () => {
    if (!isAllowed()) throw new OutdatedError('the resource was edited during its reconcile');
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
  if (!looked || !now) return looked === now;
  return looked.metadata.uid === now.metadata.uid && isSameSpec(looked, now) && !isHalted(looked, now);
}

function isHalted(looked: LiveObject | undefined, now: LiveObject | undefined): boolean {
  return looked !== undefined && now !== undefined && isPaused(now) && !isPaused(looked);
}
