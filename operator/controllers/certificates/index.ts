import type { Controller } from '../../runtime/index.js';
import { certificate } from './certificate/index.js';
import { challengesAnsweredAt } from './challenges/index.js';
import { gatewayHost, ingressHost } from './hosts/index.js';
import { clusterIssuerIn, issuer } from './issuer/index.js';
import type { Responder } from './ports/responder.js';
import { trustBundle } from './trust-bundle/index.js';

/** The namespace of an operator that is installed with the defaults. */
const defaultHome = 'reconstruct-system';

/** Keeps the certificate authorities of `ClusterIssuer` resources, in the default namespace of the operator. */
const clusterIssuer = clusterIssuerIn(defaultHome);

/** Puts the responses to challenges in place. Without a responder, it solves only DNS-01. */
const challenges = challengesAnsweredAt(undefined);

/** Controllers of `Issuer`, `ClusterIssuer`, `Certificate` and `TrustBundle` resources, and of annotated hosts. */
export const certificateControllers: readonly Controller[] = [
  issuer,
  clusterIssuer,
  certificate,
  challenges,
  trustBundle,
  ingressHost,
  gatewayHost,
];

/** The same controllers, for an operator in a namespace, where the keys of ClusterIssuers are. */
export function withClusterNamespace(namespace: string, controllers: readonly Controller[]): readonly Controller[] {
  return controllers.map((controller) => (controller === clusterIssuer ? clusterIssuerIn(namespace) : controller));
}

/** The same controllers, for an operator that answers HTTP-01 challenges. @param responder where, if it does */
export function withResponder(
  responder: Responder | undefined,
  controllers: readonly Controller[],
): readonly Controller[] {
  if (!responder) return controllers;
  return controllers.map((controller) => (controller === challenges ? challengesAnsweredAt(responder) : controller));
}
