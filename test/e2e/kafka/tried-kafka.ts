import { type KafkaClusterResource, type KafkaClusterSpecInput, kafkaClusterKind } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { listed, read } from '../cluster/api.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import type { Site } from './clients.js';

const apiVersion = 'reconstruct.dev/v1alpha1';
const name = 'events';
const resources = (memory: string) => ({ requests: { cpu: '50m', memory }, limits: { cpu: '2', memory } });

/** Small enough for three machines on two cores. */
export const small = {
  controllers: { resources: resources('400Mi') },
  brokers: { replicas: 3, storage: { size: '1Gi' }, resources: resources('640Mi') },
} as const satisfies KafkaClusterSpecInput;

/** Conditions of a cluster that has and does everything that its spec wants. */
const settled = ['Provisioned', 'Available', 'Replicated', 'UpToDate', 'Balanced'];

/** The KafkaCluster `events` with a topic and a user, as a user has them: applied, edited, watched, and asked. */
export class TriedKafka {
  readonly name = name;
  /** `spec.cluster` of its topics and users. */
  readonly reference = { name };
  #latest = '';

  constructor(
    readonly namespace: string,
    public spec: KafkaClusterSpecInput = small,
  ) {}

  /** Where clients write and read. */
  get site(): Site {
    return { namespace: this.namespace, topic: 'orders', secret: 'shop' };
  }

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<KafkaClusterSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    await applied(this.#cluster());
  }

  /** Applies it for the first time, with the topic and the user. */
  async create(): Promise<void> {
    const { namespace } = this;
    const topic = { ...{ apiVersion, kind: 'KafkaTopic', metadata: { namespace, name: 'orders' } } };
    const user = { ...{ apiVersion, kind: 'KafkaUser', metadata: { namespace, name: 'shop' } } };
    const acls = [
      { resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write', 'Describe'] },
      { resource: { type: 'Group', name: 'shop', patternType: 'Prefixed' }, operations: ['Read'] },
    ];
    await applied(
      this.#cluster(),
      { ...topic, spec: { cluster: this.reference, partitions: 6 } },
      { ...user, spec: { cluster: this.reference, acls } },
    );
  }

  /** Resolves when the topic and the user are ready. */
  async untilUsable(): Promise<void> {
    const ready = ['ktopic/orders', 'kuser/shop', '--for=condition=Ready', '--timeout=120s'];
    await kubectl(['--namespace', this.namespace, 'wait', ...ready]);
  }

  /** Creates it, and waits until clients can use it. */
  async begin(): Promise<void> {
    await this.create();
    await this.until('the cluster is ready', () => this.isSettled()).catch(async (error: unknown) => {
      await this.#printLogs();
      throw error;
    });
    await this.untilUsable();
  }

  /** Prints the last lines of each node and of the operator: their Pods are deleted with the namespace. */
  async #printLogs(): Promise<void> {
    const nodes = ['--namespace', this.namespace, 'logs', '--selector', `reconstruct.dev/kafka-cluster=${name}`];
    console.error(await kubectl([...nodes, '--prefix', '--tail=60', '--max-log-requests=10']).catch(String));
    const operator = ['--namespace', 'reconstruct-system', 'logs', '--selector', 'app.kubernetes.io/name=reconstruct'];
    console.error(await kubectl([...operator, '--prefix', '--tail=100']).catch(String));
  }

  /**
   * Deletes it while its namespace is there: its brokers stop within seconds, because they have controllers. The namespace is
   * deleted anyway, so a failure is only printed.
   */
  async end(): Promise<void> {
    const of = ['--namespace', this.namespace, 'delete', '--all'];
    await kubectl([...of, 'ktopic,kuser,kcl', '--wait=false']).catch(console.error);
    await kubectl([...of, 'kcl', '--timeout=120s']).catch(console.error);
  }

  async live(): Promise<KafkaClusterResource | undefined> {
    const found = await read(kafkaClusterKind, { namespace: this.namespace, name });
    const conditions = found?.status?.conditions ?? [];
    this.#latest = conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('; ');
    return found;
  }

  /** True if every condition of the latest spec is true, and all Pods are ready: the conditions may be those of a killed operator. */
  async isSettled(): Promise<boolean> {
    const found = await this.live();
    if (!found || found.status?.observedGeneration !== found.metadata.generation) return false;
    const { brokers, controllers } = found.spec;
    const nodes = brokers.replicas + (controllers.combined ? 0 : controllers.replicas);
    const pods = await this.pods();
    const { conditions = [] } = found.status;
    return (
      pods.length === nodes &&
      pods.every(isReady) &&
      settled.every((type) => conditions.some((one) => one.type === type && one.status === 'True'))
    );
  }

  /** The ID of the active controller. An operator that has just begun does not know it. */
  async activeController(): Promise<number> {
    let id: number | undefined;
    await this.until('the active controller is known', async () => {
      id = (await this.live())?.status?.activeController;
      return id !== undefined;
    });
    return id ?? -1;
  }

  /** The reasons of the conditions by type, as they were at one time. */
  async reasons(): Promise<Readonly<Record<string, string>>> {
    const conditions = (await this.live())?.status?.conditions ?? [];
    return Object.fromEntries(conditions.map(({ type, reason }) => [type, reason]));
  }

  /** Resolves when it is so. @param within seconds @throws {Error} with the conditions when it is not within the time */
  async until(what: string, isSo: () => Promise<boolean>, within = 240): Promise<void> {
    const instead = () => this.#latest;
    await until(isSo, { what, within: within * 1_000 * slower, every: 1_000, instead });
  }

  /** The Pods of all nodes. */
  pods(): Promise<readonly LivePod[]> {
    return this.#podsOf('');
  }

  brokers(): Promise<readonly LivePod[]> {
    return this.#podsOf(',reconstruct.dev/kafka-role=broker');
  }

  controllers(): Promise<readonly LivePod[]> {
    return this.#podsOf(',reconstruct.dev/kafka-role=controller');
  }

  #podsOf(selector: string): Promise<readonly LivePod[]> {
    const labelSelector = `reconstruct.dev/kafka-cluster=${name}${selector}`;
    return listed(Pod, { namespace: this.namespace, labelSelector });
  }

  #cluster(): object {
    return { apiVersion, kind: 'KafkaCluster', metadata: { namespace: this.namespace, name }, spec: this.spec };
  }
}

/** Identifiers of Pods: a Pod that was replaced has another one. */
export function uidsOf(pods: readonly LivePod[]): readonly (string | undefined)[] {
  return pods.map(({ metadata }) => metadata.uid).toSorted();
}
