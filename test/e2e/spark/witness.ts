import { projectImage } from '../../images/project-images.js';
import { read } from '../cluster/api.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

/** What the witness has heard of a process of a driver. */
export interface HeardProcess {
  readonly driver: string;
  readonly uid: string;
  /** Seconds since the witness began. */
  readonly first: number;
  readonly last: number;
  readonly steps: number;
}

/** Everything that the witness has heard. */
export interface Heard {
  /** The oldest first. */
  readonly processes: readonly HeardProcess[];
  /** Steps of a process after a later process began: both lived at once. */
  readonly overlaps: readonly { readonly uid: string; readonly after: string; readonly at: number }[];
}

/** A Pod that drivers tell of each step. */
export class Witness {
  private constructor(
    readonly namespace: string,
    /** Its address for drivers. */
    readonly address: string,
  ) {}

  /** @param node a machine that no test stops */
  static async start(namespace: string, node: string): Promise<Witness> {
    await applied({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'witness', labels: { app: 'witness' } } },
      spec: {
        ...{ nodeName: node, automountServiceAccountToken: false, restartPolicy: 'Never' },
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            ...{ name: 'witness', image: projectImage('spark', '4.3.0'), args: ['python3', '/app/witness.py'] },
            resources: { requests: { cpu: '10m', memory: '32Mi' } },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            volumeMounts: [{ name: 'programs', mountPath: '/app' }],
          },
        ],
        volumes: [{ name: 'programs', configMap: { name: 'programs' } }],
      },
    });
    await kubectl(['--namespace', namespace, 'wait', 'pod/witness', '--for=condition=Ready', '--timeout=120s']);
    const pod = await read(Pod, { namespace, name: 'witness' });
    return new Witness(namespace, `http://${pod?.status?.podIP}:8080/`);
  }

  async heard(): Promise<Heard> {
    const asks = 'import urllib.request as r; print(r.urlopen("http://127.0.0.1:8080/", timeout=10).read().decode())';
    const said = await kubectl(['--namespace', this.namespace, 'exec', 'witness', '--', 'python3', '-c', asks]);
    return JSON.parse(said) as Heard;
  }
}
