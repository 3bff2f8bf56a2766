import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { isNotServed } from '../../operator/runtime/kubernetes/errors.js';
import {
  Deployment,
  distinct,
  groupKindOf,
  Lease,
  type LivePod,
  type ObjectKind,
  Pod,
} from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { controllerLabel } from '../../operator/runtime/kubernetes/well-known-names.js';
import type { LiveLease } from '../../operator/runtime/leader/lease.js';
import { installationOf } from '../../src/install/installation.js';
import { listed } from '../status/listed-resources.js';
import type { LiveDefinition } from './findings/definitions.js';
import { type ManagedPod, mayFail } from './findings/image-pulls.js';
import type { InstalledOperator, OperatorDeployment, Place } from './findings/installed-operator.js';
import { ownGroups } from './findings/optional-kinds.js';
import { type Reading, reading, rightTo } from './findings/reading.js';
import type { KindView } from './findings/stalled-resources.js';

const definitionKind: ObjectKind = {
  ...{ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  ...{ plural: 'customresourcedefinitions', namespaced: false },
};

/** Reads what the checks judge. A permission that the user lacks is a result, and every other failure is an error. */
export class ClusterView {
  constructor(readonly cluster: KubernetesCluster) {}

  definitions(): Promise<Reading<readonly LiveDefinition[]>> {
    return this.#list<LiveDefinition>(definitionKind);
  }

  deployment(place: Place): Promise<Reading<OperatorDeployment | undefined>> {
    return this.#read(Deployment, place);
  }

  lease({ namespace = '', name }: NonNullable<InstalledOperator['lease']>): Promise<Reading<LiveLease | undefined>> {
    return this.#read(Lease, { namespace, name });
  }

  /** The Pods of the operator, by the selector of its Deployment. */
  operatorPods({ namespace, name }: Place, deployment?: OperatorDeployment): Promise<Reading<readonly LivePod[]>> {
    const labels = deployment?.spec.selector.matchLabels ?? installationOf(name, namespace).labels;
    return this.#list<LivePod>(Pod, { namespace, labelSelector: selectorOf(labels) });
  }

  /** The Pods that the operator created, and those of its Deployments and Jobs of which one may fail. */
  async managedPods({
    controllers,
    namespaces,
  }: InstalledOperator): Promise<readonly Reading<readonly ManagedPod[]>[]> {
    const owned = distinct(controllers.flatMap(({ owns }) => owns));
    const kinds = owned.filter(({ kind }) => kind === Pod.kind || workloads.has(kind));
    return Promise.all(placesOf(namespaces).flatMap((namespace) => kinds.map((kind) => this.#podsOf(kind, namespace))));
  }

  async #podsOf(kind: ObjectKind, namespace: string | undefined): Promise<Reading<readonly ManagedPod[]>> {
    const found = await this.#list<LiveObject>(kind, { namespace, labelSelector: controllerLabel });
    if ('missing' in found) return found;
    if (kind.kind === Pod.kind) return { value: found.value.map((pod) => ({ pod: pod as LivePod, managed: pod })) };
    const pods = await Promise.all(found.value.filter(mayFail).map((object) => this.#selectedBy(object)));
    const missing = pods.find((one) => 'missing' in one);
    return missing ?? { value: pods.flatMap((one) => ('value' in one ? one.value : [])) };
  }

  async #selectedBy(managed: LiveObject): Promise<Reading<readonly ManagedPod[]>> {
    const { selector } = (managed as WithSelector).spec ?? {};
    if (!selector?.matchLabels) return { value: [] };
    const place = { namespace: managed.metadata.namespace, labelSelector: selectorOf(selector.matchLabels) };
    const pods = await this.#list<LivePod>(Pod, place);
    return 'missing' in pods ? pods : { value: pods.value.map((pod) => ({ pod, managed })) };
  }

  /** The resources of each kind in the watched namespaces. Of a kind that is not served, none. */
  async resources({ controllers, namespaces }: InstalledOperator): Promise<readonly KindView[]> {
    const own = ownGroups(controllers);
    const leading = controllers.filter(({ isPrimary, reportsTo }) => isPrimary && reportsTo === 'status');
    const kinds = distinct(leading.map(({ kind }) => kind).filter(({ group }) => own.has(group)));
    return Promise.all(
      kinds.flatMap((kind) =>
        placesOf(kind.namespaced ? namespaces : []).map(async (namespace) => ({
          kind,
          resources: await this.#list<LiveObject>(kind, { namespace }),
        })),
      ),
    );
  }

  /** The kinds that the API server serves, out of some. */
  async served(kinds: readonly ObjectKind[]): Promise<(kind: ObjectKind) => boolean> {
    const found = await Promise.all(kinds.map((kind) => this.cluster.discover(kind)));
    const served = new Set(kinds.filter((_, index) => found[index]?.length).map(groupKindOf));
    return (kind) => served.has(groupKindOf(kind));
  }

  #read<T extends LiveObject>(kind: ObjectKind, place: Place): Promise<Reading<T | undefined>> {
    const read = async () => (await this.cluster.read(kind, place)) as T | undefined;
    return reading(rightTo('get', kind, place.namespace), read);
  }

  #list<T extends LiveObject>(
    kind: ObjectKind,
    place: { readonly namespace?: string | undefined; readonly labelSelector?: string } = {},
  ): Promise<Reading<readonly T[]>> {
    return reading(rightTo('list', kind, place.namespace), async () => {
      try {
        return await listed<T>(this.cluster, kind, place);
      } catch (error) {
        if (isNotServed((error as Error).cause)) return [];
        throw error;
      }
    });
  }
}

/** The kinds whose controllers create Pods by a selector. */
const workloads: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'StatefulSet', 'Job']);

interface WithSelector {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

/** One list for all namespaces, or one for each that is watched. */
function placesOf(namespaces: readonly string[]): readonly (string | undefined)[] {
  return namespaces.length === 0 ? [undefined] : namespaces;
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}

/** The controllers whose kinds are the API of this installation. */
export function definingControllers({ controllers }: InstalledOperator): readonly Controller[] {
  return controllers.filter(({ reportsTo }) => reportsTo === 'status');
}
