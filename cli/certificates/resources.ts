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
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { listed, listedIfAllowed, notFoundError } from '../status/listed-resources.js';

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

/**
 * The resources of a namespace, and those of the cluster. A kind other than Certificate that the user may not list, or
 * that the API server does not serve, is left out with a note.
 * @param namespace undefined for all namespaces
 * @throws {Error} if the Certificates cannot be listed
 */
export async function certificateResources(cluster: Cluster, namespace: string | undefined): Promise<FoundResources> {
  const notes: string[] = [];
  const optional = <R>(kind: ObjectKind, of?: string) => listedIfAllowed<R>(cluster, kind, { namespace: of, notes });
  const [certificates, issuers, clusterIssuers, trustBundles, rotations] = await Promise.all([
    listed<CertificateResource>(cluster, certificateKind, { namespace }),
    optional<IssuerResource>(issuerKind, namespace),
    optional<ClusterIssuerResource>(clusterIssuerKind),
    optional<TrustBundleResource>(trustBundleKind),
    optional<SecretRotationResource>(secretRotationKind, namespace),
  ]);
  return { certificates, issuers, clusterIssuers, trustBundles, rotations, notes: notes.toSorted() };
}

/** The SecretRotations of a namespace. @throws {Error} if they cannot be listed */
export async function rotationResources(cluster: Cluster, namespace: string | undefined): Promise<FoundResources> {
  return { ...nothing, rotations: await listed(cluster, secretRotationKind, { namespace }) };
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
