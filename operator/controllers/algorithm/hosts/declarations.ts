import { type AlgorithmResource, algorithmKind } from '../../../../imports/index.js';
import { crossNamespace, type Found, optional, type Refer } from '../../../runtime/index.js';
import { claimantOf, hostClaims, serviceNamedLike } from './host-claims.js';

/** The Algorithms that can claim the host of an Algorithm on the same Gateway. */
export const hostReads = ({ byIndex, named }: Refer<AlgorithmResource>) => ({
  hostClaimants: byIndex(algorithmKind, { indexFunc: hostClaims, values: hostClaims }, claimantOf),
  /**
   * The Algorithm whose Service has the host as its name, in any namespace. Most hosts are no such name, so a namespace
   * that the operator does not watch is no error.
   */
  hostService: named(optional(crossNamespace(algorithmKind, 'watched')), serviceNamedLike, claimantOf),
});

/** The objects that `hostReads` finds. */
export type HostReads = Found<ReturnType<typeof hostReads>>;
