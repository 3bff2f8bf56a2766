import { certificatesIn, fingerprintOf, parsed, validityOf } from '../../../certificates/reading.js';
import { shortNames } from '../../../consumers/adoption.js';
import { type Assessment, type Mark, type Outcome, timestampOf } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import { accountCall } from './acme-account.js';
import { assessAccount } from './assess-account.js';
import { type Authority, authorityProblem } from './authority-secret.js';
import type { conditions } from './conditions.js';
import { listRenewalTime, listStatus } from './revocation-list.js';
import {
  type AuthoritySettings,
  authorityRenewalTime,
  type EarlierUse,
  earlierOf,
  earlierUse,
  generationCause,
  promotionTimes,
  rolloverOf,
  settlingTime,
  usable,
} from './rollover.js';
import { type IssuerView, lifetimeOf, secretRefOf, settingsOf, situationOf, unusedSinceIn } from './view.js';

type Found = Assessment<AnyIssuer, typeof conditions>;
type Reason<Type extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[Type], string>>;

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the CA or the ACME account of an issuer. @param home namespace of the Secrets of a ClusterIssuer */
export function assess(view: IssuerView & Pick<Outcome<AnyIssuer>, 'calls'>, home: string): Found {
  return withUsers(view, assessed(view, home));
}

/** Names the Certificates for which an issuer stays after its deletion. */
function withUsers({ reads, resource }: IssuerView, found: Found): Found {
  const names = reads.users.map(({ name }) => name).toSorted();
  const { Available } = found.conditions;
  if (resource.metadata.deletionTimestamp === undefined || names.length === 0 || !Available) return found;
  const message = `The issuer stays until no Certificate refers to it: ${shortNames(names)}; delete them, or set another spec.issuer`;
  return { ...found, conditions: { ...found.conditions, Available: { ...Available, message } } };
}

function assessed(view: IssuerView & Pick<Outcome<AnyIssuer>, 'calls'>, home: string): Found {
  const { acme } = view.resource.spec;
  if (acme) return assessAccount({ ...view, call: view.calls.of(accountCall), home }, acme);
  const settings = settingsOf(view.resource.spec);
  return withList(view, settings ? assessGenerated(view, settings, home) : assessBrought(view, home));
}

/** Adds the record of the revocation list. */
function withList({ resource, owned, now }: IssuerView, found: Found): Found {
  const authority = found.status?.fingerprint;
  const crl = listStatus({ resource, owned, authority }, now.getTime());
  if (!crl) return found;
  const isNew = crl.number !== resource.status?.crl?.number;
  const { nextUpdate = '' } = crl;
  const renewal = Math.max(atOnce, listRenewalTime(nextUpdate) - now.getTime());
  const { requeueAfter = renewal } = found;
  return { ...found, status: { ...found.status, crl }, requeueAfter: isNew ? atOnce : Math.min(requeueAfter, renewal) };
}

function assessGenerated(view: IssuerView, settings: AuthoritySettings, home: string): Found {
  const situation = situationOf(view, settings);
  const { stored, users, now } = situation;
  const { current, next } = stored;
  const cause = generationCause(situation);
  const issuing = cause === undefined ? {} : { issuing: cause };
  if (!current || !usable(current, now)) {
    const isExpired = current !== undefined && current.to <= now;
    const reason = isExpired ? ('Expired' as const) : ('GeneratingCA' as const);
    const { caBundle, unusedSince } = view.resource.status ?? {};
    const kept = { ...(caBundle !== undefined && { caBundle }), ...(unusedSince !== undefined && { unusedSince }) };
    return { conditions: { Available: { reason } }, status: { ...issuing, ...kept }, ...soon(view, cause) };
  }
  const { earlier } = rolloverOf(situation);
  const use = earlierUse(earlier, users);
  const since = earlier.length === 0 || use.by !== 'nobody' ? undefined : (situation.unusedSince ?? now);
  const rolledOver: Reason<'RolledOver'> = next ? { reason: 'Publishing' } : (useMark(use) ?? { reason: 'UpToDate' });
  const times = [
    current.to,
    ...(next ? Object.values(promotionTimes(current, next, settings)) : [authorityRenewalTime(current, settings)]),
    ...(since === undefined ? [] : [since + settlingTime(settings)]),
    ...earlier.flatMap(endOf),
  ];
  const bundle = [current.certificate, ...(next ? [next.certificate] : []), ...earlier].join('');
  return {
    conditions: { Available: { reason: 'Available' }, RolledOver: rolledOver },
    status: {
      ...issuing,
      ...signerStatus(current, bundle),
      secretRef: secretRefOf(view.resource, home),
      ...(next && { nextFingerprint: next.fingerprint }),
      renewalTime: timestampOf(authorityRenewalTime(current, settings)),
      ...(since !== undefined && { unusedSince: timestampOf(since) }),
    },
    ...requeueAt(times, now),
    ...soon(view, cause),
  };
}

/** Undefined if nobody uses a certificate of an earlier CA. */
function useMark(use: EarlierUse): Reason<'RolledOver'> | undefined {
  if (use.by === 'nobody') return undefined;
  if (use.by === 'certificates') return { reason: 'Reissuing' };
  const message = `Consumers of Certificate ${shortNames(use.names)} may still use a certificate of an earlier CA; see the condition Adopted of the Certificate`;
  return { reason: 'WaitingForConsumers', message };
}

/** The status records the cause, from which the poll follows. */
function soon({ resource }: IssuerView, cause: string | undefined): { readonly requeueAfter?: number } {
  return cause === resource.status?.issuing ? {} : { requeueAfter: atOnce };
}

function signerStatus({ fingerprint, to }: Pick<Authority, 'fingerprint' | 'to'>, caBundle: string) {
  return { fingerprint, notAfter: timestampOf(to), caBundle };
}

function endOf(certificate: string): number[] {
  const known = parsed(certificate);
  return known ? [validityOf(known).to] : [];
}

function requeueAt(times: readonly number[], now: number): { readonly requeueAfter?: number } {
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? {} : { requeueAfter: Math.min(...coming) - now };
}

function assessBrought(view: IssuerView, home: string): Found {
  const { resource, reads } = view;
  const now = view.now.getTime();
  const { namespace, name } = secretRefOf(resource, home);
  const { caBundle, unusedSince } = resource.status ?? {};
  // The bundle stays: clients trust certificates that are in use.
  const kept = { ...(caBundle !== undefined && { caBundle }), ...(unusedSince !== undefined && { unusedSince }) };
  const unavailable = (mark: Reason<'Available'>): Found => ({ conditions: { Available: mark }, status: kept });
  if (!reads.brought)
    return unavailable({
      reason: 'SecretNotFound',
      message: `Secret ${name} of namespace ${namespace} does not exist; create it with tls.crt and tls.key of your CA`,
    });
  const problem = authorityProblem(reads.brought);
  if (problem !== undefined)
    return unavailable({ reason: 'InvalidCA', message: `Secret ${name} of namespace ${namespace}: ${problem}` });
  return broughtAuthority(view, home, { now, unavailable });
}

interface Brought {
  readonly now: number;
  readonly unavailable: (mark: Reason<'Available'>) => Found;
}

function broughtAuthority(view: IssuerView, home: string, { now, unavailable }: Brought): Found {
  const { resource, reads } = view;
  const { certificate = '', trusted = '' } = reads.brought ?? {};
  const all = certificatesIn(certificate);
  const signer = parsed(all[0] ?? '');
  if (!signer) return unavailable({ reason: 'InvalidCA' });
  const { from, to } = validityOf(signer);
  if (to <= now) return unavailable({ reason: 'Expired' });
  if (from > now) {
    const message = `The validity of the CA certificate starts at ${timestampOf(from)}; check the clocks`;
    return { ...unavailable({ reason: 'InvalidCA', message }), requeueAfter: from - now };
  }
  const isRoot = (pem: string) => parsed(pem)?.subject === parsed(pem)?.issuer;
  const chain = all.filter((pem) => !isRoot(pem));
  const given = certificatesIn(trusted);
  const roots = given.length > 0 ? given : all.slice(-1);
  const present = roots.flatMap((pem) => {
    const known = parsed(pem);
    return known ? [{ fingerprint: fingerprintOf(known) }] : [];
  });
  const settings = lifetimeOf(resource.spec.ca ?? { duration: '90d' });
  const { caBundle = '' } = resource.status ?? {};
  const unusedSince = unusedSinceIn(view);
  const { users } = reads;
  const known = { stored: { trusted: [] }, published: caBundle, users, unusedSince, now, settings };
  const earlier = earlierOf(known, present);
  const fingerprint = fingerprintOf(signer);
  const isReissuing = users.some((user) => (user.issuerFingerprint ?? fingerprint) !== fingerprint);
  const use: EarlierUse = isReissuing ? { by: 'certificates' } : earlierUse(earlier, users);
  const since = earlier.length === 0 || use.by !== 'nobody' ? undefined : (unusedSince ?? now);
  const warnAt = to - Math.floor((to - from) / 10);
  const otherwise = { reason: now >= warnAt ? ('RenewalNeeded' as const) : ('UpToDate' as const) };
  return {
    conditions: { Available: { reason: 'Available' }, RolledOver: useMark(use) ?? otherwise },
    status: {
      ...signerStatus({ fingerprint, to }, [...roots, ...earlier].join('')),
      ...(chain.length > 0 && { chain: chain.join('') }),
      secretRef: secretRefOf(resource, home),
      ...(since !== undefined && { unusedSince: timestampOf(since) }),
    },
    ...requeueAt(
      [to, warnAt, ...(since === undefined ? [] : [since + settlingTime(settings as AuthoritySettings)])],
      now,
    ),
  };
}
