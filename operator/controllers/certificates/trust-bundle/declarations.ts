import {
  clusterIssuerKind,
  issuerKind,
  type TrustBundleResource,
  type TrustBundleSpecSources,
} from '../../../../imports/index.js';
import { ConfigMap, type Found, Namespace, optional, type Refer, Secret } from '../../../runtime/index.js';

/** Kinds that a TrustBundle owns. */
export const owns = [ConfigMap] as const;

type Source = TrustBundleSpecSources;

const of = <T>({ spec }: Pick<TrustBundleResource, 'spec'>, part: (source: Source) => T | undefined): T[] =>
  spec.sources.flatMap((source) => part(source) ?? []);
const issuerIn = ({ issuer }: Source) => (issuer?.kind === 'Issuer' ? issuer : undefined);
const clusterIssuerIn = ({ issuer }: Source) => (issuer?.kind === 'ClusterIssuer' ? issuer : undefined);
const placeIn = ({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }) => ({
  namespace: namespace ?? '',
  name,
});

/** Objects that the controller reads. */
export const reads = (refer: Refer<TrustBundleResource>) => ({
  namespaces: refer.matchingLabels(
    optional(Namespace),
    () => ({ labels: {} }),
    ({ metadata }) => ({
      name: metadata.name,
      labels: metadata.labels ?? {},
      isTerminating: metadata.deletionTimestamp !== undefined,
    }),
  ),
  issuers: refer.eachNamed(
    issuerKind,
    (bundle) => of(bundle, issuerIn).map(placeIn),
    ({ status }) => status?.caBundle ?? '',
  ),
  clusterIssuers: refer.eachNamed(
    optional(clusterIssuerKind),
    (bundle) => of(bundle, clusterIssuerIn).map(({ name }) => name),
    ({ status }) => status?.caBundle ?? '',
  ),
  configMaps: refer.eachNamed(ConfigMap, (bundle) => of(bundle, ({ configMap }) => configMap).map(placeIn)),
  secrets: refer.eachNamed(Secret, (bundle) => of(bundle, ({ secret }) => secret).map(placeIn)),
});

/** The objects that `reads` finds. */
export type TrustBundleReads = Found<ReturnType<typeof reads>>;
