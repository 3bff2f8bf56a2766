import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { allowRecreation } from '../../../../operator/runtime/rendering/object-policies.js';
import type { Loose } from '../../../given.js';
import { bound, GivenHouse, type HouseProps } from './house.js';
import { type WidgetSpec, widgetController } from './widgets.js';

export const invalid = (field: string) =>
  new ApiError(`${field} is invalid`, { code: 422, reason: 'Invalid', fields: [field] });

/** The immutable fields of these tests: `data.fixed` of a ConfigMap, and the selector of a Deployment. */
const fixedOf = (object: LiveObject | Manifest | undefined): unknown =>
  JSON.stringify((object as Loose | undefined)?.['data']?.fixed ?? (object as Loose | undefined)?.['spec']?.selector);

/** How each object was removed, and how often a fixed field was to be changed. */
export interface Seen {
  removals: string[];
  attempts: number;
}

/** An API server with these immutable fields. */
export function strict(cluster: Cluster, seen: Seen): Cluster {
  const check = (object: Manifest) => {
    if ((object as Loose<Manifest>)['data']?.size === 'wrong') throw invalid('data.size');
  };
  return {
    ...bound(cluster),
    create: async (kind, object, options) => {
      check(object);
      return cluster.create(kind, object, options);
    },
    apply: async (kind, object, options) => {
      if (kind !== ConfigMap && kind !== Deployment) return cluster.apply(kind, object, options);
      check(object);
      const fixed = fixedOf(await cluster.read(kind, object.metadata));
      if (fixed === undefined || fixed === fixedOf(object)) return cluster.apply(kind, object, options);
      seen.attempts++;
      throw invalid(kind === ConfigMap ? 'data.fixed' : 'spec.selector');
    },
    remove: async (kind, name, looked, options) => {
      seen.removals.push(`${kind.kind} ${options?.propagation}${looked.resourceVersion ? '' : ' in any state'}`);
      return cluster.remove(kind, name, looked, options);
    },
  };
}

/** A house on such a server. */
export class ImmutableHouse extends GivenHouse {
  readonly seen: Seen;

  /** @param faults wraps that server */
  constructor({ recreate = false, faults = (cluster) => cluster, ...props }: HouseProps & { recreate?: boolean } = {}) {
    const plain = widgetController();
    const controller = widgetController({
      desire: (scope, facts) => {
        if (recreate) allowRecreation(scope);
        plain.desire(scope, facts);
      },
    });
    const seen = { removals: [], attempts: 0 };
    super({ controller, ...props, faults: (cluster) => faults(strict(cluster, seen)) });
    this.seen = seen;
  }
}

/** A ConfigMap with the immutable `data.fixed`. */
export const one = (fixed: string, more: WidgetSpec = {}): WidgetSpec => ({
  ...more,
  maps: { a: { fixed }, ...more.maps },
});

/** The message if another client changed that field. */
export const inTheWay =
  'ConfigMap web-a: data.fixed was changed by somebody and is immutable: revert that change, or delete the ConfigMap to have it recreated';
