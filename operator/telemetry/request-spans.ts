import { groupKindOf, type ObjectKind } from '../runtime/kubernetes/kinds.js';
import { keyOf } from '../runtime/kubernetes/object.js';
import type { Cluster } from '../runtime/ports/cluster.js';
import type { Span } from '../runtime/ports/telemetry.js';

type Name = { readonly name: string; readonly namespace?: string | undefined };

/** A cluster in which each write, and each read of one object, is a span. Lists and watches belong to no reconcile. */
export function withRequestSpans(cluster: Cluster, span: Span): Cluster {
  const told = <T>(verb: string, kind: ObjectKind, { name, namespace }: Name, send: () => Promise<T>): Promise<T> =>
    span(verb, { kind: groupKindOf(kind), key: keyOf({ name, ...(namespace && { namespace }) }) }, send);
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => told('read', kind, name, () => cluster.read(kind, name, options)),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) =>
      told('create', kind, object.metadata, () => cluster.create(kind, object, options)),
    apply: (kind, object, options) => told('apply', kind, object.metadata, () => cluster.apply(kind, object, options)),
    patch: (kind, name, patch, options) => told('patch', kind, name, () => cluster.patch(kind, name, patch, options)),
    remove: (kind, name, seen, options) => told('remove', kind, name, () => cluster.remove(kind, name, seen, options)),
  };
}
