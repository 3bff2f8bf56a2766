import { until } from '../../chaos/wait.js';
import { kafkaReleaseImage } from '../../images/project-images.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

/** A topic to write to and to read from, with the Secret of a user. */
export interface Site {
  readonly namespace: string;
  readonly topic: string;
  /** The name of the Secret. */
  readonly secret: string;
}

/** Numbered records that a producer sent, by its own log. */
export interface Sent {
  /** Numbers that a broker acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Milliseconds: the longest time between two acknowledgements. */
  readonly longestGap: number;
  /** Errors by their message. */
  readonly errors: Readonly<Record<string, number>>;
}

const jar = '/opt/kafka/libs/*';
/** Kafka's own programs that count, with all acknowledgements and idempotence. */
const program = (name: string, args: string) =>
  `cd /secret && exec java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '${jar}' org.apache.kafka.tools.${name} --bootstrap-server "$(cat bootstrap.servers)" --command-config client.properties ${args}`;

/** A producer of numbered records that runs until it is stopped. */
export class Producer implements AsyncDisposable {
  private constructor(
    readonly site: Site,
    private readonly logs: FollowedLogs,
    private readonly name: string,
  ) {}

  /** @param rate records a second */
  static async start(site: Site, rate: number, name = 'producer'): Promise<Producer> {
    const { namespace, topic } = site;
    const pods = async () => (await listed(Pod, { namespace, labelSelector: `app=${name}` })) ?? [];
    const logs = new FollowedLogs(pods);
    await applied(
      pod(
        site,
        name,
        program('VerifiableProducer', `--topic ${topic} --acks -1 --throughput ${rate} --max-messages -1`),
      ),
    );
    const producer = new Producer(site, logs, name);
    const began = () => Promise.resolve(producer.sent().acknowledged.size > 0);
    await until(began, {
      what: 'the producer gets acknowledgements',
      within: 120_000,
      every: 500,
      instead: () => logs.text.slice(-500),
    });
    return producer;
  }

  /** What was sent so far. @param since milliseconds since 1970, from which gaps count */
  sent(since = 0): Sent {
    const acknowledged = new Set<string>();
    const errors: Record<string, number> = {};
    let [last, longestGap] = [0, 0];
    for (const line of this.logs.text.split('\n')) {
      const said = parsed(line);
      if (said?.name === 'producer_send_error') errors[said.message ?? ''] = (errors[said.message ?? ''] ?? 0) + 1;
      if (said?.name !== 'producer_send_success') continue;
      acknowledged.add(said.value ?? '');
      const at = Number(said.timestamp);
      if (last > since && last > 0) longestGap = Math.max(longestGap, at - last);
      last = Math.max(last, at);
    }
    return { acknowledged, longestGap, errors };
  }

  /** Lets it send what it has, and ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pod = ['delete', 'pod', this.name, '--grace-period=20', '--ignore-not-found'];
    await kubectl(['--namespace', this.site.namespace, ...pod]);
    await this.logs[Symbol.asyncDispose]();
  }
}

interface Said {
  readonly name?: string;
  readonly value?: string;
  readonly message?: string;
  readonly timestamp?: number | string;
}

function parsed(line: string): Said | undefined {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as Said) : undefined;
  } catch {
    return undefined; // cut in the middle
  }
}

/** Prints consecutive numbers as `FIRST-LAST`: the kubelet keeps only the last megabytes of a log. */
const ranges = `grep -E '^[0-9]+$' | sort -n -u | awk 'NR==1 {a=b=$1; next} $1==b+1 {b=$1; next} {print a "-" b; a=b=$1} END {if (NR) print a "-" b}'`;

/** Reads the whole topic. @returns the values @throws {Error} with the log of the reader if it reads none */
export async function readAll(site: Site): Promise<ReadonlySet<string>> {
  const { namespace, topic } = site;
  const name = 'reader';
  const args = `--topic ${topic} --from-beginning --timeout-ms 40000 --group shop-reader-${Date.now()}`;
  const consumer = program('consumer.ConsoleConsumer', args).replace('exec java', 'java');
  await applied(pod(site, name, `set -o pipefail; (${consumer}) | ${ranges}`));
  const isDone = async () => {
    const [found] = await listed(Pod, { namespace, labelSelector: `app=${name}` });
    return found?.status?.phase === 'Succeeded' || found?.status?.phase === 'Failed';
  };
  await until(isDone, { what: 'the topic is read', within: 300_000, every: 1_000 });
  const text = await kubectl(['--namespace', namespace, 'logs', name]);
  await kubectl(['--namespace', namespace, 'delete', 'pod', name]);
  const values = new Set(text.split('\n').flatMap(valuesIn));
  if (values.size === 0) throw new Error(`the reader reads no record: ${text.slice(-2_000)}`);
  return values;
}

function valuesIn(line: string): readonly string[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(line) ?? [];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
}

function pod({ namespace, secret }: Site, name: string, command: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: name } },
    spec: {
      ...{ restartPolicy: 'Never', automountServiceAccountToken: false },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name: 'client', image: kafkaReleaseImage('4.4.0'), command: ['/bin/bash', '-c', command] },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '384Mi' } },
          volumeMounts: [{ name: 'secret', mountPath: '/secret', readOnly: true }],
        },
      ],
      volumes: [{ name: 'secret', secret: { secretName: secret } }],
    },
  };
}
