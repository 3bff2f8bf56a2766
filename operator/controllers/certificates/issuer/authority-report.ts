import { fingerprintOf, parsed, validityOf } from '../../../certificates/reading.js';
import { requeueIn } from '../../../members/index.js';
import { type Assessment, type Marks, timestampOf } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import {
  authorityRenewalTime,
  promotionTimes,
  settlingTime,
  usable,
  warningTime,
} from './authority/authority-times.js';
import { type EarlierUse, earlierOf, earlierUse } from './authority/earlier-authorities.js';
import { bundledTime } from './authority/trust-bundles.js';
import type { conditions } from './conditions.js';
import { rolledOverOf } from './findings/rolled-over.js';
import { planOf } from './plan.js';
import { type GeneratedSituation, generationCause, type UserProvidedSituation } from './situation.js';

/** The part of an assessment that depends on the CA. */
type Report = Omit<Assessment<AnyIssuer, typeof conditions>, 'conditions'> & {
  readonly conditions: Partial<Pick<Marks<typeof conditions>, 'RolledOver'>>;
};
type Status = NonNullable<Report['status']>;

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** The status of a generated CA, and whether it rolled over. */
export function generatedReport(situation: GeneratedSituation): Report {
  const { resource, secretRef, stored, settings, users, bundles, now } = situation;
  const { current, next } = stored;
  const cause = generationCause(situation);
  const issuing = cause === undefined ? {} : { issuing: cause };
  // The next question follows from the cause in the status.
  const soon = cause === resource.status?.issuing ? {} : { requeueAfter: atOnce };
  if (!current || !usable(current, now))
    return { conditions: {}, status: { ...issuing, ...keptStatus(resource) }, ...soon };
  const { earlier } = planOf(situation);
  const use = earlierUse(earlier, users);
  const since = unusedSince(situation, earlier, use);
  const renewalTime = authorityRenewalTime(current, settings);
  const bundled = next && bundledTime(next.fingerprint, bundles, settings);
  const times = [
    current.to,
    ...(bundled === undefined ? [] : [bundled]),
    ...(next ? Object.values(promotionTimes(current, next, settings)) : [renewalTime]),
    ...(since === undefined ? [] : [since + settlingTime(settings)]),
    ...earlier.flatMap(endOf),
  ];
  return {
    conditions: { RolledOver: rolledOverOf(situation, use) },
    status: {
      ...issuing,
      ...{ fingerprint: current.fingerprint, notAfter: timestampOf(current.to), secretRef },
      caBundle: [current.certificate, ...(next ? [next.certificate] : []), ...earlier].join(''),
      ...(next && { nextFingerprint: next.fingerprint }),
      renewalTime: timestampOf(renewalTime),
      ...(since !== undefined && { unusedSince: timestampOf(since) }),
    },
    ...requeueAt(times, now),
    ...soon,
  };
}

/** The status of a CA of the user, and whether it rolled over. */
export function userProvidedReport(situation: UserProvidedSituation): Report {
  const { resource, secretRef, authority, settings, users, now } = situation;
  if (!authority || authority.to <= now) return { conditions: {}, status: keptStatus(resource) };
  const { fingerprint, from, to, chain, roots } = authority;
  if (from > now) return { conditions: {}, status: keptStatus(resource), requeueAfter: from - now };
  const present = roots.flatMap((pem) => authorityIn(pem) ?? []);
  const earlier = earlierOf({ ...situation, stored: { trusted: [] } }, present);
  const isReissuing = users.some((user) => (user.issuerFingerprint ?? fingerprint) !== fingerprint);
  const use: EarlierUse = isReissuing ? { by: 'certificates' } : earlierUse(earlier, users);
  const since = unusedSince(situation, earlier, use);
  return {
    conditions: { RolledOver: rolledOverOf(situation, use) },
    status: {
      ...{ fingerprint, notAfter: timestampOf(to), caBundle: [...roots, ...earlier].join('') },
      ...(chain.length > 0 && { chain: chain.join('') }),
      secretRef,
      ...(since !== undefined && { unusedSince: timestampOf(since) }),
    },
    ...requeueAt([to, warningTime(authority), ...(since === undefined ? [] : [since + settlingTime(settings)])], now),
  };
}

/** The bundle stays while no CA can sign: clients trust certificates that are in use. */
function keptStatus({ status }: AnyIssuer): Status {
  const { caBundle, unusedSince: since } = status ?? {};
  return { ...(caBundle !== undefined && { caBundle }), ...(since !== undefined && { unusedSince: since }) };
}

/** Since when no certificate of an earlier CA is in use. Undefined if one is, or if there is no earlier CA. */
function unusedSince(
  situation: GeneratedSituation | UserProvidedSituation,
  earlier: readonly string[],
  use: EarlierUse,
): number | undefined {
  return earlier.length === 0 || use.by !== 'nobody' ? undefined : (situation.unusedSince ?? situation.now);
}

function authorityIn(pem: string): { readonly fingerprint: string } | undefined {
  const known = parsed(pem);
  return known && { fingerprint: fingerprintOf(known) };
}

function endOf(certificate: string): number[] {
  const known = parsed(certificate);
  return known ? [validityOf(known).to] : [];
}

function requeueAt(times: readonly number[], now: number) {
  return requeueIn(...times.map((time) => time - now));
}
