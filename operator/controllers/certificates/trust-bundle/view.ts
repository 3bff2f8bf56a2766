import { createHash } from 'node:crypto';
import {
  clusterIssuerKind,
  issuerKind,
  type TrustBundleResource,
  type TrustBundleSpecSources,
} from '../../../../imports/index.js';
import { publicAuthorities } from '../../../certificates/public-authorities.js';
import {
  ConfigMap,
  type Facts,
  type Found,
  Namespace,
  type Owned,
  optional,
  type Refer,
  Secret,
  selectsLabels,
} from '../../../runtime/index.js';
import { textIn } from '../secrets/texts.js';
import { type Bundle, bundleOf, type SourceText } from './bundle.js';

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

/** What a TrustBundle is judged by. */
export interface TrustBundleView extends Pick<Facts<TrustBundleResource>, 'resource' | 'now'> {
  readonly owned: Pick<Owned<typeof ConfigMap>, 'of'>;
  readonly reads: Found<ReturnType<typeof reads>>;
}

/** The certificates of the sources, in their order. */
function sourceTexts({ resource, reads: found }: TrustBundleView): readonly SourceText[] {
  // Each read has its objects in the order of the sources that name them.
  const at = { issuer: 0, clusterIssuer: 0, configMap: 0, secret: 0 };
  return resource.spec.sources.map(({ issuer, configMap, secret, inline }): SourceText => {
    if (issuer?.kind === 'ClusterIssuer')
      return { title: `ClusterIssuer ${issuer.name}`, text: found.clusterIssuers[at.clusterIssuer++] };
    if (issuer) return { title: `Issuer ${issuer.namespace}/${issuer.name}`, text: found.issuers[at.issuer++] };
    if (configMap) {
      const text = found.configMaps[at.configMap++]?.data?.[configMap.key];
      return { title: `Key ${configMap.key} of ConfigMap ${configMap.namespace}/${configMap.name}`, text };
    }
    if (secret) {
      const live = found.secrets[at.secret++];
      const text = live?.data?.[secret.key] === undefined ? undefined : textIn(live, secret.key);
      return { title: `Key ${secret.key} of Secret ${secret.namespace}/${secret.name}`, text };
    }
    return inline === undefined
      ? { title: 'The list of public CAs', text: publicAuthorities().join('\n') }
      : { title: 'An inline source', text: inline };
  });
}

/** The bundle that the sources give now. */
export function bundleIn(view: TrustBundleView): Bundle {
  return bundleOf(sourceTexts(view), view.now.getTime());
}

/** The names of the namespaces that get the bundle. */
export function targetsOf({ resource, reads: { namespaces } }: TrustBundleView): readonly string[] {
  return namespaces.flatMap(({ name, labels, isTerminating }) =>
    !isTerminating && selectsLabels(resource.spec.namespaces, labels) ? [name] : [],
  );
}

/** The hash of a bundle. */
export function bundleHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The bundle that was published last, from any of its ConfigMaps. Users can edit these, and what one of them adds in its own
 * namespace must not reach the others, so only content with the hash in the status counts.
 */
export function publishedIn({ resource, owned }: TrustBundleView): string | undefined {
  const { hash } = resource.status ?? {};
  const texts = owned.of(ConfigMap).flatMap(({ data }) => Object.values(data ?? {}));
  return hash === undefined ? undefined : texts.find((text) => bundleHash(text) === hash);
}
