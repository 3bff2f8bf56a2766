import { type EtcdClusterResource, type EtcdClusterSpecInput, etcdClusterKind } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { listed, read } from '../cluster/api.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

/** An EtcdCluster, as a user has it: applied, edited and watched. */
export class TriedEtcd {
  readonly name = 'store';
  #latest = '';

  constructor(
    readonly namespace: string,
    public spec: EtcdClusterSpecInput,
  ) {}

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<EtcdClusterSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    const { name, namespace, spec } = this;
    await applied({ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'EtcdCluster', metadata: { name, namespace }, spec });
  }

  /** Deletes it, while its namespace and its operator are there. */
  async remove(): Promise<void> {
    const of = ['--namespace', this.namespace];
    await kubectl([...of, 'delete', 'etcdcl', this.name, '--ignore-not-found', '--timeout=120s']);
  }

  async live(): Promise<EtcdClusterResource | undefined> {
    const found = await read(etcdClusterKind, { namespace: this.namespace, name: this.name });
    const conditions = found?.status?.conditions ?? [];
    this.#latest = conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('; ');
    return found;
  }

  /**
   * True if the latest spec is Ready, its members are the Pods, and all of them are ready: the conditions may be those of a
   * killed operator.
   */
  async isSettled(): Promise<boolean> {
    const { metadata, status } = (await this.live()) ?? {};
    const isLatest = status?.observedGeneration === metadata?.generation;
    const isTrue = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
    const pods = await this.pods();
    const names = pods.map((pod) => pod.metadata.name).toSorted();
    const isWhole = status?.ready === `${pods.length}/3` && pods.length === 3 && pods.every(isReady);
    return isLatest && isTrue && isWhole && names.join() === (await this.memberNames()).join();
  }

  /** The members in the status. */
  async memberNames(): Promise<readonly string[]> {
    return ((await this.live())?.status?.members ?? []).map(({ name }) => name).toSorted();
  }

  /** The Pod of the leader. An operator that has just begun does not know it. */
  async leader(): Promise<LivePod> {
    let name: string | undefined;
    await this.until('the leader is known', async () => {
      name = (await this.live())?.status?.members?.find(({ isLeader }) => isLeader)?.name;
      return name !== undefined;
    });
    return this.pod(name ?? '');
  }

  /** @throws {Error} if there is none */
  async pod(name: string): Promise<LivePod> {
    const found = (await this.pods()).find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`there is no Pod ${name}`);
    return found;
  }

  pods(): Promise<readonly LivePod[]> {
    const labelSelector = `reconstruct.dev/etcd-cluster=${this.name}`;
    return listed(Pod, { namespace: this.namespace, labelSelector });
  }

  /** The members that etcd itself has: their names, `voter` or `learner`, as one of them knows them. */
  async membersOfEtcd(): Promise<readonly string[]> {
    const [asked] = (await this.pods()).filter(isReady);
    if (!asked) throw new Error('no member is ready');
    const list = ['exec', asked.metadata.name, '--', 'etcdctl', 'member', 'list'];
    const lines = (await kubectl(['--namespace', this.namespace, ...list])).trim().split('\n');
    return lines
      .map((line) => line.split(', '))
      .map(([, , name = '', , , isLearner]) => `${name} ${isLearner === 'true' ? 'learner' : 'voter'}`)
      .toSorted();
  }

  /** Resolves when it is so. @param within seconds @throws {Error} with the conditions when it is not within the time */
  async until(what: string, isSo: () => Promise<boolean>, within = 240): Promise<void> {
    const instead = () => this.#latest;
    await until(isSo, { what, within: within * 1_000 * slower, every: 1_000, instead });
  }

  /** Resolves when it is settled. */
  untilSettled(what: string, within?: number): Promise<void> {
    return this.until(what, () => this.isSettled(), within);
  }

  /** Prints what its Pods and the operator have logged: they are gone after the tests. */
  async printLogs(): Promise<void> {
    const own = ['--namespace', this.namespace];
    console.error(await kubectl([...own, 'get', 'etcdcl', '--output=yaml']).catch(String));
    const logs = ['logs', '--prefix', '--max-log-requests=10'];
    const members = ['--selector', `reconstruct.dev/etcd-cluster=${this.name}`, '--tail=40'];
    console.error(await kubectl([...own, ...logs, ...members]).catch(String));
    const operator = ['--namespace', 'reconstruct-system', ...logs, '--selector', 'app.kubernetes.io/name=reconstruct'];
    console.error(await kubectl([...operator, '--tail=100']).catch(String));
  }
}
