import {
  type CertificateResource,
  type ClusterIssuerResource,
  certificateKind,
  clusterIssuerKind,
  type IssuerResource,
  issuerKind,
  type SecretRotationResource,
  secretRotationKind,
  type TrustBundleResource,
  trustBundleKind,
} from '../../imports/index.js';
import { isApiError, isNotServed } from '../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { notServedError } from '../cluster/named-resource.js';

/** The resources that a command shows. */
export interface FoundResources {
  readonly issuers: readonly IssuerResource[];
  readonly clusterIssuers: readonly ClusterIssuerResource[];
  readonly certificates: readonly CertificateResource[];
  readonly trustBundles: readonly TrustBundleResource[];
  readonly rotations: readonly SecretRotationResource[];
  /** Why some kinds are not shown. */
  readonly notes: readonly string[];
}

const nothing: FoundResources = {
  ...{ issuers: [], clusterIssuers: [], certificates: [], trustBundles: [], rotations: [], notes: [] },
};

/** Objects in a page of a list. */
const limit = 500;

/**
 * The resources of a namespace, and those of the cluster. A kind other than Certificate that the user may not list, or
 * that the API server does not serve, is left out with a note.
 * @param namespace undefined for all namespaces
 * @throws {Error} if the Certificates cannot be listed
 */
export async function certificateResources(cluster: Cluster, namespace: string | undefined): Promise<FoundResources> {
  const notes: string[] = [];
  const optional = async <R>(kind: ObjectKind, of?: string): Promise<readonly R[]> => {
    try {
      return await listed<R>(cluster, kind, of);
    } catch (error) {
      if (!isApiError(error, 'Forbidden') && !isNotServed(error)) throw error;
      notes.push(`${kind.kind} is not shown: ${errorFor(kind, error).message}`);
      return [];
    }
  };
  const [certificates, issuers, clusterIssuers, trustBundles, rotations] = await Promise.all([
    required<CertificateResource>(cluster, certificateKind, namespace),
    optional<IssuerResource>(issuerKind, namespace),
    optional<ClusterIssuerResource>(clusterIssuerKind),
    optional<TrustBundleResource>(trustBundleKind),
    optional<SecretRotationResource>(secretRotationKind, namespace),
  ]);
  return { certificates, issuers, clusterIssuers, trustBundles, rotations, notes: notes.toSorted() };
}

/** The SecretRotations of a namespace. @throws {Error} if they cannot be listed */
export async function rotationResources(cluster: Cluster, namespace: string | undefined): Promise<FoundResources> {
  return { ...nothing, rotations: await required(cluster, secretRotationKind, namespace) };
}

/** A Certificate with its issuer. @throws {Error} if it does not exist */
export function oneCertificate(found: FoundResources, name: ObjectName): FoundResources {
  const certificates = found.certificates.filter(({ metadata }) => metadata.name === name.name);
  const [certificate] = certificates;
  if (!certificate) throw notFoundError('Certificate', name);
  const { issuer } = certificate.spec;
  const isIssuer = ({ metadata }: { readonly metadata: ObjectName }) => metadata.name === issuer.name;
  const isClusterWide = issuer.kind === 'ClusterIssuer';
  return {
    ...{ ...nothing, certificates, notes: found.notes },
    issuers: isClusterWide ? [] : found.issuers.filter(isIssuer),
    clusterIssuers: isClusterWide ? found.clusterIssuers.filter(isIssuer) : [],
  };
}

/** A SecretRotation. @throws {Error} if it does not exist */
export function oneRotation(found: FoundResources, name: ObjectName): FoundResources {
  const rotations = found.rotations.filter(({ metadata }) => metadata.name === name.name);
  if (rotations.length === 0) throw notFoundError('SecretRotation', name);
  return { ...nothing, rotations };
}

/** For users: a resource does not exist. */
export function notFoundError(kind: string, name: ObjectName): Error {
  return new Error(`${kind} ${keyOf(name)} not found; check the name and --namespace`);
}

async function required<R>(cluster: Cluster, kind: ObjectKind, namespace: string | undefined): Promise<readonly R[]> {
  try {
    return await listed<R>(cluster, kind, namespace);
  } catch (error) {
    throw errorFor(kind, error);
  }
}

function errorFor(kind: ObjectKind, error: unknown): Error {
  return isNotServed(error) ? notServedError(kind, error) : (error as Error);
}

async function listed<R>(cluster: Cluster, kind: ObjectKind, namespace?: string): Promise<readonly R[]> {
  const items: LiveObject[] = [];
  let next: string | undefined;
  do {
    const page = await cluster.list(kind, { namespace, limit, continue: next });
    items.push(...page.items);
    next = page.continue;
  } while (next !== undefined);
  return items as unknown as readonly R[];
}
