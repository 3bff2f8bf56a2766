import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { listed } from '../cluster/api.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

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

/** One of Kafka's own programs with a file of settings, for the shell. */
export const program = (name: string, settings: string, args: string) =>
  `java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '${jar}' org.apache.kafka.tools.${name} --bootstrap-server "$(cat bootstrap.servers)" --command-config ${settings} ${args}`;

const producerSettings = '/tmp/producer.properties';

/** A command that makes the settings of producers. The program that counts sets `retries=0`, which would turn off idempotence. */
export const prepared = `(cat client.properties; echo enable.idempotence=true; echo retries=2147483647) >${producerSettings}`;

/** A producer of numbered records that does not end. @param rate records a second */
export const producing = (topic: string, rate: number) =>
  program('VerifiableProducer', producerSettings, `--topic ${topic} --acks -1 --throughput ${rate} --max-messages -1`);

/** A Pod that runs lines of bash in the folder of the Secret. */
export function clientPod({ namespace, secret, node }: Site, name: string, script: string): object {
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
          ...{ name: 'client', image: projectImage('kafka', '4.4.0'), workingDir: '/secret' },
          command: ['/bin/bash', '-c', script],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '384Mi' } },
          volumeMounts: [{ name: 'secret', mountPath: '/secret', readOnly: true }],
        },
      ],
      volumes: [{ name: 'secret', secret: { secretName: secret } }],
    },
  };
}

/** Runs lines of bash in a client Pod until they end. @param within seconds */
export async function ran(
  site: Site,
  name: string,
  script: string,
  within: number,
): Promise<{ readonly phase: string; readonly log: string }> {
  const { namespace } = site;
  let phase = '';
  const isDone = async () => {
    const [found] = await listed(Pod, { namespace, labelSelector: `app=${name}` });
    phase = found?.status?.phase ?? '';
    return phase === 'Succeeded' || phase === 'Failed';
  };
  try {
    await applied(clientPod(site, name, script));
    await until(isDone, { what: `the client ${name} ends`, within: within * 1_000, every: 1_000 });
    return { phase, log: await kubectl(['--namespace', namespace, 'logs', name]) };
  } finally {
    // The next one may have the same name.
    await kubectl(['--namespace', namespace, 'delete', 'pod', name, '--ignore-not-found', '--timeout=60s']);
  }
}
