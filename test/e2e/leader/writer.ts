import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { type Sent, SentRecords } from '../kafka/sent-records.js';

/** Keys a second. */
const rate = 50;

/** Where a client writes, and from which machine, which no test stops. */
export interface Site {
  readonly namespace: string;
  /** The Service of the leader. */
  readonly service: string;
  readonly node: string;
}

/** A client that writes numbered keys through the Service of the leader, and counts those that `WAIT 1` has confirmed. */
export class Writer implements AsyncDisposable {
  readonly #keys = new SentRecords();
  #read = 0;

  private constructor(
    readonly site: Site,
    private readonly logs: FollowedLogs,
  ) {}

  static async start(site: Site): Promise<Writer> {
    const { namespace } = site;
    const program = await readFile(join(import.meta.dirname, 'writer.mjs'), 'utf8');
    const writer = new Writer(site, new FollowedLogs(() => listed(Pod, { namespace, labelSelector: 'app=writer' })));
    const metadata = { name: 'writer', namespace };
    await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'writer.mjs': program } }, podOf(site));
    await writer.untilMore(1, 120);
    return writer;
  }

  /** What was confirmed so far. @param since milliseconds since 1970, from which gaps count */
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
    await this.untilMore(50);
    const { longestGap, acknowledged } = this.sent(began);
    figure(line, `${what}: ${took}, longest gap ${longestGap} ms, ${acknowledged.size} confirmed`);
    return longestGap;
  }

  /** Resolves when so many more keys are confirmed. @param within seconds */
  async untilMore(keys: number, within = 120): Promise<void> {
    const before = this.sent().acknowledged.size;
    await until(() => this.sent().acknowledged.size >= before + keys, {
      what: `${keys} more keys are confirmed`,
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

function podOf({ namespace, service, node }: Site): object {
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
            { name: 'HOST', value: `${service}.${namespace}.svc` },
            { name: 'RATE', value: String(rate) },
          ],
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'program', mountPath: '/program' }],
        },
      ],
      volumes: [{ name: 'program', configMap: { name: 'writer' } }],
    },
  };
}
