import { httpRouteKind } from '../../../../imports/index.js';
import { EndpointSlice, type Found, Ingress, optional, Service } from '../../../runtime/index.js';
import { issuerReads } from '../issuer-reference/declarations.js';

/** The route of HTTP-01, if the cluster has the Gateway API. */
export const httpRoute = optional(httpRouteKind);

/** Kinds that lead HTTP-01 challenges to the operator. */
export const owns = [Service, EndpointSlice, Ingress, httpRoute] as const;

/** Objects that the controller reads: the issuer of the Certificate. */
export const reads = issuerReads;

/** The objects that `reads` finds. */
export type ChallengesReads = Found<ReturnType<typeof reads>>;
