import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import type { Change } from '../../operator/runtime/cache/listeners.js';
import { Stores } from '../../operator/runtime/cache/stores.js';
import { Watch } from '../../operator/runtime/cache/watch.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { controllerOf, keyOf, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { controllerLabel } from '../../operator/runtime/kubernetes/well-known-names.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';
import { objectNews, resourceNews } from './changes.js';
import type { Scene } from './scene.js';

/** The watched resource, and the receiver of its changes. */
export interface ObserverProps {
  readonly controller: Controller;
  readonly resource: ObjectName;
  /** Called after every change with its lines, of which there may be none. */
  readonly seen: (news: readonly string[]) => void;
}

/** Watches one resource and the objects that it owns on the API server. */
export class Observer {
  readonly #stores = new Stores();
  /** The owner of the objects in the scene. The objects may outlive it for a moment. */
  #owner: CustomResource | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(readonly props: ObserverProps) {}

  get scene(): Scene {
    const { controller, resource } = this.props;
    const live: CustomResource | undefined = this.#stores.of(controller.kind).get(keyOf(resource));
    const owned = this.#owner ? this.#stores.ownedBy(this.#owner, controller) : [];
    return { resource: live, objects: owned.map(({ object }) => object) };
  }

  /** Resolves as soon as the scene meets a condition. */
  until(holds: (scene: Scene) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds(this.scene)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Runs until the signal aborts. */
  async run(cluster: KubernetesCluster, signal: AbortSignal): Promise<void> {
    const { controller, resource } = this.props;
    const { namespace = '' } = resource;
    const common = { cluster, clock: systemClock, telemetry: silent, namespace };
    const watch = (kind: ObjectKind, heard: (change: Change) => void, labelSelector?: string) => {
      const store = this.#stores.of(kind);
      store.listen(heard);
      return new Watch(store, { ...common, labelSelector }).run(signal);
    };
    await Promise.all([
      watch(controller.kind, (change) => this.#resourceChanged(change)),
      ...controller.owns.map((kind) => watch(kind, (change) => this.#objectChanged(change), controllerLabel)),
    ]);
  }

  #resourceChanged(change: Change): void {
    const object = change.after ?? change.before;
    if (object?.metadata.name !== this.props.resource.name) return;
    this.#owner = object;
    this.#saw(resourceNews(change));
  }

  #objectChanged(change: Change): void {
    const object = change.after ?? change.before;
    const owner = object && controllerOf(object);
    const { controller, resource } = this.props;
    if (owner?.kind !== controller.kind.kind || owner.name !== resource.name) return;
    this.#saw(objectNews(change));
  }

  #saw(news: readonly string[]): void {
    this.props.seen(news);
    for (const look of this.#waiting) look();
  }
}
