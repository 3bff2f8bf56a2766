import type { TrustBundleResource } from '../../../../imports/index.js';
import { shortNames } from '../../../consumers/adoption.js';
import { type Assessment, ConfigMap, type Mark, timestampOf } from '../../../runtime/index.js';
import { type Bundle, type BundledSource, bundleHash } from './bundle.js';
import type { conditions } from './conditions.js';
import { bundleIn, namespacesWithout, type TrustBundleView } from './view.js';

type Found = Assessment<TrustBundleResource, typeof conditions>;
type Synced = Mark<keyof (typeof conditions)['Synced']>;

/** Reports the bundle and the namespaces that have it. */
export function assess(view: TrustBundleView): Found {
  const found = bundleIn(view);
  const { text, size, notAfter } = found;
  const namespaces = view.owned.of(ConfigMap).length;
  if (text === undefined) {
    const { certificates, notAfter: before, hash, sources } = view.resource.status ?? {};
    const kept = {
      ...(certificates !== undefined && { certificates }),
      ...(before !== undefined && { notAfter: before }),
      ...(hash !== undefined && { hash }),
      ...(sources !== undefined && { sources }),
    };
    return { conditions: { Synced: syncedOf(found, []) }, status: { ...kept, namespaces } };
  }
  const waiting = namespacesWithout(text, view);
  const now = view.now.getTime();
  return {
    conditions: { Synced: syncedOf(found, waiting) },
    status: {
      ...{ certificates: size, namespaces, hash: bundleHash(text) },
      ...(notAfter !== undefined && { notAfter: timestampOf(notAfter) }),
      sources: found.sources.map((source) => recordOf(source, view, waiting.length === 0)),
    },
    ...(notAfter !== undefined && { requeueAfter: Math.max(1, notAfter - now) }),
  };
}

function syncedOf({ problems }: Bundle, waiting: readonly string[]): Synced {
  const [first] = problems;
  if (first) return { reason: first.is, message: problems.map(({ message }) => message).join('; ') };
  if (waiting.length === 0) return { reason: 'Synced' };
  return { reason: 'Publishing', message: `The bundle is not yet in the namespaces ${shortNames(waiting)}` };
}

/** The certificates of a source, and since when all namespaces have them. */
function recordOf({ id, fingerprints }: BundledSource, { resource, now }: TrustBundleView, isEverywhere: boolean) {
  const before = resource.status?.sources?.find(({ source }) => source === id);
  const isSame = JSON.stringify(before?.fingerprints) === JSON.stringify(fingerprints);
  const since = (isSame ? before?.since : undefined) ?? (isEverywhere ? timestampOf(now.getTime()) : undefined);
  return { source: id, fingerprints: [...fingerprints], ...(since !== undefined && { since }) };
}
