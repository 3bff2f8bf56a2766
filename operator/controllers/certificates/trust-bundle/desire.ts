import type { Construct } from 'constructs';
import { TrustBundleConfigMap } from '../../../../src/index.js';
import { bundleIn, publishedIn, type TrustBundleView, targetsOf } from './view.js';

/** Renders a ConfigMap for each selected namespace. If a source fails, the published bundle stays. */
export function desire(scope: Construct, view: TrustBundleView): void {
  const { configMap: name, key } = view.resource.spec.target;
  const found = bundleIn(view);
  const bundle = found.is === 'complete' ? found.text : publishedIn(view);
  if (bundle === undefined) return;
  for (const namespace of targetsOf(view))
    new TrustBundleConfigMap(scope, `bundle-${namespace}`, { name, namespace, key, bundle });
}
