import { crossNamespace } from '../../operator/runtime/controller/owned-kinds.js';
import { RejectedError } from '../../operator/runtime/kubernetes/errors.js';
import { ClusterRole, ConfigMap, Secret } from '../../operator/runtime/kubernetes/kinds.js';
import { KubeObject } from '../../src/index.js';
import { add, type Widget, widgetController } from '../operator/runtime/given/widgets.js';

/** Makes of a Widget a Secret beside it, its maps in another namespace, and a ClusterRole for its workload. */
export const distantController = widgetController({
  name: 'distant',
  owns: [crossNamespace(ConfigMap), ClusterRole, Secret],
  conditions: {},
  assess: ({ owned }) => ({ conditions: {}, status: { size: owned.all().length } }),
  desire: (scope, { resource }) => {
    const { metadata, spec } = resource as Widget;
    if (spec.rejected !== undefined) throw new RejectedError('NotPossible', spec.rejected);
    add(scope, 'v1', 'Secret', `${metadata.name}-near`);
    for (const [end, data] of Object.entries(spec.maps ?? {})) {
      const name = `${metadata.name}-${end}`;
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'far' }, data };
      new KubeObject(scope, name, map);
    }
    if (spec.workload) add(scope, 'rbac.authorization.k8s.io/v1', 'ClusterRole', metadata.name);
  },
});
