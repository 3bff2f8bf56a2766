import { expect, vi } from 'vitest';
import { type AlgorithmResource, type AlgorithmSpecInput, algorithmKind } from '../../../imports/index.js';
import { kubeconfig } from '../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  type LiveObject,
  type ObjectKind,
  PodDisruptionBudget,
  Service,
} from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import type { PatchOperation } from '../../../operator/runtime/ports/cluster.js';
import type { ClusterAccess } from '../../../operator/testing/index.js';
import { freshNamespace } from '../../given/control-plane.js';
import { type Child, comparable } from './comparable.js';

/** The kinds that an Algorithm becomes. */
export const childKinds = [ConfigMap, Service, Deployment, PodDisruptionBudget, HorizontalPodAutoscaler] as const;

/** The field manager of the person who acts here. */
const manager = 'a-person';

/** An administrator's hands and eyes, in a namespace of its own. */
export class Site {
  private constructor(
    readonly controlPlane: ClusterAccess,
    readonly cluster: KubernetesCluster,
    readonly namespace: string,
  ) {}

  static async fresh(controlPlane: ClusterAccess, prefix?: string): Promise<Site> {
    const transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
    return new Site(controlPlane, new KubernetesCluster(transport), await freshNamespace(controlPlane, prefix));
  }

  /** What the person states of an Algorithm: what was stated before and is not now, goes. */
  async apply(name: string, spec: AlgorithmSpecInput): Promise<AlgorithmResource> {
    const { namespace } = this;
    const object = { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name, namespace }, spec };
    return (await this.cluster.apply(algorithmKind, object, { manager })) as AlgorithmResource;
  }

  /** Applies it, and waits until the operator has said that it carried it out. */
  async bring(name: string, spec: AlgorithmSpecInput): Promise<AlgorithmResource> {
    const { metadata } = await this.apply(name, spec);
    return this.untilObserved(name, metadata.generation);
  }

  /** Waits until the status is about the present spec. */
  async untilObserved(name: string, generation?: number): Promise<AlgorithmResource> {
    const observed = async () => (await this.algorithm(name))?.status?.observedGeneration;
    const wanted = generation ?? (await this.algorithm(name))?.metadata.generation;
    await vi.waitFor(async () => expect(await observed()).toBe(wanted), { timeout: 120_000, interval: 100 });
    return (await this.algorithm(name)) as AlgorithmResource;
  }

  /**
   * Waits until the status of each Algorithm here is about its present spec. It asks for all at once and seldom: a hundred
   * that each ask for their own take the machine from the operator that they wait for.
   */
  async untilAllObserved(): Promise<void> {
    const behind = async () => {
      const { items } = await this.cluster.list(algorithmKind, { namespace: this.namespace });
      const isBehind = ({ metadata, status }: AlgorithmResource) => status?.observedGeneration !== metadata.generation;
      return (items as readonly AlgorithmResource[]).filter(isBehind).map(({ metadata }) => metadata.name);
    };
    await vi.waitFor(async () => expect(await behind()).toEqual([]), { timeout: 120_000, interval: 200 });
  }

  async algorithm(name: string): Promise<AlgorithmResource | undefined> {
    return (await this.read(algorithmKind, name)) as AlgorithmResource | undefined;
  }

  read(kind: ObjectKind, name: string): Promise<LiveObject | undefined> {
    return this.cluster.read(kind, { namespace: this.namespace, name });
  }

  /** Changes an object behind the operator's back. */
  patch(kind: ObjectKind, name: string, ...operations: readonly PatchOperation[]): Promise<LiveObject> {
    return this.cluster.patch(kind, { namespace: this.namespace, name }, operations, { manager });
  }

  /** Deletes an object, its dependents in the background. */
  async remove(kind: ObjectKind, name: string): Promise<void> {
    const { metadata } = (await this.read(kind, name)) ?? {};
    if (metadata) await this.cluster.remove(kind, { namespace: this.namespace, name }, { uid: metadata.uid });
  }

  /** What Algorithms own here, by kind and name. */
  async owned(): Promise<ReadonlyMap<string, LiveObject>> {
    const pages = await Promise.all(childKinds.map((kind) => this.cluster.list(kind, { namespace: this.namespace })));
    const owned = pages.flatMap(({ items }) => items).filter(isOwned);
    return new Map(owned.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  }

  /** The same, without what differs each time and what the API server and its controllers add. */
  async children(): Promise<Readonly<Record<string, Child>>> {
    return Object.fromEntries([...(await this.owned())].map(([key, object]) => [key, comparable(object)]));
  }

  /** The condition of an Algorithm: its status and reason. */
  async condition(name: string, type: string): Promise<string | undefined> {
    const condition = conditionOf(await this.algorithm(name), type);
    return condition && `${condition.status} ${condition.reason}`;
  }
}

function isOwned({ metadata }: LiveObject): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === 'Algorithm') ?? false;
}
