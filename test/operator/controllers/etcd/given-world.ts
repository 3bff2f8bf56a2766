import { etcdClusterSpec, withDefaults } from '../../../../crds/index.js';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import { type EtcdRequest, etcdCluster as port } from '../../../../operator/controllers/etcd/ports/cluster.js';
import {
  type LiveObject,
  type Manifest,
  Node,
  type ObjectKind,
  PersistentVolumeClaim,
  Pod,
  provided,
  Secret,
} from '../../../../operator/index.js';
import { goneNodes, retiredLabel } from '../../../../operator/members/index.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { etcdModel } from './etcd-model.js';
import { EtcdProcesses, type Process } from './etcd-processes.js';

const namespace = 'shop';
const manager = 'kubernetes';
const second = 1_000;
/** Seconds until the process of a new Pod runs. */
const startsIn = 3;

/**
 * The operator with an EtcdCluster on a memory cluster, with nodes on which its Pods run and an etcd whose members are these
 * Pods, one second at a time. It records what must never happen.
 */
export class EtcdWorld {
  readonly etcd = new EtcdProcesses();
  readonly memory: MemoryCluster;
  readonly #operator: GivenOperator;
  /** Seconds since a Pod exists, by its UID. */
  readonly #age = new Map<string, number>();
  /** Whether a fault of the test may take the quorum. */
  mayLoseQuorum = false;
  /** The most members with a vote that were not ready at a time since the start. */
  mostDown = 0;
  /** The most members with a vote at a time. */
  mostVoters = 0;

  readonly kind = etcdCluster.kind;

  constructor() {
    const clock = () => this.#operator.clock.now();
    let count = 0;
    this.memory = new MemoryCluster({ now: () => clock(), uid: () => `uid-${++count}` });
    const model = etcdModel();
    const perform = async (request: EtcdRequest) =>
      this.etcd.change(request, (cluster) => model.perform(cluster as never, request as never) as never);
    const ports = [
      provided(port, async () => this.etcd.answer(), { perform }),
      provided(goneNodes, async ({ names }) => ({ gone: names.filter((name) => !this.#find(Node, name)) })),
    ];
    this.#operator = new GivenOperator({ controllers: [etcdCluster], ports }, this.memory);
  }

  /** An EtcdCluster on as many nodes and one more, until its members serve. */
  async start(spec: { readonly replicas?: number; readonly deletionPolicy?: 'Retain' | 'Delete' } = {}): Promise<this> {
    const { replicas = 3 } = spec;
    for (let number = 1; number <= replicas + 1; number++) await this.addNode(`node-${number}`);
    const data = { 'ca.crt': 'Y2E=', 'tls.crt': 'YQ==', 'tls.key': 'YQ==' };
    await this.memory.apply(Secret, manifest(Secret, 'store-member-tls', { data }), { manager });
    await this.apply(spec);
    await this.#operator.start();
    await this.pass(60);
    this.mostDown = 0;
    return this;
  }

  close(): Promise<void> {
    return this.#operator.close();
  }

  /** A user writes the EtcdCluster. */
  async apply(spec: object): Promise<void> {
    const whole = { spec: withDefaults(etcdClusterSpec, spec as never) };
    await this.memory.apply(etcdCluster.kind, manifest(etcdCluster.kind, 'store', whole), { manager: 'user' });
  }

  async addNode(name: string): Promise<void> {
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone of ${name}` };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
    await this.memory.apply(Node, node, { manager });
    await this.setNode(name, true);
  }

  /** A machine runs or not. Its Pods do neither. */
  async setNode(name: string, isReady: boolean): Promise<void> {
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'Unknown' }];
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { conditions } };
    await this.memory.apply(Node, node, { manager, subresource: 'status' });
  }

  /** A machine is deleted for good. Kubernetes deletes its Pods. */
  async deleteNode(name: string): Promise<void> {
    for (const pod of this.pods) if (pod['spec'].nodeName === name) await this.remove(Pod, pod.metadata.name);
    const node = this.#find(Node, name);
    if (node) await this.memory.remove(Node, { name }, { uid: node.metadata.uid });
  }

  /** A user deletes an object. */
  async remove(kind: ObjectKind, name: string): Promise<void> {
    const { metadata } = this.#find(kind, name) as LiveObject;
    await this.memory.remove(kind, metadata, { uid: metadata.uid });
  }

  get pods(): readonly Loose[] {
    return [...this.memory.peek(Pod).values()] as Loose[];
  }

  get claims(): readonly Loose[] {
    return [...this.memory.peek(PersistentVolumeClaim).values()] as Loose[];
  }

  get resource(): Loose {
    return this.#find(etcdCluster.kind, 'store') as Loose;
  }

  nodeOf(member: string): string {
    return this.pods.find(({ metadata }) => metadata.name === member)?.['spec'].nodeName;
  }

  /** What exists, for an assertion. */
  get summary() {
    const { conditions = [], ready, members = [] } = this.resource['status'] ?? {};
    const isTrue = (type: string) => conditions.find((one: Loose) => one['type'] === type)?.status === 'True';
    const nameOf = ({ metadata }: Loose) => metadata.name;
    const retired = this.claims.filter(({ metadata }) => metadata.labels?.[retiredLabel] !== undefined);
    return {
      ...{
        ready,
        isReady: isTrue('Ready'),
        status: members
          .map(({ name }: Loose) => name)
          .toSorted()
          .join(' '),
      },
      voters: this.etcd.voters.map(({ name }) => name).join(' '),
      pods: this.pods.map(nameOf).toSorted().join(' '),
      retired: retired.map(nameOf).toSorted().join(' '),
      violations: this.etcd.violations,
    };
  }

  /** Time passes. @param seconds at most; at least until the operator writes nothing more for 30 seconds if undefined */
  async pass(seconds?: number): Promise<void> {
    for (let n = 0, calm = 0; seconds === undefined ? calm < 30 && n < 1_200 : n < seconds; n++) {
      const { length } = this.memory.writes;
      await this.#operator.clock.advance(second);
      await settled();
      await this.#collect();
      await this.#tick();
      calm = this.memory.writes.length === length ? calm + 1 : 0;
    }
  }

  /** The scheduler, the kubelets and etcd. */
  async #tick(): Promise<void> {
    for (const pod of this.pods) await this.#schedule(pod);
    const running = this.pods.filter((pod) => this.#runs(pod));
    const { serving, ended } = this.etcd.tick(running.map((pod) => this.#processOf(pod)));
    this.#watch();
    for (const pod of this.pods) {
      const { name } = pod.metadata;
      await this.#report(pod, { isReady: serving.includes(name), hasEnded: ended.includes(name) });
    }
  }

  #watch(): void {
    const { etcd } = this;
    if (!etcd.isFormed) return;
    if (!etcd.hasQuorum && !this.mayLoseQuorum) etcd.violations.push(`no quorum of ${etcd.voters.length}`);
    this.mostVoters = Math.max(this.mostVoters, etcd.voters.length);
    const down = etcd.voters.filter(({ name }) => !this.pods.some((pod) => pod.metadata.name === name && isReady(pod)));
    this.mostDown = Math.max(this.mostDown, down.length);
  }

  /** A volume stays on its node. A new one is on a node without another member. */
  async #schedule({ metadata, spec }: Loose): Promise<void> {
    if (spec.nodeName !== undefined) return;
    const claim = this.#find(PersistentVolumeClaim, metadata.name) as Loose | undefined;
    const home = claim?.metadata.annotations?.['volume.kubernetes.io/selected-node'];
    const taken = this.claims.map((one) => one.metadata.annotations?.['volume.kubernetes.io/selected-node']);
    const free = [...this.memory.peek(Node).values()].map((node) => node.metadata.name).filter(this.#isUp);
    const value = home ?? free.find((name) => !taken.includes(name));
    if (!claim || value === undefined || !free.includes(value)) return;
    const at = '/metadata/annotations/volume.kubernetes.io~1selected-node';
    if (!home)
      await this.memory.patch(PersistentVolumeClaim, claim.metadata, [{ op: 'add', path: at, value }], { manager });
    await this.memory.patch(Pod, metadata, [{ op: 'add', path: '/spec/nodeName', value }], { manager });
  }

  readonly #isUp = (node: string): boolean =>
    (this.#find(Node, node) as Loose | undefined)?.['status'].conditions[0].status === 'True';

  #runs({ metadata, spec }: Loose): boolean {
    if (spec.nodeName === undefined || !this.#isUp(spec.nodeName)) return false;
    const age = (this.#age.get(metadata.uid) ?? 0) + 1;
    this.#age.set(metadata.uid, age);
    return age > startsIn;
  }

  #processOf({ metadata: { name }, spec }: Loose): Process {
    const flags = new Map<string, string>(spec.containers[0].command.map((flag: string) => flag.split(/=(.*)/s, 2)));
    const initial = (flags.get('--initial-cluster') ?? '').split(',').map((one) => one.split('=')[1] ?? '');
    return {
      ...{ name, volume: this.#find(PersistentVolumeClaim, name)?.metadata.uid ?? '', initial },
      peerUrl: flags.get('--initial-advertise-peer-urls') ?? '',
      state: flags.get('--initial-cluster-state') ?? '',
    };
  }

  async #report(pod: Loose, { isReady: is, hasEnded }: { readonly isReady: boolean; readonly hasEnded: boolean }) {
    const now = new Date(this.#operator.clock.now()).toISOString().replace(/\.\d+/, '');
    if (pod['status'] && isReady(pod) === is && hasEnded === pod['status'].containerStatuses?.length > 0) return;
    const crash = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } };
    const value = {
      ...{ phase: 'Running', conditions: [{ type: 'Ready', status: is ? 'True' : 'False', lastTransitionTime: now }] },
      ...(hasEnded && { containerStatuses: [{ name: 'etcd', image: 'etcd', restartCount: 3, ...crash }] }),
    };
    await this.memory.patch(Pod, pod.metadata, [{ op: 'add', path: '/status', value }], {
      ...{ manager, subresource: 'status' },
    });
  }

  /** The garbage collector deletes the Pods of an EtcdCluster that is gone. */
  async #collect(): Promise<void> {
    const uid = this.resource?.metadata.uid;
    for (const { metadata } of this.pods)
      if (metadata.ownerReferences?.every((owner) => owner.uid !== uid)) await this.remove(Pod, metadata.name);
  }

  #find(kind: ObjectKind, name: string): LiveObject | undefined {
    return this.memory.peek(kind).get(kind.namespaced ? `${namespace}/${name}` : name);
  }
}

function manifest({ group, version, kind }: ObjectKind, name: string, fields: object): Manifest {
  return { apiVersion: group ? `${group}/${version}` : version, kind, metadata: { name, namespace }, ...fields };
}

function isReady({ status }: Loose): boolean {
  return status?.conditions?.some(({ type, status: is }: Loose) => type === 'Ready' && is === 'True') ?? false;
}
