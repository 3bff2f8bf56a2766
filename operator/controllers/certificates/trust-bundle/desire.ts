import type { Construct } from 'constructs';
import { TrustBundleConfigMap, UnchangedConfigMap } from '../../../../src/index.js';
import { trustStoreOf } from '../../../certificates/pkcs12.js';
import { ConfigMap } from '../../../runtime/index.js';
import { bundleIn, publishedIn, type TrustBundleView, targetsOf } from './view.js';

/**
 * Renders a ConfigMap for each selected namespace. If a source fails, the published bundle stays. If no ConfigMap has it any
 * more, each of them stays as it is.
 */
export function desire(scope: Construct, view: TrustBundleView): void {
  const { configMap: name, key, pkcs12 } = view.resource.spec.target;
  const found = bundleIn(view);
  const bundle = found.is === 'complete' ? found.text : publishedIn(view);
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
