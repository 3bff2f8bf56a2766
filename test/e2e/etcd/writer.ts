import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { etcdHost } from '../../../src/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { type Sent, SentRecords } from '../kafka/sent-records.js';

/** An EtcdCluster that is written to. */
export interface Site {
  readonly namespace: string;
  /** The name of the EtcdCluster. */
  readonly cluster: string;
  /** The machine of the client, which no test stops. */
  readonly node: string;
}

/** Keys a second. */
const rate = 50;
/** The members that an EtcdCluster can have during a test, by their number. */
const members = 9;

/** A client that writes numbered keys with the certificate for clients, until it is stopped. */
export class Writer implements AsyncDisposable {
  readonly #keys = new SentRecords();
  #read = 0;

  private constructor(
    readonly site: Site,
    private readonly logs: FollowedLogs,
  ) {}

  static async start(site: Site): Promise<Writer> {
    const { namespace } = site;
    const writer = new Writer(site, new FollowedLogs(() => listed(Pod, { namespace, labelSelector: 'app=writer' })));
    try {
      const program = await readFile(join(import.meta.dirname, 'writer.mjs'), 'utf8');
      const metadata = { name: 'writer', namespace };
      await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'writer.mjs': program } }, podOf(site));
      await writer.untilMore(1, 120);
      return writer;
    } catch (error) {
      await writer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What was written so far. @param since milliseconds since 1970, from which gaps count */
  sent(since = 0): Sent {
    const { text } = this.logs;
    this.#keys.take(text.slice(this.#read));
    this.#read = text.length;
    return this.#keys.sent(since, Date.now());
  }

  /** Does something while it writes, and prints the figures. @returns milliseconds of the longest gap meanwhile */
  async during(line: number, what: string, change: () => Promise<unknown>): Promise<number> {
    const began = Date.now();
    await change();
    const took = seconds(began, Date.now());
    await this.untilMore(100);
    const { longestGap, acknowledged } = this.sent(began);
    figure(line, `${what}: ${took}, longest gap ${longestGap} ms, ${acknowledged.size} acknowledged`);
    return longestGap;
  }

  /** Resolves when so many more keys are acknowledged. @param within seconds */
  async untilMore(keys: number, within = 90): Promise<void> {
    const before = this.sent().acknowledged.size;
    await until(() => this.sent().acknowledged.size >= before + keys, {
      what: `${keys} more keys are acknowledged`,
      within: within * 1_000,
      every: 500,
      instead: () => `${this.logs.text.slice(-500)}; ${JSON.stringify(this.sent().errors)}`,
    });
  }

  /** Ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ends = ['--grace-period=1', '--ignore-not-found', '--timeout=60s'];
    try {
      await kubectl(['--namespace', this.site.namespace, 'delete', 'pod', 'writer', ...ends]);
    } finally {
      await this.logs[Symbol.asyncDispose]();
    }
  }
}

/** All numbers that are in the store, read by a member. */
export async function readAll(namespace: string, member: string): Promise<ReadonlySet<string>> {
  const read = ['etcdctl', 'get', 'written/', '--prefix', '--keys-only', '--command-timeout=30s'];
  const keys = await kubectl(['--namespace', namespace, 'exec', member, '--', ...read]);
  return new Set(keys.split('\n').flatMap((key) => /^written\/(\d+)$/.exec(key)?.[1] ?? []));
}

function podOf({ namespace, cluster, node }: Site): object {
  const hosts = Array.from({ length: members }, (_, index) =>
    etcdHost(`${cluster}-${index + 1}`, { name: cluster, namespace }),
  );
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'writer', labels: { app: 'writer' } } },
    spec: {
      ...{ nodeName: node, restartPolicy: 'Never', automountServiceAccountToken: false },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name: 'writer', image: serverImage('1.0.0') },
          command: ['/usr/local/bin/node', '/program/writer.mjs'],
          env: [
            { name: 'HOSTS', value: hosts.join(',') },
            { name: 'RATE', value: String(rate) },
          ],
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [
            { name: 'program', mountPath: '/program' },
            { name: 'certificate', mountPath: '/certificate' },
          ],
        },
      ],
      volumes: [
        { name: 'program', configMap: { name: 'writer' } },
        { name: 'certificate', secret: { secretName: `${cluster}-client-tls` } },
      ],
    },
  };
}
