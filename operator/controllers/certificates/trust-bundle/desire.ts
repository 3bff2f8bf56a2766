import type { Construct } from 'constructs';
import { TrustBundleConfigMap, UnchangedConfigMap } from '../../../../src/index.js';
import { trustStoreOf } from '../../../certificates/pkcs12.js';
import { ConfigMap } from '../../../runtime/index.js';
import { bundleIn, type TrustBundleView, targetsOf } from './view.js';

/**
 * Renders a ConfigMap for each selected namespace. If the earlier certificates of a source that fails are lost, because no
 * ConfigMap has the published bundle any more, each ConfigMap stays as it is.
 */
export function desire(scope: Construct, view: TrustBundleView): void {
  const { configMap: name, key, pkcs12 } = view.resource.spec.target;
  const { text: bundle } = bundleIn(view);
  const targets = targetsOf(view);
  if (bundle === undefined) {
    for (const { metadata, data, binaryData } of view.owned.of(ConfigMap))
      if (targets.includes(metadata.namespace ?? ''))
        new UnchangedConfigMap(scope, `bundle-${metadata.namespace}-${metadata.name}`, {
          ...{ name: metadata.name, namespace: metadata.namespace ?? '', data, binaryData },
        });
    return;
  }
  const store = pkcs12 && {
    key: pkcs12.key,
    content: trustStoreOf({ trusted: bundle, password: pkcs12.password }),
  };
  for (const namespace of targets)
    new TrustBundleConfigMap(scope, `bundle-${namespace}`, { name, namespace, key, bundle, store });
}
