import type { TrustBundleResource } from '../../../../imports/index.js';
import { publicAuthorities } from '../../../certificates/public-authorities.js';
import { ConfigMap, type Facts, type Owned, selectsLabels } from '../../../runtime/index.js';
import { textIn } from '../secrets/texts.js';
import { type Bundle, bundleHash, bundleOf, type SourceText } from './bundle.js';
import type { TrustBundleReads } from './declarations.js';

/** The input of `desire` and `assess`. */
export interface TrustBundleView extends Pick<Facts<TrustBundleResource>, 'resource' | 'now'> {
  readonly owned: Pick<Owned<typeof ConfigMap>, 'of'>;
  readonly reads: TrustBundleReads;
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

/**
 * The bundle that was published last, from any of its ConfigMaps. Users can edit these, and what one of them adds in its own
 * namespace must not reach the others, so only content with the hash in the status counts.
 */
export function publishedIn({ resource, owned }: TrustBundleView): string | undefined {
  const { hash } = resource.status ?? {};
  const texts = owned.of(ConfigMap).flatMap(({ data }) => Object.values(data ?? {}));
  return hash === undefined ? undefined : texts.find((text) => bundleHash(text) === hash);
}
