import type { CertificateResource } from '../../../../imports/index.js';
import { childName } from '../../../../src/index.js';
import type { HandshakesAnswer } from '../../../consumers/handshakes.js';
import type { WorkloadsAnswer } from '../../../consumers/workloads.js';
import { type Facts, type LiveSecret, type Owned, type Polled, Secret } from '../../../runtime/index.js';
import type { OrderAnswer } from '../ports/acme.js';
import type { PrivateKeyAnswer } from '../ports/private-key.js';
import type { RenewalInfoAnswer } from '../ports/renewal-info.js';
import type { SigningAnswer } from '../ports/signing.js';
import type { SigningRequestAnswer } from '../ports/signing-request.js';
import { type Stores, storesFor, storesIn } from '../secrets/keystores.js';
import { type TlsTexts, textIn } from '../secrets/texts.js';
import type { CertificateReads } from './declarations.js';

/** What does not change with time. */
export interface StableView extends Pick<Facts<CertificateResource>, 'resource'> {
  readonly owned: Pick<Owned<typeof Secret>, 'of'>;
  readonly reads: CertificateReads;
}

/** The input of `desire` and `assess`. */
export interface CertificateView extends StableView, Pick<Facts<CertificateResource>, 'now'> {
  readonly polled: {
    readonly privateKey: Polled<PrivateKeyAnswer> | undefined;
    readonly signed: Polled<SigningAnswer> | undefined;
    readonly workloads: Polled<WorkloadsAnswer> | undefined;
    readonly handshakes: Polled<HandshakesAnswer> | undefined;
    readonly request: Polled<SigningRequestAnswer> | undefined;
    readonly order: Polled<OrderAnswer> | undefined;
    readonly renewalInfo: Polled<RenewalInfoAnswer> | undefined;
  };
}

/** The name of the Secret with the key of a certificate that is being issued. */
export function nextSecretName(certificate: string): string {
  return childName(certificate, 'next');
}

/** The owned Secret with the certificate. */
export function ownSecretIn({ resource, owned }: StableView): LiveSecret | undefined {
  return owned.of(Secret).find(({ metadata }) => metadata.name === resource.spec.secretName);
}

/** The Secret with the name of the spec, if somebody else owns it. */
export function othersSecretIn(view: StableView): LiveSecret | undefined {
  return ownSecretIn(view) ? undefined : view.reads.secret;
}

/** Owned Secrets with a certificate that have another name than the spec states. */
export function formerSecretsIn({ resource, owned }: StableView): readonly LiveSecret[] {
  const others = [resource.spec.secretName, nextSecretName(resource.metadata.name)];
  return owned.of(Secret).filter(({ metadata }) => !others.includes(metadata.name));
}

/** The key of the certificate that is being issued. Empty until it is stored. */
export function nextKeyIn({ resource, owned }: StableView): string {
  const name = nextSecretName(resource.metadata.name);
  return textIn(
    owned.of(Secret).find(({ metadata }) => metadata.name === name),
    'tls.key',
  );
}

/** The key stores and other formats that the Secret must have beside these texts. */
export function wantedStores(view: StableView, texts: TlsTexts): Stores {
  const { resource, reads: found } = view;
  return storesFor({ spec: resource.spec, texts, secret: found.password, live: ownSecretIn(view) });
}

/** Whether the Secret has these texts with their key stores and other formats. */
export function isStored(view: StableView, texts: TlsTexts): boolean {
  const secret = ownSecretIn(view);
  const keys = { certificate: 'tls.crt', key: 'tls.key', trusted: 'ca.crt' } as const;
  const fields = ['certificate', 'key', 'trusted'] as const;
  if (!secret || fields.some((field) => textIn(secret, keys[field]) !== texts[field])) return false;
  const [wanted, stored] = [wantedStores(view, texts), storesIn(secret)];
  return Object.entries({ ...stored, ...wanted }).every(([name]) => stored[name] === wanted[name]);
}
