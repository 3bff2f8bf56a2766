import type { X509Certificate } from 'node:crypto';
import type { CertificateResource, CertificateSpec } from '../../../../imports/index.js';
import { certificatesIn, parsed } from '../../../certificates/reading.js';
import { type ObjectName, selectsLabels } from '../../../runtime/index.js';
import { solverProblem } from '../acme/solvers.js';
import type { AcmePart, IssuerPart, IssuerSolver } from './issuer-part.js';

/** An issuer that can sign. */
export interface AvailableIssuer {
  readonly is: 'available';
  /** The CA certificate that signs. */
  readonly signer: X509Certificate;
  readonly fingerprint: string;
  /** PEM. */
  readonly chain: string;
  /** PEM. */
  readonly trusted: string;
  readonly secret: string | { readonly namespace: string; readonly name: string };
}

/** An issuer with an account at an ACME server. */
export interface AcmeIssuer extends AcmePart {
  readonly is: 'acme';
  /** The Secret with the key of the account. */
  readonly secret: string | ObjectName;
  /** Another Secret that the spec of the issuer names. */
  readonly secretNamed: (name: string) => string | ObjectName;
}

/** An issuer as a Certificate sees it, or what keeps the Certificate from using it. */
export type IssuerState =
  | AvailableIssuer
  | AcmeIssuer
  | {
      readonly is:
        | 'IssuerNotFound'
        | 'IssuerNotReady'
        | 'NamespaceNotAllowed'
        | 'RequestNotSupported'
        | 'PasswordNotFound'
        | 'InvalidPassword';
      readonly message: string;
    };

/** Whether an issuer can issue a certificate now. */
export function canIssue(issuer: IssuerState): issuer is AvailableIssuer | AcmeIssuer {
  return issuer.is === 'available' || issuer.is === 'acme';
}

/** The objects that decide about the issuer. */
export interface IssuerReads {
  readonly issuer: IssuerPart | undefined;
  readonly clusterIssuer: IssuerPart | undefined;
  /** The labels of the namespace. */
  readonly namespace: Readonly<Record<string, string>> | undefined;
}

/** The state of the issuer of a Certificate. */
export function issuerStateOf(spec: CertificateSpec, reads: IssuerReads): IssuerState {
  const { kind, name } = spec.issuer;
  const title = `${kind} ${name}`;
  const part = partOf(spec, reads);
  if (!part) {
    const place = kind === 'Issuer' ? ' in this namespace' : '';
    return { is: 'IssuerNotFound', message: `${title} does not exist${place}; create it, or correct spec.issuer` };
  }
  if (!isAllowed(part, spec, reads))
    return {
      is: 'NamespaceNotAllowed',
      message: `${title} does not allow this namespace; change spec.namespaces of the ClusterIssuer or the labels of the namespace`,
    };
  const acme = part.isAvailable ? acmeIssuerIn(spec, reads) : undefined;
  const signer = parsed(certificatesIn(part.chain)[0] ?? part.caBundle);
  const isReady = acme !== undefined || (part.isAvailable && signer !== undefined);
  const notReady = isReady ? undefined : `${title} is not ready: ${part.problem}`;
  // Only the spec can solve it, so it is reported before the issuer is ready.
  const unsupported = part.solvers && requestProblem(spec, part.solvers);
  if (unsupported !== undefined) return { is: 'RequestNotSupported', message: sentences(unsupported, notReady) };
  if (acme) return acme;
  if (notReady !== undefined || !signer) return { is: 'IssuerNotReady', message: sentences(notReady) };
  const { fingerprint, chain, caBundle: trusted, secretName } = part;
  return { is: 'available', signer, fingerprint, chain, trusted, secret: secretsOf(part, spec)(secretName) };
}

/** Whether an ACME server decides about usages and validity. */
export function isOrdered({ resource: { status }, issuer }: Ordered): boolean {
  return issuer.is === 'acme' || (issuer.is !== 'available' && status?.server !== undefined);
}

/** A Certificate and its issuer. */
export interface Ordered {
  readonly resource: Pick<CertificateResource, 'status'>;
  readonly issuer: IssuerState;
}

/** Problems as one message. */
export function sentences(...problems: readonly (string | undefined)[]): string {
  return problems.filter((one) => one !== undefined).join('; ');
}

/** An issuer with an account at an ACME server, whether it can issue now or not. Undefined of others. */
export function acmeIssuerIn(spec: CertificateSpec, reads: IssuerReads): AcmeIssuer | undefined {
  const part = partOf(spec, reads);
  if (!part?.acme || !isAllowed(part, spec, reads)) return undefined;
  const secretNamed = secretsOf(part, spec);
  return { is: 'acme', ...part.acme, secret: secretNamed(part.secretName), secretNamed };
}

function partOf({ issuer }: CertificateSpec, reads: IssuerReads): IssuerPart | undefined {
  return issuer.kind === 'Issuer' ? reads.issuer : reads.clusterIssuer;
}

function isAllowed({ namespaces = {} }: IssuerPart, { issuer }: CertificateSpec, { namespace }: IssuerReads): boolean {
  return issuer.kind === 'Issuer' || (namespace !== undefined && selectsLabels(namespaces, namespace));
}

/** An Issuer has its Secrets in the namespace of the Certificate, whatever its status says. */
function secretsOf({ secretNamespace = '' }: IssuerPart, { issuer }: CertificateSpec) {
  return (name: string) => (issuer.kind === 'Issuer' ? name : { namespace: secretNamespace, name });
}

/** Why an ACME server cannot issue what a spec states. Undefined if it can. */
function requestProblem(spec: CertificateSpec, solvers: readonly IssuerSolver[]): string | undefined {
  const { commonName, dnsNames = [], ipAddresses = [], uris = [], emailAddresses = [], isCA } = spec;
  const names = [...dnsNames, ...ipAddresses];
  if (isCA) return 'spec.isCA: Invalid value: true: must be false, because ACME servers issue no CA certificates';
  for (const [field, values] of Object.entries({ uris, emailAddresses }))
    if (values.length > 0)
      return `spec.${field}: Forbidden: must not be set, because ACME servers validate only DNS names and IP addresses; remove ${field}`;
  if (names.length === 0)
    return 'spec.dnsNames: Required value: must have a name, because ACME servers validate only DNS names and IP addresses';
  if (commonName !== undefined && !names.includes(commonName))
    return `spec.commonName: Invalid value: ${JSON.stringify(commonName)}: must be one of dnsNames or ipAddresses; add it there, or remove commonName`;
  const spelled = names.map((name) => name.toLowerCase());
  return solverProblem(spelled, solvers);
}
