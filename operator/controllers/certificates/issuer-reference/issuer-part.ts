import type { ClusterIssuerResource, IssuerResource } from '../../../../imports/index.js';
import { conditionOf, type LabelSelector } from '../../../runtime/index.js';
import type { AcmeAccount } from '../ports/acme.js';

/** A resource of either kind. */
export type AnyIssuer = IssuerResource | ClusterIssuerResource;

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
  /** Only of an ACME issuer, even if it has no account yet. */
  readonly solvers?: readonly IssuerSolver[] | undefined;
  /** Only of an ACME issuer with an account. */
  readonly acme?: AcmePart | undefined;
}

/** A solver of an ACME issuer. */
export type IssuerSolver = NonNullable<IssuerResource['spec']['acme']>['solvers'][number];

/** What orders need of an ACME issuer. */
export interface AcmePart {
  readonly account: AcmeAccount;
  readonly profile: string | undefined;
  readonly solvers: readonly IssuerSolver[];
}

/** @returns the part of an issuer */
export function issuerPart({ spec, status, metadata }: AnyIssuer): IssuerPart {
  const { secretRef, fingerprint = '', caBundle = '', chain = '' } = status ?? {};
  const acme = acmePart(spec, status);
  const available = conditionOf({ status }, 'Available');
  const isCurrent = status?.observedGeneration === metadata.generation;
  return {
    // A CA that is out of date signs until the status is that of the current spec.
    isAvailable: available?.status === 'True' && (fingerprint !== '' || acme !== undefined) && isCurrent,
    problem: available && available.status !== 'True' ? available.message : 'the operator has not read it yet',
    secretName: secretRef?.name ?? '',
    secretNamespace: secretRef?.namespace,
    ...{ fingerprint, caBundle, chain },
    namespaces: 'namespaces' in spec ? spec.namespaces : undefined,
    solvers: spec.acme?.solvers,
    acme,
  };
}

function acmePart({ acme }: IssuerResource['spec'], status: IssuerResource['status']): AcmePart | undefined {
  const { server, url } = status?.account ?? {};
  if (!acme || url === undefined || server !== acme.server) return undefined;
  const { caBundle, profile, solvers } = acme;
  const account = { directory: server, account: url, ...(caBundle !== undefined && { caBundle }) };
  return { account, profile, solvers };
}
