import { until } from '../../chaos/wait.js';
import { kafkaReleaseImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { type Sent, SentRecords } from './sent-records.js';

/** A topic to write to and to read from, with the Secret of a user. */
export interface Site {
  readonly namespace: string;
  readonly topic: string;
  /** The name of the Secret. */
  readonly secret: string;
  /** The machine of the clients, which no test stops. @default - any */
  readonly node?: string;
}

const jar = '/opt/kafka/libs/*';
/** One of Kafka's own programs with a file of settings. */
const program = (name: string, settings: string, args: string) =>
  `exec java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '${jar}' org.apache.kafka.tools.${name} --bootstrap-server "$(cat bootstrap.servers)" --command-config ${settings} ${args}`;

/** The program that counts sets `retries=0`, which would turn off idempotence. */
const producing = (topic: string, rate: number) => `cd /secret
(cat client.properties; echo enable.idempotence=true; echo retries=2147483647) >/tmp/producer.properties
${program('VerifiableProducer', '/tmp/producer.properties', `--topic ${topic} --acks -1 --throughput ${rate} --max-messages -1`)}`;

/** A producer of numbered records, with all acknowledgements and idempotence, that runs until it is stopped. */
export class Producer implements AsyncDisposable {
  readonly #records = new SentRecords();
  #read = 0;

  private constructor(
    readonly site: Site,
    private readonly logs: FollowedLogs,
    private readonly name: string,
  ) {}

  /** @param rate records a second */
  static async start(site: Site, rate: number, name = 'producer'): Promise<Producer> {
    const { namespace, topic } = site;
    const logs = new FollowedLogs(() => listed(Pod, { namespace, labelSelector: `app=${name}` }));
    const producer = new Producer(site, logs, name);
    try {
      await applied(pod(site, name, producing(topic, rate)));
      await producer.untilMore(1, 120);
      return producer;
    } catch (error) {
      await producer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What was sent so far. @param since milliseconds since 1970, from which gaps count */
  sent(since = 0): Sent {
    const { text } = this.logs;
    this.#records.take(text.slice(this.#read));
    this.#read = text.length;
    return this.#records.sent(since, Date.now());
  }

  /**
   * Does something while it sends, and prints the figures. Afterwards it sends on.
   * @param line of the contract
   * @returns what was sent so far, and the longest gap meanwhile
   */
  async during(line: number, what: string, change: () => Promise<unknown>): Promise<Sent> {
    const began = Date.now();
    await change();
    const took = seconds(began, Date.now());
    await this.untilMore(100);
    const sent = this.sent(began);
    figure(line, `${what}: ${took}, longest gap ${sent.longestGap} ms, ${sent.acknowledged.size} acknowledged`);
    return sent;
  }

  /** Resolves when so many more records are acknowledged. @param within seconds */
  async untilMore(records: number, within = 90): Promise<void> {
    const before = this.sent().acknowledged.size;
    await until(() => this.sent().acknowledged.size >= before + records, {
      what: `${records} more records are acknowledged`,
      within: within * 1_000,
      every: 500,
      instead: () => `${this.logs.text.slice(-500)}; ${JSON.stringify(this.sent().errors)}`,
    });
  }

  /** Ends it, reads the whole topic, and prints the figures. @returns the acknowledged records that are not there */
  async lost(): Promise<readonly string[]> {
    await this[Symbol.asyncDispose]();
    const { acknowledged, errors } = this.sent();
    const values = await readAll(this.site);
    const lost = [...acknowledged].filter((value) => !values.has(value));
    const counts = `${acknowledged.size} acknowledged, ${values.size} read, ${lost.length} lost`;
    figure(2, `${counts}; errors: ${JSON.stringify(errors)}`);
    return lost;
  }

  /** Lets it send what it has, and ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { namespace } = this.site;
    const ends = ['--grace-period=20', '--ignore-not-found', '--timeout=60s'];
    try {
      await kubectl(['--namespace', namespace, 'delete', 'pod', this.name, ...ends]);
    } finally {
      await this.logs[Symbol.asyncDispose]();
    }
  }
}

/** Prints consecutive numbers as `FIRST-LAST`: the kubelet keeps only the last megabytes of a log. */
const ranges = `grep -E '^[0-9]+$' | sort -n -u | awk 'NR==1 {a=b=$1; next} $1==b+1 {b=$1; next} {print a "-" b; a=b=$1} END {if (NR) print a "-" b}'`;

/** Reads the whole topic. @returns the values @throws {Error} with the log of the reader if it reads none */
export async function readAll(site: Site): Promise<ReadonlySet<string>> {
  const { namespace, topic } = site;
  const name = 'reader';
  const args = `--topic ${topic} --from-beginning --timeout-ms 40000 --group shop-reader-${Date.now()}`;
  const consumer = program('consumer.ConsoleConsumer', 'client.properties', args).replace('exec java', 'java');
  const isDone = async () => {
    const [found] = await listed(Pod, { namespace, labelSelector: `app=${name}` });
    return found?.status?.phase === 'Succeeded' || found?.status?.phase === 'Failed';
  };
  try {
    await applied(pod(site, name, `set -o pipefail; cd /secret; (${consumer}) | ${ranges}`));
    await until(isDone, { what: 'the topic is read', within: 300_000, every: 1_000 });
    const text = await kubectl(['--namespace', namespace, 'logs', name]);
    const values = new Set(text.split('\n').flatMap(valuesIn));
    if (values.size === 0) throw new Error(`the reader reads no record: ${text.slice(-2_000)}`);
    return values;
  } finally {
    // The next reader has the same name.
    await kubectl(['--namespace', namespace, 'delete', 'pod', name, '--ignore-not-found', '--timeout=60s']);
  }
}

function valuesIn(line: string): readonly string[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(line) ?? [];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
}

function pod({ namespace, secret, node }: Site, name: string, command: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: name } },
    spec: {
      ...(node !== undefined && { nodeName: node }),
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
