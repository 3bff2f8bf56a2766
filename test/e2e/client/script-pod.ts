import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { serverImage } from '../../images/project-images.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

/** A script for Node.js, and where it runs. */
export interface ScriptPodProps {
  readonly namespace: string;
  /** The name of its Pod and of its ConfigMap. */
  readonly name: string;
  /** The machine, which no test stops. */
  readonly node: string;
  /** The path of the script from the root of the project. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Secrets by the directory in which the script finds them. @default - none */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A script for Node.js in a Pod of the cluster, and what it has printed. */
export class ScriptPod implements AsyncDisposable {
  readonly #logs: FollowedLogs;
  #read = 0;

  private constructor(readonly props: Pick<ScriptPodProps, 'namespace' | 'name'>) {
    const { namespace, name } = props;
    this.#logs = new FollowedLogs(() => listed(Pod, { namespace, labelSelector: `app=${name}` }));
  }

  static async start(props: ScriptPodProps): Promise<ScriptPod> {
    const { namespace, name, script } = props;
    const data = { [basename(script)]: await readFile(script, 'utf8') };
    const pod = new ScriptPod(props);
    try {
      await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }, podOf(props));
      return pod;
    } catch (error) {
      await pod[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What it has printed since the last call. */
  news(): string {
    const { text } = this.#logs;
    const news = text.slice(this.#read);
    this.#read = text.length;
    return news;
  }

  /** The last characters of what it has printed. */
  get end(): string {
    return this.#logs.text.slice(-500);
  }

  /** Deletes the Pod. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { namespace, name } = this.props;
    const ends = ['--grace-period=1', '--ignore-not-found', '--timeout=60s'];
    try {
      await kubectl(['--namespace', namespace, 'delete', 'pod', name, ...ends]);
    } finally {
      await this.#logs[Symbol.asyncDispose]();
    }
  }
}

function podOf({ namespace, name, node, script, env, secrets = {} }: ScriptPodProps): object {
  const mounted = Object.entries(secrets).map(([mountPath, secretName], index) => ({
    mount: { name: `secret-${index}`, mountPath },
    volume: { name: `secret-${index}`, secret: { secretName } },
  }));
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels: { app: name } } },
    spec: {
      ...{ nodeName: node, restartPolicy: 'Never', automountServiceAccountToken: false },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name, image: serverImage('1.0.0') },
          command: ['/usr/local/bin/node', `/script/${basename(script)}`],
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'script', mountPath: '/script' }, ...mounted.map(({ mount }) => mount)],
        },
      ],
      volumes: [{ name: 'script', configMap: { name } }, ...mounted.map(({ volume }) => volume)],
    },
  };
}
