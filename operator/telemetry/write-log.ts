import { Event, groupKindOf, Lease, type ObjectKind } from '../runtime/kubernetes/kinds.js';
import { keyOf, type ObjectName } from '../runtime/kubernetes/object.js';
import type { Cluster } from '../runtime/ports/cluster.js';
import type { Log } from '../runtime/ports/telemetry.js';

const untold = new Set([Event, Lease].map(groupKindOf));

/** A cluster that logs its writes, except those of events and leases. */
export function withWriteLog(cluster: Cluster, log: Log, level: 'debug' | 'info'): Cluster {
  const tell = async <T>(done: string, [kind, name]: readonly [ObjectKind, ObjectName], writing: Promise<T>) => {
    const answer = await writing;
    if (!untold.has(groupKindOf(kind))) log[level]({ kind: kind.kind, name: keyOf(name) }, done);
    return answer;
  };
  const what = (subresource: string | undefined) => (subresource ? `Applied ${subresource}` : 'Applied object');
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => cluster.read(kind, name, options),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) =>
      tell('Created object', [kind, object.metadata], cluster.create(kind, object, options)),
    apply: (kind, object, options) =>
      tell(what(options.subresource), [kind, object.metadata], cluster.apply(kind, object, options)),
    patch: (kind, name, patch, options) =>
      tell('Patched object', [kind, name], cluster.patch(kind, name, patch, options)),
    remove: (kind, name, seen, options) =>
      tell('Deleted object', [kind, name], cluster.remove(kind, name, seen, options)),
  };
}
