import { type CertificateResource, httpRouteKind } from '../../../../imports/index.js';
import { childName } from '../../../../src/index.js';
import type { RecordsAnswer } from '../../../dns/dns-records.js';
import {
  EndpointSlice,
  type Facts,
  type Found,
  Ingress,
  optional,
  type Polled,
  Service,
} from '../../../runtime/index.js';
import type { issuerReads } from '../issuer-reference/declarations.js';
import { type AcmeIssuer, acmeIssuerIn } from '../issuer-reference/issuer-state.js';
import type { VisibilityAnswer } from '../ports/acme.js';
import type { WebhookAnswer } from '../ports/dns-webhook.js';
import { challengesIn, type RecordedChallenge, type TxtRecord } from './responses.js';

/** The route of HTTP-01, if the cluster has the Gateway API. */
export const httpRoute = optional(httpRouteKind);

/** Kinds that lead HTTP-01 challenges to the operator. */
export const owns = [Service, EndpointSlice, Ingress, httpRoute] as const;

/** What does not change with time. */
export type StableView = Pick<
  Facts<CertificateResource, (typeof owns)[number], ReturnType<typeof issuerReads>>,
  'resource' | 'owned' | 'isServed'
> & { readonly reads: Found<ReturnType<typeof issuerReads>> };

/** What the responses are judged by. */
export interface ChallengesView extends StableView {
  readonly now: Date;
  readonly polled: {
    readonly visibility: Polled<VisibilityAnswer> | undefined;
    readonly record: Polled<RecordsAnswer> | undefined;
    readonly webhook: Polled<WebhookAnswer> | undefined;
  };
}

/** Whether a Certificate is being deleted. */
export function isDeleting({ resource }: StableView): boolean {
  return resource.metadata.deletionTimestamp !== undefined;
}

/** The issuer, if it has an account at an ACME server. What is in place is removed even if it cannot issue now. */
export function acmeIssuerOf({ resource, reads }: StableView): AcmeIssuer | undefined {
  return acmeIssuerIn(resource.spec, reads);
}

/** The challenges whose responses must be in place. */
export function challengesOf(view: StableView): readonly RecordedChallenge[] {
  return challengesIn(view.resource.status, isDeleting(view));
}

/** The TXT records in the status. After the deletion of the Certificate, all are to be removed. */
export function recordsOf(view: StableView): readonly TxtRecord[] {
  const records = view.resource.status?.records ?? [];
  return isDeleting(view) ? records.map((record) => ({ ...record, phase: 'Removing' as const })) : records;
}

/** The name of the objects of a challenge. */
export function challengeName({ metadata }: CertificateResource, { token }: RecordedChallenge): string {
  return childName(`${metadata.name} ${token}`, 'acme');
}
