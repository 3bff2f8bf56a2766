import type { Construct } from 'constructs';
import { TrustBundleConfigMap } from '../../../../src/index.js';
import { trustStoreOf } from '../../../certificates/pkcs12.js';
import { bundleIn, publishedIn, type TrustBundleView, targetsOf } from './view.js';

/** Renders a ConfigMap for each selected namespace. If a source fails, the published bundle stays. */
export function desire(scope: Construct, view: TrustBundleView): void {
  const { configMap: name, key, pkcs12 } = view.resource.spec.target;
  const found = bundleIn(view);
  const bundle = found.is === 'complete' ? found.text : publishedIn(view);
  if (bundle === undefined) return;
  const store = pkcs12 && {
    key: pkcs12.key,
    content: trustStoreOf({ trusted: bundle, password: pkcs12.password }),
  };
  for (const namespace of targetsOf(view))
    new TrustBundleConfigMap(scope, `bundle-${namespace}`, { name, namespace, key, bundle, store });
}
