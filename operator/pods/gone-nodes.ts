import type { Port } from '../runtime/index.js';

/** Nodes of volumes that are absent from the cache. */
export interface GoneNodesQuestion {
  readonly names: readonly string[];
}

/** The nodes that do not exist now. */
export interface GoneNodesAnswer {
  readonly gone: readonly string[];
}

/** Checks with the API server whether nodes are deleted, because absence from a cache proves nothing. */
export const goneNodes: Port<GoneNodesQuestion, GoneNodesAnswer> = { name: 'reconstruct/gone-nodes' };
