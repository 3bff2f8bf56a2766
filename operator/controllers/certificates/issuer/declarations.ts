import { type CertificateResource, certificateKind, trustBundleKind } from '../../../../imports/index.js';
import { ConfigMap, type Found, optional, type Refer, Secret } from '../../../runtime/index.js';
import { issuerIndex } from '../issuer-reference/issuer-index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import { textIn } from '../secrets/texts.js';
import type { UserProvidedSecret } from './authority/authority-secret.js';
import type { IssuerUser } from './authority/earlier-authorities.js';
import { issuersIn, namingBundle } from './authority/trust-bundles.js';

/** Kinds that an issuer owns. */
export const owns = [Secret, ConfigMap] as const;

/** The objects that the controllers read. @param home namespace of the Secrets of a ClusterIssuer */
export const readsFrom = (home: string) => (refer: Refer<AnyIssuer>) => ({
  userProvided: refer.named(
    Secret,
    ({ metadata, spec }) =>
      spec.ca?.secretName === undefined
        ? undefined
        : { namespace: metadata.namespace ?? home, name: spec.ca.secretName },
    (secret): UserProvidedSecret => ({
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
  /** An operator that is limited to some namespaces may not read them. */
  bundles: refer.byIndex(
    optional(trustBundleKind),
    { indexFunc: issuersIn, values: ({ kind, metadata }) => [issuerIndex({ kind: kind as 'Issuer', ...metadata })] },
    namingBundle,
  ),
});

/** The objects that `readsFrom` finds. */
export type IssuerReads = Found<ReturnType<ReturnType<typeof readsFrom>>>;
