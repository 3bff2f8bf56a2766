import { type CertificateResource, clusterIssuerKind, issuerKind } from '../../../../imports/index.js';
import { Namespace, optional, type Refer } from '../../../runtime/index.js';
import { issuerPart } from './issuer-part.js';

/** The objects that decide about the issuer. An operator that is limited to some namespaces may not read ClusterIssuers. */
export const issuerReads = (refer: Refer<CertificateResource>) => ({
  issuer: refer.named(
    issuerKind,
    ({ spec }) => (spec.issuer.kind === 'Issuer' ? spec.issuer.name : undefined),
    issuerPart,
  ),
  clusterIssuer: refer.named(
    optional(clusterIssuerKind),
    ({ spec }) => (spec.issuer.kind === 'ClusterIssuer' ? spec.issuer.name : undefined),
    issuerPart,
  ),
  namespace: refer.named(
    optional(Namespace),
    ({ metadata, spec }) => (spec.issuer.kind === 'ClusterIssuer' ? metadata.namespace : undefined),
    ({ metadata }): Readonly<Record<string, string>> => metadata.labels ?? {},
  ),
});
