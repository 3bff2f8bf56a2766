import { crossNamespace } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ClusterRole, ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, ObjectName } from '../../../../operator/runtime/kubernetes/object.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { KubeObject } from '../../../../src/index.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, type HouseProps, somebody } from './house.js';
import { add, type Widget, widgetController, widgetKind } from './widgets.js';

/** What a Widget becomes here: a ConfigMap beside it, and, by their names, ConfigMaps elsewhere and ClusterRoles. */
export interface Reach {
  readonly maps?: readonly string[];
  readonly roles?: readonly string[];
}

export const reachingController = ({
  owns = [crossNamespace(ConfigMap), ClusterRole, Secret],
}: {
  owns?: readonly ObjectKind[];
} = {}) =>
  widgetController({
    owns,
    conditions: {},
    assess: ({ owned }) => ({ conditions: {}, status: { size: owned.all().length } }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget & { spec: Reach };
      add(scope, 'v1', 'Secret', `${metadata.name}-near`);
      for (const name of spec.roles ?? []) add(scope, 'rbac.authorization.k8s.io/v1', 'ClusterRole', name);
      for (const key of spec.maps ?? []) {
        const [namespace, name = ''] = key.split('/');
        new KubeObject(scope, key, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, ...(namespace && { namespace }) },
        });
      }
    },
  });

/** A house whose Widgets reach beyond their namespace. */
export class ReachHouse extends GivenHouse {
  constructor(props: Partial<HouseProps> = {}) {
    super({ controller: reachingController(), ...props });
  }

  reaching(reach: Reach, metadata?: object): Promise<LiveObject> {
    return this.givenWidget(reach as Widget['spec'], metadata);
  }

  /** What the Widget's inventory lists; null without one. */
  async inventory(): Promise<unknown> {
    return JSON.parse((await this.widget()).metadata.annotations?.[inventoryAnnotation] ?? 'null');
  }

  async finalizers(): Promise<readonly string[]> {
    return (await this.widget()).metadata.finalizers ?? [];
  }

  /** The names of all that a Widget may become. */
  async everything(): Promise<string[]> {
    return (await Promise.all([ConfigMap, ClusterRole, Secret].map((kind) => this.names(kind)))).flat();
  }

  /** Somebody deletes the Widget. */
  async removeWidget(): Promise<void> {
    await this.removed(widgetKind, 'web');
  }

  /** Somebody writes the annotations of an object. */
  async annotate(kind: ObjectKind, name: ObjectName, value: object): Promise<void> {
    await this.memory.patch(kind, name, [{ op: 'add', path: '/metadata/annotations', value }], somebody);
    await settled();
  }

  /** Others' finalizers on the ClusterRole `c`. */
  async finalize(value: readonly string[]): Promise<void> {
    const patch = [{ op: 'add', path: '/metadata/finalizers', value }] as const;
    await this.memory.patch(ClusterRole, { name: 'c' }, patch, somebody);
    await settled();
  }
}
