import type { X509Certificate } from 'node:crypto';
import type { CertificateResource } from '../../../../imports/index.js';
import { childName } from '../../../../src/index.js';
import { certificatesIn, parsed, serialNumberOf } from '../../../certificates/reading.js';
import type { HandshakesAnswer } from '../../../consumers/handshakes.js';
import type { WorkloadsAnswer } from '../../../consumers/workloads.js';
import {
  type Facts,
  type Found,
  type LiveSecret,
  type Owned,
  type Polled,
  type Refer,
  Secret,
} from '../../../runtime/index.js';
import type { OrderAnswer } from '../ports/acme.js';
import type { PrivateKeyAnswer } from '../ports/private-key.js';
import type { RenewalInfoAnswer } from '../ports/renewal-info.js';
import type { SigningAnswer } from '../ports/signing.js';
import type { SigningRequestAnswer } from '../ports/signing-request.js';
import { textIn } from '../secret-data.js';
import { canIssue, type IssuerState, issuerReads, issuerStateOf, sentences } from './issuer-state.js';
import { passwordProblem, passwordReferenceIn, type Stores, storesFor, storesIn } from './keystores.js';
import { restored, type Situation, type TlsTexts } from './situation.js';

/** Objects that the controller reads. */
export const reads = (refer: Refer<CertificateResource>) => ({
  /** The Secret, also if somebody else owns it. */
  secret: refer.named(Secret, ({ spec }) => spec.secretName),
  /** The Secret with the password of key stores. */
  password: refer.named(Secret, ({ spec }) => passwordReferenceIn(spec)?.name),
  ...issuerReads(refer),
});

/** The objects that `reads` finds. */
export type CertificateReads = Found<ReturnType<typeof reads>>;

/** What does not change with time. */
export interface StableView extends Pick<Facts<CertificateResource>, 'resource'> {
  readonly owned: Pick<Owned<typeof Secret>, 'of'>;
  readonly reads: CertificateReads;
}

/** What a Certificate is judged by. */
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

/** The texts of a Secret with a certificate. */
export function tlsTextsIn(secret: LiveSecret | undefined): TlsTexts | undefined {
  return (
    secret && {
      certificate: onlyCertificates(textIn(secret, 'tls.crt')),
      key: textIn(secret, 'tls.key'),
      trusted: textIn(secret, 'ca.crt'),
    }
  );
}

/** A text without private keys and others that a user has put beside the certificates, because a status has a copy of it. */
function onlyCertificates(text: string): string {
  const isPure = !/-----BEGIN (?!CERTIFICATE-----)/.test(text);
  return isPure ? text : certificatesIn(text).join('');
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

/** What decides whether a certificate must be issued. */
export function situationOf(view: StableView): Situation {
  const { resource } = view;
  const secret = restored({ secret: tlsTextsIn(ownSecretIn(view)), resource });
  return {
    resource,
    secret,
    certificate: leafIn(secret),
    issuer: issuerOf(view),
  };
}

/** Characters of a serial number in a status. RFC 5280 allows 40. */
const longestSerial = 64;

/** The first certificate. One with a serial number that no status can have counts as unreadable. */
function leafIn(secret: TlsTexts | undefined): X509Certificate | undefined {
  const certificate = parsed(secret?.certificate ?? '');
  return certificate && serialNumberOf(certificate).length <= longestSerial ? certificate : undefined;
}

/** The issuer. A problem of the password is reported beside that of the issuer. */
function issuerOf({ resource, reads: found }: StableView): IssuerState {
  const issuer = issuerStateOf(resource.spec, found);
  const problem = passwordProblem(resource.spec, found.password);
  if (!problem) return issuer;
  return canIssue(issuer) ? problem : { ...problem, message: sentences(problem.message, issuer.message) };
}
