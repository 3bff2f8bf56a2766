import { secondsOf } from '../../../../crds/index.js';
import { type CertificateResource, certificateKind } from '../../../../imports/index.js';
import { suffixedName } from '../../../../src/index.js';
import {
  type ConfigMap,
  type Facts,
  type Found,
  type LiveSecret,
  type Owned,
  type Polled,
  type Refer,
  Secret,
} from '../../../runtime/index.js';
import { issuerIndex } from '../issuer-reference/issuer-index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import type { AccountAnswer, JsonWebSignature } from '../ports/acme.js';
import type { KeyPair } from '../ports/authority.js';
import type { PrivateKeyAnswer } from '../ports/private-key.js';
import type { RevocationAnswer } from '../ports/revocation.js';
import { keyKindIn } from '../request/certificate-request.js';
import { textIn } from '../secrets/texts.js';
import { type BroughtSecret, storedAuthorities } from './authority-secret.js';
import type { AuthoritySettings, IssuerUser, RolloverSituation } from './rollover.js';

/** The objects that the controllers read. @param home namespace of the Secrets of a ClusterIssuer */
export const readsFrom = (home: string) => (refer: Refer<AnyIssuer>) => ({
  brought: refer.named(
    Secret,
    ({ metadata, spec }) =>
      spec.ca?.secretName === undefined
        ? undefined
        : { namespace: metadata.namespace ?? home, name: spec.ca.secretName },
    (secret): BroughtSecret => ({
      certificate: textIn(secret, 'tls.crt'),
      key: textIn(secret, 'tls.key'),
      trusted: textIn(secret, 'ca.crt'),
    }),
  ),
  users: refer.byIndex(
    certificateKind,
    {
      indexFunc: ({ metadata, spec }: CertificateResource) => [
        issuerIndex({ ...spec.issuer, namespace: metadata.namespace }),
      ],
      values: ({ kind, metadata }) => [issuerIndex({ kind: kind as 'Issuer', ...metadata })],
    },
    ({ metadata, status }): IssuerUser => ({
      name: metadata.name,
      issuerFingerprint: status?.issuerFingerprint,
      earlierIssuerFingerprints: status?.earlierIssuerFingerprints ?? [],
      trustedFingerprints: status?.trustedFingerprints ?? [],
      isAdopted: (status?.conditions ?? []).every(({ type, status: is }) => type !== 'Adopted' || is === 'True'),
    }),
  ),
});

/** The objects that `readsFrom` finds. */
export type IssuerReads = Found<ReturnType<ReturnType<typeof readsFrom>>>;

/** What an issuer is judged by. */
export interface IssuerView extends Pick<Facts<AnyIssuer>, 'resource' | 'now'> {
  readonly owned: Pick<Owned<typeof Secret | typeof ConfigMap>, 'of'>;
  readonly reads: IssuerReads;
  readonly polled: {
    readonly authority: Polled<KeyPair> | undefined;
    readonly revocation: Polled<RevocationAnswer> | undefined;
    readonly accountKey: Polled<PrivateKeyAnswer> | undefined;
    readonly account: Polled<AccountAnswer> | undefined;
    readonly binding: Polled<JsonWebSignature> | undefined;
  };
}

/** Whether an issuer is deleted, and no Certificate refers to it any more. */
export function isUnused({ reads, resource }: Pick<IssuerView, 'reads' | 'resource'>): boolean {
  return resource.metadata.deletionTimestamp !== undefined && reads.users.length === 0;
}

/** The name of the Secret of a generated CA. */
export function authoritySecretName(issuer: string): string {
  return suffixedName(issuer, 'ca');
}

/** The Secret with the key of the CA. */
export function secretRefOf({ metadata, spec }: AnyIssuer, home: string) {
  return {
    namespace: metadata.namespace ?? home,
    name: spec.ca?.secretName ?? authoritySecretName(metadata.name),
  };
}

/** The Secret of a generated CA, if it exists. */
export function authoritySecretIn(view: Pick<IssuerView, 'resource' | 'owned'>): LiveSecret | undefined {
  const name = authoritySecretName(view.resource.metadata.name);
  return view.owned.of(Secret).find(({ metadata }) => metadata.name === name);
}

/** The settings of a generated CA. Undefined for a CA of the user. */
export function settingsOf({ ca }: AnyIssuer['spec']): AuthoritySettings | undefined {
  if (ca?.commonName === undefined) return undefined;
  return { commonName: ca.commonName, privateKey: keyKindIn(ca.privateKey), ...lifetimeOf(ca) };
}

/** Milliseconds. */
export function lifetimeOf({
  duration,
  renewBefore,
}: {
  readonly duration: string;
  readonly renewBefore?: string | undefined;
}) {
  const whole = secondsOf(duration) * 1000;
  return {
    duration: whole,
    renewBefore: renewBefore === undefined ? Math.floor(whole / 3) : secondsOf(renewBefore) * 1000,
  };
}

/** Since when no certificate of an earlier CA is in use. A time in the future is one of a clock that was wrong. */
export function unusedSinceIn({ resource: { status }, now }: Pick<IssuerView, 'resource' | 'now'>): number | undefined {
  return status?.unusedSince === undefined ? undefined : Math.min(Date.parse(status.unusedSince), now.getTime());
}

/** What decides about the generated CA. */
export function situationOf(view: IssuerView, settings: AuthoritySettings): RolloverSituation {
  const { status } = view.resource;
  const { authority } = view.polled;
  return {
    settings,
    stored: storedAuthorities(authoritySecretIn(view)),
    published: status?.caBundle ?? '',
    isIssuing: status?.issuing !== undefined,
    generated: authority?.known ? authority.value : undefined,
    users: view.reads.users,
    unusedSince: unusedSinceIn(view),
    now: view.now.getTime(),
  };
}
