import { certificatesIn, fingerprintOf, isOfKind, namesOf, parsed, validityOf } from '../../../certificates/reading.js';
import type { ObjectName, Polled } from '../../../runtime/index.js';
import { pollValueOf } from '../../../runtime/index.js';
import { issuerIndex } from '../issuer-reference/issuer-index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import type { AccountAnswer, JsonWebSignature } from '../ports/acme.js';
import type { KeyPair } from '../ports/authority.js';
import { type AcmeSettings, accountKeyIn } from './account/acme-account.js';
import {
  type Authority,
  authorityProblem,
  type StoredAuthorities,
  storedAuthorities,
  type UserProvidedSecret,
} from './authority/authority-secret.js';
import {
  type AuthorityLifetime,
  type AuthoritySettings,
  authorityRenewalTime,
  usable,
} from './authority/authority-times.js';
import type { IssuerUser } from './authority/earlier-authorities.js';
import { bundlesOf, type IssuerBundle } from './authority/trust-bundles.js';
import { authoritySecretIn, type IssuerView, lifetimeOf, secretRefOf, settingsOf } from './view.js';

/** What an issuer with a CA follows from. Times are in milliseconds since 1970. */
interface AuthoritySituation {
  readonly resource: AnyIssuer;
  /** The Secret with the key of the CA. */
  readonly secretRef: ObjectName;
  /** The bundle in the status, PEM. */
  readonly published: string;
  readonly users: readonly IssuerUser[];
  /** The TrustBundles that name the issuer. */
  readonly bundles: readonly IssuerBundle[];
  /** Since when no certificate of an earlier CA is in use. */
  readonly unusedSince?: number | undefined;
  readonly now: number;
}

/** An issuer whose CA the operator generates. */
export interface GeneratedSituation extends AuthoritySituation {
  readonly is: 'generated';
  readonly settings: AuthoritySettings;
  readonly stored: StoredAuthorities;
  /** Whether the status records that a CA is generated. */
  readonly isIssuing: boolean;
  /** The generated CA. */
  readonly generated?: KeyPair | undefined;
}

/** An issuer whose CA is in a Secret of the user. */
export interface UserProvidedSituation extends AuthoritySituation {
  readonly is: 'userProvided';
  readonly settings: AuthorityLifetime;
  /** Undefined if the Secret does not exist. */
  readonly secret: UserProvidedSecret | undefined;
  /** Why the Secret cannot sign. */
  readonly problem?: string | undefined;
  /** Undefined if the Secret does not exist, or if it has no CA. */
  readonly authority?: UserProvidedAuthority | undefined;
}

/** The CA in a Secret of the user. */
export interface UserProvidedAuthority extends Pick<Authority, 'fingerprint' | 'from' | 'to'> {
  /** The CA certificates between the signer and its root, PEM. */
  readonly chain: readonly string[];
  /** The CA certificates that clients must trust, PEM. */
  readonly roots: readonly string[];
}

/** An issuer with an account at an ACME server. */
export interface AccountSituation {
  readonly is: 'account';
  readonly resource: AnyIssuer;
  readonly acme: AcmeSettings;
  /** The stored private key of the account. */
  readonly key: string | undefined;
  readonly account: Polled<AccountAnswer> | undefined;
  readonly binding: Polled<JsonWebSignature> | undefined;
}

/** What an issuer follows from. */
export type Situation = GeneratedSituation | UserProvidedSituation | AccountSituation;

/** What an issuer follows from. @param home namespace of the Secrets of a ClusterIssuer */
export function situationOf(view: IssuerView, home: string): Situation {
  const { resource, polled, reads } = view;
  const { spec, status } = resource;
  const { account, binding } = polled;
  if (spec.acme) return { is: 'account', resource, acme: spec.acme, key: accountKeyIn(view), account, binding };
  const shared = {
    ...{ resource, secretRef: secretRefOf(resource, home), published: status?.caBundle ?? '', users: reads.users },
    ...{ bundles: bundlesIn(view), unusedSince: unusedSinceIn(view), now: view.now.getTime() },
  };
  const settings = settingsOf(spec);
  if (!settings) {
    const { userProvided: secret } = reads;
    const problem = secret && authorityProblem(secret);
    const authority = secret && problem === undefined ? userProvidedAuthority(secret) : undefined;
    const lifetime = lifetimeOf(spec.ca ?? { duration: '90d' });
    return { is: 'userProvided', ...shared, settings: lifetime, secret, problem, authority };
  }
  return {
    ...{ is: 'generated', ...shared, settings, stored: storedAuthorities(authoritySecretIn(view)) },
    isIssuing: status?.issuing !== undefined,
    generated: pollValueOf(polled.authority),
  };
}

function bundlesIn({ resource: { kind, metadata }, reads }: IssuerView): readonly IssuerBundle[] {
  const { namespace, name } = metadata;
  return bundlesOf(reads.bundles, issuerIndex({ kind: kind as 'Issuer', namespace, name }));
}

/** A time in the future is one of a clock that was wrong. */
function unusedSinceIn({ resource: { status }, now }: IssuerView): number | undefined {
  return status?.unusedSince === undefined ? undefined : Math.min(Date.parse(status.unusedSince), now.getTime());
}

function userProvidedAuthority({ certificate, trusted }: UserProvidedSecret): UserProvidedAuthority | undefined {
  const all = certificatesIn(certificate);
  const signer = parsed(all[0] ?? '');
  if (!signer) return undefined;
  const isRoot = (pem: string) => parsed(pem)?.subject === parsed(pem)?.issuer;
  const given = certificatesIn(trusted);
  return {
    ...{ fingerprint: fingerprintOf(signer), ...validityOf(signer) },
    chain: all.filter((pem) => !isRoot(pem)),
    roots: given.length > 0 ? given : all.slice(-1),
  };
}

/** Why the operator must generate a CA. */
export type GenerationCause = 'Missing' | 'Expired' | 'NotYetValid' | 'Expiring' | 'SpecChanged';

/** Undefined while a CA is usable and no other is due. */
export function generationCause({ stored, settings, now }: GeneratedSituation): GenerationCause | undefined {
  const { current, next } = stored;
  if (usable(next, now)) return undefined;
  if (!current) return 'Missing';
  if (current.to <= now) return 'Expired';
  if (!usable(current, now) || (next && next.to > now)) return 'NotYetValid';
  if (now >= authorityRenewalTime(current, settings)) return 'Expiring';
  return isAsWanted(current, settings) ? undefined : 'SpecChanged';
}

function isAsWanted({ certificate, key }: Authority, { commonName, privateKey }: AuthoritySettings): boolean {
  const known = parsed(certificate);
  return known !== undefined && namesOf(known).commonName === commonName && isOfKind(key, privateKey);
}
