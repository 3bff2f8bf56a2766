import type { X509Certificate } from 'node:crypto';
import type { CertificateSpec, ClusterIssuerResource, IssuerResource } from '../../../../imports/index.js';
import { certificatesIn, parsed } from '../../../certificates/reading.js';
import { type LabelSelector, selectsLabels } from '../../../runtime/index.js';

/** The part of an Issuer or ClusterIssuer that its Certificates depend on. */
export interface IssuerPart {
  readonly isAvailable: boolean;
  /** Why it is not available, for people. */
  readonly problem: string;
  readonly secretName: string;
  readonly secretNamespace?: string | undefined;
  readonly fingerprint: string;
  /** PEM. */
  readonly caBundle: string;
  /** PEM. */
  readonly chain: string;
  /** Only of a ClusterIssuer. */
  readonly namespaces?: LabelSelector | undefined;
}

/** @returns the part of an issuer */
export function issuerPart({ spec, status, metadata }: IssuerResource | ClusterIssuerResource): IssuerPart {
  const { conditions = [], secretRef, fingerprint = '', caBundle = '', chain = '' } = status ?? {};
  const available = conditions.find(({ type }) => type === 'Available');
  const isCurrent = status?.observedGeneration === metadata.generation;
  return {
    // A CA that is out of date signs until the status is that of the current spec.
    isAvailable: available?.status === 'True' && fingerprint !== '' && isCurrent,
    problem: available && available.status !== 'True' ? available.message : 'the operator has not read it yet',
    secretName: secretRef?.name ?? '',
    secretNamespace: secretRef?.namespace,
    ...{ fingerprint, caBundle, chain },
    namespaces: 'namespaces' in spec ? spec.namespaces : undefined,
  };
}

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

/** An issuer as a Certificate sees it. */
export type IssuerState =
  | AvailableIssuer
  | { readonly is: 'IssuerNotFound' | 'IssuerNotReady' | 'NamespaceNotAllowed'; readonly message: string };

interface Read {
  readonly issuer: IssuerPart | undefined;
  readonly clusterIssuer: IssuerPart | undefined;
  /** The labels of the namespace. */
  readonly namespace: Readonly<Record<string, string>> | undefined;
}

/** The state of the issuer of a Certificate. */
export function issuerStateOf({ issuer: { kind, name } }: CertificateSpec, reads: Read): IssuerState {
  const title = `${kind} ${name}`;
  const part = kind === 'Issuer' ? reads.issuer : reads.clusterIssuer;
  if (!part) {
    const place = kind === 'Issuer' ? ' in this namespace' : '';
    return { is: 'IssuerNotFound', message: `${title} does not exist${place}; create it, or correct spec.issuer` };
  }
  if (kind === 'ClusterIssuer' && !(reads.namespace && selectsLabels(part.namespaces ?? {}, reads.namespace)))
    return {
      is: 'NamespaceNotAllowed',
      message: `${title} does not allow this namespace; change spec.namespaces of the ClusterIssuer or the labels of the namespace`,
    };
  const signer = parsed(certificatesIn(part.chain)[0] ?? part.caBundle);
  if (!part.isAvailable || !signer) return { is: 'IssuerNotReady', message: `${title} is not ready: ${part.problem}` };
  const { fingerprint, chain, caBundle: trusted, secretName, secretNamespace = '' } = part;
  // An Issuer has its Secret in the namespace of the Certificate, whatever its status says.
  const secret = kind === 'Issuer' ? secretName : { namespace: secretNamespace, name: secretName };
  return { is: 'available', signer, fingerprint, chain, trusted, secret };
}
