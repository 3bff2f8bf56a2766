import type { CertificateResource } from '../../../../imports/index.js';
import { childName } from '../../../../src/index.js';
import type { RecordsAnswer } from '../../../dns/dns-records.js';
import type { Facts, Outcome, Polled } from '../../../runtime/index.js';
import type { VisibilityAnswer } from '../ports/acme.js';
import type { WebhookAnswer } from '../ports/dns-webhook.js';
import type { ChallengesReads, owns } from './declarations.js';
import type { RecordedChallenge } from './responses.js';

/** What does not change with time. */
export interface StableView
  extends Pick<Facts<CertificateResource, (typeof owns)[number]>, 'resource' | 'owned' | 'isServed'> {
  readonly reads: ChallengesReads;
}

/** The input of `desire` and `assess`. */
export interface ChallengesView extends StableView {
  readonly now: Date;
  readonly polled: {
    readonly visibility: Polled<VisibilityAnswer> | undefined;
    readonly record: Polled<RecordsAnswer> | undefined;
    readonly webhook: Polled<WebhookAnswer> | undefined;
  };
}

/** The input of `assess`. */
export type OutcomeView = ChallengesView & Pick<Outcome<CertificateResource>, 'calls'>;

/** The name of the objects of a challenge. */
export function challengeName({ metadata }: CertificateResource, { token }: RecordedChallenge): string {
  return childName(`${metadata.name} ${token}`, 'acme');
}
