import { fingerprintOf, parsed } from '../../../../certificates/reading.js';
import { shortNames } from '../../../../consumers/adoption.js';
import { type Mark, timestampOf } from '../../../../runtime/index.js';
import { promotionTimes, warningTime } from '../authority/authority-times.js';
import type { EarlierUse } from '../authority/earlier-authorities.js';
import { bundlesWithout } from '../authority/trust-bundles.js';
import type { conditions } from '../conditions.js';
import type { GeneratedSituation, UserProvidedSituation } from '../situation.js';

type RolledOver = Mark<keyof (typeof conditions)['RolledOver']>;

/** Whether one CA signs and no earlier one is in use. @param use who uses certificates of earlier CAs */
export function rolledOverOf(situation: GeneratedSituation | UserProvidedSituation, use: EarlierUse): RolledOver {
  const outdated = outdatedMark(situation);
  if (outdated) return outdated;
  if (situation.is === 'generated') return publishingMark(situation) ?? useMark(use) ?? { reason: 'UpToDate' };
  const { authority, now } = situation;
  const isExpiring = authority !== undefined && now >= warningTime(authority);
  return useMark(use) ?? { reason: isExpiring ? 'RenewalNeeded' : 'UpToDate' };
}

/** A TrustBundle without the CA that signs. Its clients refuse certificates. Undefined if each one has it. */
function outdatedMark(situation: GeneratedSituation | UserProvidedSituation): RolledOver | undefined {
  const { bundles } = situation;
  const isPublishing = situation.is === 'generated' && situation.stored.next !== undefined;
  // A namespace that only waits for the next CA has the current one.
  const seen = isPublishing ? bundles.map((bundle) => ({ ...bundle, since: bundle.since ?? 0 })) : bundles;
  const names = [...new Set(signersIn(situation).flatMap((one) => bundlesWithout(one, seen)))];
  if (names.length === 0) return undefined;
  const message = `The CA signs, and TrustBundle ${shortNames(names.toSorted())} does not have its certificate in all namespaces; see the condition Synced of the TrustBundle`;
  return { reason: 'BundleOutdated', message };
}

/** The fingerprints of the CA certificates that clients must trust now. */
function signersIn(situation: GeneratedSituation | UserProvidedSituation): readonly string[] {
  if (situation.is === 'generated') return situation.stored.current ? [situation.stored.current.fingerprint] : [];
  return (situation.authority?.roots ?? []).flatMap((pem) => {
    const certificate = parsed(pem);
    return certificate ? [fingerprintOf(certificate)] : [];
  });
}

/** A next CA that does not sign yet. Undefined if there is none. */
function publishingMark({ stored, settings, bundles }: GeneratedSituation): RolledOver | undefined {
  const { current, next } = stored;
  if (!next) return undefined;
  const names = bundlesWithout(next.fingerprint, bundles);
  if (names.length === 0 || !current) return { reason: 'Publishing' };
  const last = timestampOf(promotionTimes(current, next, settings).last);
  const message = `The next CA waits for TrustBundle ${shortNames(names)}, which does not have its certificate in all namespaces; see the condition Synced of the TrustBundle; it signs without it at ${last}, before the current CA expires`;
  return { reason: 'WaitingForBundles', message };
}

/** Undefined if nobody uses a certificate of an earlier CA. */
function useMark(use: EarlierUse): RolledOver | undefined {
  if (use.by === 'nobody') return undefined;
  if (use.by === 'certificates') return { reason: 'Reissuing' };
  const message = `Consumers of Certificate ${shortNames(use.names)} may still use a certificate of an earlier CA; see the condition Adopted of the Certificate`;
  return { reason: 'WaitingForConsumers', message };
}
