import { Event, groupKindOf, Lease, type ObjectKind } from '../runtime/kubernetes/kinds.js';
import { keyOf, type ObjectName } from '../runtime/kubernetes/object.js';
import type { Cluster } from '../runtime/ports/cluster.js';
import type { Log } from '../runtime/ports/telemetry.js';

const untold = new Set([Event, Lease].map(groupKindOf));

/** A cluster that tells what was written through it, but for events and leases. */
export function withWriteLog(cluster: Cluster, log: Log, level: 'debug' | 'info'): Cluster {
  const tell = async <T>(done: string, [kind, name]: readonly [ObjectKind, ObjectName], writing: Promise<T>) => {
    const answer = await writing;
    if (!untold.has(groupKindOf(kind))) log[level]({}, `${done} ${kind.kind} ${keyOf(name)}`);
    return answer;
  };
  const what = (subresource: string | undefined) => (subresource ? `wrote the ${subresource} of` : 'applied');
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => cluster.read(kind, name, options),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) => tell('created', [kind, object.metadata], cluster.create(kind, object, options)),
    apply: (kind, object, options) =>
      tell(what(options.subresource), [kind, object.metadata], cluster.apply(kind, object, options)),
    patch: (kind, name, patch, options) => tell('patched', [kind, name], cluster.patch(kind, name, patch, options)),
    remove: (kind, name, seen, options) => tell('deleted', [kind, name], cluster.remove(kind, name, seen, options)),
  };
}
