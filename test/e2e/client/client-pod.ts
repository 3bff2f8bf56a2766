import { readFile } from 'node:fs/promises';
import { serverImage } from '../../images/project-images.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import type { ClientOptions, Period } from './counting-client.js';

/** Where `npm run e2e` compiles the program to. */
const compiled = 'node_modules/.trials/test/e2e/client';
const files = ['main.js', 'counting-client.js'];
/** The ConfigMap with the program. */
const program = 'counting-client';
const labels = { app: program };

/** A counting client in a pod of the cluster. */
export class ClientPod {
  private constructor(
    readonly namespace: string,
    readonly name: string,
  ) {}

  /** Starts one; it sends when its container runs. @param name of the pod */
  static async start(namespace: string, name: string, options: ClientOptions): Promise<ClientPod> {
    await applied(await programOf(namespace), podOf({ namespace, name }, options));
    const pod = new ClientPod(namespace, name);
    await kubectl(['--namespace', namespace, 'wait', `pod/${name}`, '--for=condition=Ready', '--timeout=60s']);
    return pod;
  }

  /** Ends it; what it has counted is gone. */
  async stop(): Promise<void> {
    await kubectl(['--namespace', this.namespace, 'delete', 'pod', this.name]);
  }

  /** Has it send no more; when this resolves, all that it has counted can be read. */
  async rest(): Promise<void> {
    const own = ['--namespace', this.namespace];
    await kubectl([...own, 'exec', this.name, '--', '/usr/local/bin/node', '-e', "process.kill(1, 'SIGTERM')"]);
    await kubectl([...own, 'wait', `pod/${this.name}`, '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s']);
  }

  /** What it has counted until about a second ago. */
  async periods(): Promise<readonly Period[]> {
    const log = await kubectl(['--namespace', this.namespace, 'logs', this.name]);
    const lines = log.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Period);
  }
}

async function programOf(namespace: string): Promise<object> {
  const texts = files.map(async (file) => [file, await readFile(`${compiled}/${file}`, 'utf8')] as const);
  const data = { ...Object.fromEntries(await Promise.all(texts)), 'package.json': '{"type":"module"}' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: program, namespace }, data };
}

function podOf(metadata: { readonly namespace: string; readonly name: string }, options: ClientOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels },
    spec: {
      // All on one node, so that a test can take another one away.
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'client',
          image: serverImage('1.0.0'),
          command: ['/usr/local/bin/node', '/client/main.js', JSON.stringify(options)],
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'client', mountPath: '/client' }],
        },
      ],
      volumes: [{ name: 'client', configMap: { name: program } }],
    },
  };
}
