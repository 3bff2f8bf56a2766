import { SharedLinks } from '../concurrency/abort-signals.js';
import { FencedError } from '../kubernetes/errors.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';
import type { Term } from './lease-term.js';

/**
 * A cluster whose writes are sent only within a term. Reads pass.
 *
 * Guarantee: no write is passed to a connection after the end of the term. The check ({@link CallOptions.mayLeave})
 * runs in the same turn of the event loop as the write, even if it waited for a connection. So a process that was
 * suspended and resumed finds the term over before it can send, although no timer has fired yet. A write that was sent
 * within the term may reach the API server after it, and no client can prevent that.
 * @param term the current term, undefined if this process does not lead
 */
export function fenced(cluster: Cluster, term: () => Term | undefined): Cluster {
  const links = new SharedLinks();
  const within = async <O extends CallOptions, T>(options: O, send: (options: O) => Promise<T>): Promise<T> => {
    const current = term();
    const mayLeave = () => {
      if (!current?.holds()) throw new FencedError('the lease term is over: no writes are allowed');
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
