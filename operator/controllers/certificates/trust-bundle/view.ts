import type { TrustBundleResource } from '../../../../imports/index.js';
import { publicAuthorities } from '../../../certificates/public-authorities.js';
import { ConfigMap, type Facts, type Owned, selectsLabels } from '../../../runtime/index.js';
import { issuerIndex } from '../issuer-reference/issuer-index.js';
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
  const at = { issuer: 0, clusterIssuer: 0, configMap: 0, secret: 0, inline: 0 };
  return resource.spec.sources.map(({ issuer, configMap, secret, inline }): SourceText => {
    if (issuer) {
      const isCluster = issuer.kind === 'ClusterIssuer';
      const text = isCluster ? found.clusterIssuers[at.clusterIssuer++] : found.issuers[at.issuer++];
      const title = isCluster ? `ClusterIssuer ${issuer.name}` : `Issuer ${issuer.namespace}/${issuer.name}`;
      return { id: issuerIndex(issuer), title, text };
    }
    if (configMap) {
      const { namespace, name, key } = configMap;
      const text = found.configMaps[at.configMap++]?.data?.[key];
      const title = `Key ${key} of ConfigMap ${namespace}/${name}`;
      return { id: `ConfigMap/${namespace}/${name}/${key}`, title, text };
    }
    if (secret) {
      const { namespace, name, key } = secret;
      const live = found.secrets[at.secret++];
      const text = live?.data?.[key] === undefined ? undefined : textIn(live, key);
      return { id: `Secret/${namespace}/${name}/${key}`, title: `Key ${key} of Secret ${namespace}/${name}`, text };
    }
    return inline === undefined
      ? { id: undefined, title: 'The list of public CAs', text: publicAuthorities().join('\n') }
      : { id: `inline/${at.inline++}`, title: 'An inline source', text: inline };
  });
}

/** The bundle that the sources give now. */
export function bundleIn(view: TrustBundleView): Bundle {
  const { hash, sources } = view.resource.status ?? {};
  const recorded = sources?.map(({ source: id = '', fingerprints = [] }) => ({ id, fingerprints }));
  return bundleOf(sourceTexts(view), view.now.getTime(), {
    // It hashes each ConfigMap, so only a source that fails asks for it.
    get text() {
      return publishedIn(view);
    },
    isPublished: hash !== undefined,
    sources: recorded,
  });
}

/** The selected namespaces that do not have a bundle. @param text PEM */
export function namespacesWithout(text: string, view: TrustBundleView): readonly string[] {
  const { configMap, key } = view.resource.spec.target;
  const having = new Set(
    view.owned
      .of(ConfigMap)
      .filter(({ metadata, data }) => metadata.name === configMap && data?.[key] === text)
      .map(({ metadata }) => metadata.namespace),
  );
  return targetsOf(view).filter((namespace) => !having.has(namespace));
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
function publishedIn({ resource, owned }: TrustBundleView): string | undefined {
  const { hash } = resource.status ?? {};
  const texts = owned.of(ConfigMap).flatMap(({ data }) => Object.values(data ?? {}));
  return hash === undefined ? undefined : texts.find((text) => bundleHash(text) === hash);
}
