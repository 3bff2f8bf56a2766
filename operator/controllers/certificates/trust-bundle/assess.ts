import type { TrustBundleResource } from '../../../../imports/index.js';
import { type Assessment, ConfigMap, timestampOf } from '../../../runtime/index.js';
import { bundleHash } from './bundle.js';
import type { conditions } from './conditions.js';
import { bundleIn, type TrustBundleView } from './view.js';

/** Reports the bundle and the namespaces that have it. */
export function assess(view: TrustBundleView): Assessment<TrustBundleResource, typeof conditions> {
  const found = bundleIn(view);
  const namespaces = view.owned.of(ConfigMap).length;
  if (found.is !== 'complete') {
    const { certificates, notAfter, hash } = view.resource.status ?? {};
    const kept = {
      ...(certificates !== undefined && { certificates }),
      ...(notAfter !== undefined && { notAfter }),
      ...(hash !== undefined && { hash }),
    };
    return { conditions: { Synced: { reason: found.is, message: found.message } }, status: { ...kept, namespaces } };
  }
  return {
    conditions: { Synced: { reason: 'Synced' } },
    status: {
      ...{ certificates: found.size, namespaces, notAfter: timestampOf(found.notAfter) },
      hash: bundleHash(found.text),
    },
    requeueAfter: Math.max(1, found.notAfter - view.now.getTime()),
  };
}
