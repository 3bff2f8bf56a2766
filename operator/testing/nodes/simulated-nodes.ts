import { kubeconfig } from '../../cluster/connection/kubeconfig.js';
import { Transport } from '../../cluster/http/transport.js';
import { KubernetesCluster } from '../../cluster/kubernetes-cluster.js';
import { pathOf } from '../../cluster/paths.js';
import { Store } from '../../runtime/cache/store.js';
import { Watch } from '../../runtime/cache/watch.js';
import { WorkQueue } from '../../runtime/concurrency/work-queue.js';
import { Node, Pod } from '../../runtime/kubernetes/kinds.js';
import { keyOf } from '../../runtime/kubernetes/object.js';
import { timestampOf } from '../../runtime/kubernetes/timestamp.js';
import { systemClock } from '../../runtime/ports/clock.js';
import { silent } from '../../runtime/ports/telemetry.js';
import { type SimulatedNode, simulatedNodes } from './node-objects.js';
import { podStepOf, type SimulatedPod } from './pod-status.js';

const manager = 'simulated-nodes';
/** For Pods whose status cannot be written at once: milliseconds. */
const backoff = { first: 50, most: 5_000 };

/**
 * Nodes that exist only as objects of the API. Their Pods are reported as Running and Ready, but no container runs.
 *
 * A word in an image's name or tag changes that: containers of a `slow` image become ready after ten seconds, a
 * `failing` one exits with an error, and a `missing` one cannot be pulled. The containers of a Pod that does not always
 * restart, such as that of a Job, finish at once.
 *
 * Caveats: no heartbeat, no logs, no `exec`, no volumes, and probes are not run. A scheduler must bind the Pods.
 */
export class SimulatedNodes implements AsyncDisposable {
  readonly #nodes: ReadonlyMap<string, SimulatedNode>;
  readonly #cluster: KubernetesCluster;
  readonly #pods = new Store(Pod);
  readonly #queue: WorkQueue;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  /** The number of Pod addresses in use or used before. */
  #addresses = 0;

  private constructor(cluster: KubernetesCluster, nodes: readonly SimulatedNode[]) {
    this.#cluster = cluster;
    this.#nodes = new Map(nodes.map((node) => [node.manifest.metadata.name, node]));
    const run = (key: string) => this.#reconcile(key);
    this.#queue = new WorkQueue({ clock: systemClock, maxConcurrentReconciles: 16, run, backoff: () => backoff });
    this.#pods.listen(({ before, after }) => {
      const pod = after ?? before;
      if (pod && this.#nodeOf(pod as SimulatedPod)) this.#queue.add(keyOf(pod.metadata));
    });
    this.#queue.open();
    const options = { cluster, clock: systemClock, telemetry: silent, namespace: '' };
    this.#watching = new Watch(this.#pods, options).run(this.#stop.signal);
  }

  /**
   * Creates the nodes, and resolves when they accept Pods.
   *
   * @param kubeconfigPath of a user with all permissions
   */
  static async start(kubeconfigPath: string, count: number): Promise<SimulatedNodes> {
    const cluster = new KubernetesCluster(new Transport(await kubeconfig(kubeconfigPath)));
    try {
      const nodes = simulatedNodes(count, timestampOf(systemClock.now()));
      await Promise.all(nodes.map((node) => join(cluster, node)));
      return new SimulatedNodes(cluster, nodes);
    } catch (error) {
      await cluster.transport.close();
      throw error;
    }
  }

  /** Stops to report Pods. The nodes and their Pods stay as they are. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#watching, this.#queue.close()]);
    await this.#cluster.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #nodeOf({ spec }: SimulatedPod): SimulatedNode | undefined {
    return this.#nodes.get(spec.nodeName ?? '');
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const pod = this.#pods.get(key) as SimulatedPod | undefined;
    const node = pod && this.#nodeOf(pod);
    if (!node) return undefined;
    const podIP = pod.status?.podIP ?? this.#freeAddress();
    const { act, recheckAfter } = podStepOf(pod, { now: systemClock.now(), hostIP: node.address, podIP });
    if (act === 'delete') await this.#delete(pod);
    else if (act) await this.#report(pod, act.report);
    return recheckAfter;
  }

  async #report({ metadata }: SimulatedPod, status: object): Promise<void> {
    const patch = [
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      { op: 'add', path: '/status', value: status },
    ] as const;
    await this.#cluster.patch(Pod, metadata, patch, { manager, subresource: 'status', signal: this.#stop.signal });
  }

  /** Without a grace period, as a kubelet does after the containers have stopped. */
  async #delete({ metadata: { namespace, name, uid } }: SimulatedPod): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } };
    const path = pathOf(Pod, { namespace, name });
    await this.#cluster.transport.json({ method: 'DELETE', path, body, signal: this.#stop.signal });
  }

  #freeAddress(): string {
    const number = ++this.#addresses;
    return `10.${128 + ((number >> 16) & 127)}.${(number >> 8) & 255}.${number & 255}`;
  }
}

async function join(cluster: KubernetesCluster, { manifest, status }: SimulatedNode): Promise<void> {
  await cluster.create(Node, manifest, { manager });
  const ready = [{ op: 'add', path: '/status', value: status }] as const;
  await cluster.patch(Node, manifest.metadata, ready, { manager, subresource: 'status' });
  // The API server adds the taint `node.kubernetes.io/not-ready` to each new node.
  await cluster.patch(Node, manifest.metadata, [{ op: 'add', path: '/spec/taints', value: [] }], { manager });
}
