import type { Port } from '../../../runtime/index.js';

/** Nodes on which volumes were made, and of which the caches know nothing. */
export interface GoneNodesQuestion {
  readonly names: readonly string[];
}

/** Those of them that do not exist, as of now. */
export interface GoneNodesAnswer {
  readonly gone: readonly string[];
}

/** Where it is asked whether nodes are gone for good: what caches lack proves nothing. */
export const goneNodes: Port<GoneNodesQuestion, GoneNodesAnswer> = { name: 'gone-nodes' };
