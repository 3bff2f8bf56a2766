import { App, Chart } from 'cdk8s';
import { type LeaderElectionResource, leaderElectionKind } from '../../../imports/index.js';
import { LeaderCandidate } from '../../../src/index.js';
import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { listed, read } from '../cluster/api.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { zoneLabel } from '../cluster/zones.js';

const labels = { app: 'cache' };

/** A LeaderElection of three Pods in three zones, with the launcher and without any persistence. */
export class TriedElection {
  readonly service = 'cache-leader';
  #latest = '';

  /** @param server a version of the image of servers, such as `redis-8` */
  constructor(
    readonly namespace: string,
    readonly server: string,
  ) {}

  async apply(): Promise<void> {
    await applied(...this.objects());
  }

  /** The objects that a user applies. */
  objects(): readonly object[] {
    const { namespace, service } = this;
    const chart = new Chart(new App(), 'candidates', { namespace });
    const candidate = new LeaderCandidate(chart, 'candidate', {
      election: 'cache',
      image: projectImage('leader-launcher'),
    });
    const template = candidate.podTemplate(templateOf(projectImage('leader-servers', this.server)));
    const metadata = { name: 'cache', namespace };
    const spec = {
      serviceName: 'cache',
      podManagementPolicy: 'Parallel',
      replicas: 3,
      selector: { matchLabels: labels },
      template,
    };
    return [
      ...(chart.toJson() as readonly object[]),
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec },
      {
        ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'LeaderElection', metadata },
        spec: { selector: labels, service, replicaService: 'cache-replicas', application: { redis: {} } },
      },
    ];
  }

  pods(): Promise<readonly LivePod[]> {
    return listed(Pod, { namespace: this.namespace, labelSelector: 'app=cache' });
  }

  async live(): Promise<LeaderElectionResource | undefined> {
    const found = await read(leaderElectionKind, { namespace: this.namespace, name: 'cache' });
    const conditions = found?.status?.conditions ?? [];
    this.#latest = conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('; ');
    return found;
  }

  /** True if it is Ready, and the operator knows a whole copy of each running Pod. */
  async isSettled(): Promise<boolean> {
    const { status } = (await this.live()) ?? {};
    const isTrue = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
    const members = status?.members ?? [];
    const isWhole =
      members.length === 2 && members.every((one) => one.isComplete === true && one.goneSince === undefined);
    const pods = await this.pods();
    return isTrue && isWhole && pods.length === 3 && pods.every(isReady);
  }

  /** The Pod that leads, once all are well. */
  async leader(): Promise<LivePod> {
    await this.until('all are well', () => this.isSettled());
    const { status } = (await this.live()) ?? {};
    const found = (await this.pods()).find(({ metadata }) => metadata.name === status?.leader);
    if (!found) throw new Error(`there is no Pod of the leader: ${this.#latest}`);
    return found;
  }

  /** Asks the leader to hand over. Resolves when another one leads. @param to the Pod. @default - any other */
  async switchover(to?: string): Promise<void> {
    const before = await this.term();
    const own = ['--namespace', this.namespace];
    const request = `${Date.now()}${to === undefined ? '' : ` to=${to}`}`;
    await kubectl([...own, 'annotate', 'le', 'cache', '--overwrite', `reconstruct.dev/switchover=${request}`]);
    await this.until('another Pod leads', async () => (await this.term()) > before);
    await this.leader();
  }

  async term(): Promise<number> {
    return (await this.live())?.status?.term ?? 0;
  }

  /** All numbers that the leader has. */
  async written(): Promise<ReadonlySet<string>> {
    const { metadata } = await this.leader();
    const exec = ['exec', metadata.name, '--container', 'redis', '--', 'cli', '--raw', 'KEYS', 'written:*'];
    const keys = await kubectl(['--namespace', this.namespace, ...exec]);
    return new Set(keys.split('\n').flatMap((key) => /^written:(\d+)$/.exec(key)?.[1] ?? []));
  }

  /** Resolves when it is so. @param within seconds @throws {Error} with the conditions when it is not within the time */
  async until(what: string, isSo: () => Promise<boolean>, within = 240): Promise<void> {
    await until(isSo, { what, within: within * 1_000 * slower, every: 1_000, instead: () => this.#latest });
  }

  /** Prints what its Pods and the operator have logged: they are gone after the tests. */
  async printLogs(): Promise<void> {
    const own = ['--namespace', this.namespace];
    console.error(await kubectl([...own, 'get', 'le', 'cache', '--output=yaml']).catch(String));
    const logs = [
      'logs',
      '--prefix',
      '--max-log-requests=10',
      '--selector',
      'app=cache',
      '--all-containers',
      '--tail=60',
    ];
    console.error(await kubectl([...own, ...logs]).catch(String));
  }
}

/** A server without persistence, which is the hardest case: a container that restarts has lost everything. */
function templateOf(image: string) {
  return {
    metadata: { labels },
    spec: {
      terminationGracePeriodSeconds: 30,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 999,
        fsGroup: 999,
        seccompProfile: { type: 'RuntimeDefault' as const },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: zoneLabel,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: labels },
        },
      ],
      tolerations: [
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      ],
      containers: [
        {
          name: 'redis',
          image,
          command: ['server', '--save', '', '--dir', '/data', '--repl-diskless-sync-delay', '0'],
          ports: [{ name: 'redis', containerPort: 6379 }],
          resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  };
}
