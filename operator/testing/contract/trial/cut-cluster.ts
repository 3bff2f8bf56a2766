import type { Cluster } from '../../../runtime/ports/cluster.js';

/** Thrown instead of a write or its response. */
export class CutError extends Error {
  override readonly name = 'CutError';
}

/** The crash of a process: the number of the write, and whether that write is carried out. */
export interface Cut {
  /** 0 for the first. */
  readonly write: number;
  readonly isCarriedOut: boolean;
  /** Called when the process crashes. A write beside a reconcile fails without an error of that reconcile. */
  readonly crashed?: () => void;
}

/** A cluster for a process that crashes at a write. That write and all later ones fail. */
export function cutCluster(cluster: Cluster, cut: Cut): Cluster {
  let writes = 0;
  const through = async <T>(send: () => Promise<T>): Promise<T> => {
    const write = writes++;
    if (write < cut.write) return send();
    cut.crashed?.();
    if (write === cut.write && cut.isCarriedOut) await send();
    throw new CutError(`the process crashed at write ${cut.write}`);
  };
  return {
    list: (kind, query) => cluster.list(kind, query),
    watch: (kind, query) => cluster.watch(kind, query),
    read: (kind, name, options) => cluster.read(kind, name, options),
    discover: (kind, options) => cluster.discover(kind, options),
    create: (kind, object, options) => through(() => cluster.create(kind, object, options)),
    apply: (kind, object, options) => through(() => cluster.apply(kind, object, options)),
    patch: (kind, name, patch, options) => through(() => cluster.patch(kind, name, patch, options)),
    remove: (kind, name, seen, options) => through(() => cluster.remove(kind, name, seen, options)),
  };
}
