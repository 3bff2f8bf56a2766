import { SharedLinks } from '../concurrency/abort-signals.js';
import { FencedError } from '../kubernetes/errors.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';
import type { Term } from './lease-term.js';

/**
 * A cluster whose writes leave only within a term. Reads go through.
 *
 * Guarantee: no write is handed to a connection after the end of the term. The check ({@link CallOptions.mayLeave}) is
 * made in the same turn of the event loop as that, also for a write that waited for a connection, so a process that was
 * stopped and resumed finds the term over before it can send, though no timer has told it yet. What was sent within the
 * term may reach the API server after it: no client can call that back.
 * @param term the current term; undefined when this process does not lead
 */
export function fenced(cluster: Cluster, term: () => Term | undefined): Cluster {
  const links = new SharedLinks();
  const within = async <O extends CallOptions, T>(options: O, send: (options: O) => Promise<T>): Promise<T> => {
    const current = term();
    const mayLeave = () => {
      if (!current?.holds()) throw new FencedError('the term of the lease is over: nothing may be written');
      options.mayLeave?.();
    };
    if (!options.signal || !current) return send({ ...options, mayLeave, signal: options.signal ?? current?.signal });
    const { signal, release } = links.take(options.signal, current.signal);
    return send({ ...options, mayLeave, signal }).finally(release);
  };
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => cluster.read(kind, name, options),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) => within(options, (fenced) => cluster.create(kind, object, fenced)),
    apply: (kind, object, options) => within(options, (fenced) => cluster.apply(kind, object, fenced)),
    patch: (kind, name, patch, options) => within(options, (fenced) => cluster.patch(kind, name, patch, fenced)),
    remove: (kind, name, seen, options = {}) => within(options, (fenced) => cluster.remove(kind, name, seen, fenced)),
  };
}
