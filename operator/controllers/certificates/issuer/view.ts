import { secondsOf } from '../../../../crds/index.js';
import { suffixedName } from '../../../../src/index.js';
import {
  type ConfigMap,
  type Facts,
  type LiveSecret,
  type Owned,
  type Polled,
  Secret,
} from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import type { AccountAnswer, JsonWebSignature } from '../ports/acme.js';
import type { KeyPair } from '../ports/authority.js';
import type { PrivateKeyAnswer } from '../ports/private-key.js';
import type { RevocationAnswer } from '../ports/revocation.js';
import { keyKindIn } from '../request/certificate-request.js';
import type { AuthorityLifetime, AuthoritySettings } from './authority/authority-times.js';
import type { IssuerReads } from './declarations.js';

/** What the questions follow from: it does not change with time. */
export interface StableView extends Pick<Facts<AnyIssuer>, 'resource'> {
  readonly owned: Pick<Owned<typeof Secret | typeof ConfigMap>, 'of'>;
}

/** The input of `desire` and `assess`. */
export interface IssuerView extends StableView, Pick<Facts<AnyIssuer>, 'now'> {
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
export function authoritySecretIn(view: StableView): LiveSecret | undefined {
  const name = authoritySecretName(view.resource.metadata.name);
  return view.owned.of(Secret).find(({ metadata }) => metadata.name === name);
}

/** The settings of a generated CA. Undefined for a CA of the user. */
export function settingsOf({ ca }: AnyIssuer['spec']): AuthoritySettings | undefined {
  if (ca?.commonName === undefined) return undefined;
  return { commonName: ca.commonName, privateKey: keyKindIn(ca.privateKey), ...lifetimeOf(ca) };
}

type LifetimeFields = Pick<NonNullable<AnyIssuer['spec']['ca']>, 'duration' | 'renewBefore'>;

/** How long a CA is valid, and when it is renewed. */
export function lifetimeOf({ duration, renewBefore }: LifetimeFields): AuthorityLifetime {
  const whole = secondsOf(duration) * 1000;
  return {
    duration: whole,
    renewBefore: renewBefore === undefined ? Math.floor(whole / 3) : secondsOf(renewBefore) * 1000,
  };
}
