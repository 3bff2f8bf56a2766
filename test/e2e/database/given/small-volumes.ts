import { projectImage } from '../../../images/project-images.js';
import { listed } from '../../cluster/api.js';
import { Node } from '../../cluster/kinds.js';
import { applied, kubectl } from '../../cluster/kubectl.js';

/** What the claims ask for; what a volume has is another matter. */
const said = '1Gi';

/** A class of storage with a volume on each node, which are as small as they are: file systems in the nodes' memory. */
export class SmallVolumes {
  /** The class's name. */
  readonly className: string;
  readonly #folder: string;

  /** @param namespace in which they are mounted by pods with all rights over their node */
  constructor(readonly namespace: string) {
    this.className = namespace;
    this.#folder = `/var/lib/${namespace}`;
  }

  /** Makes them. @param megabytes that each has */
  async begin(megabytes: number): Promise<void> {
    const nodes = (await listed(Node)).map(({ metadata }) => metadata.name);
    const pods = nodes.map((node) => this.#mounter(node, megabytes));
    await applied(this.#class(), ...pods, ...nodes.map((node) => this.#volume(node)));
    const mounted = ['--namespace', this.namespace, 'wait', '--for=condition=Ready', '--timeout=60s'];
    await kubectl([...mounted, ...pods.map(({ metadata }) => `pod/${metadata.name}`)]);
  }

  /** Gives the one of a node more room. */
  async grow(node: string, megabytes: number): Promise<void> {
    const mounter = ['--namespace', this.namespace, 'exec', `mounter-${node}`, '--'];
    await kubectl([...mounter, 'mount', '-o', `remount,size=${megabytes}m`, '/volumes/one']);
  }

  /** Takes them away. Nobody may be on them any more. */
  async end(): Promise<void> {
    const nodes = (await listed(Node)).map(({ metadata }) => metadata.name);
    for (const node of nodes) {
      await kubectl(['--namespace', this.namespace, 'exec', `mounter-${node}`, '--', 'umount', '/volumes/one']);
      await kubectl(['delete', 'persistentvolume', `${this.className}-${node}`, '--wait=false']);
    }
    await kubectl(['delete', 'storageclass', this.className]);
  }

  #class() {
    return {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: this.className },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    };
  }

  /** Mounts the file system where the node sees it too. */
  #mounter(node: string, megabytes: number) {
    const mount = `mkdir -p /volumes/one && mount -t tmpfs -o size=${megabytes}m tmpfs /volumes/one && touch /tmp/done`;
    const container = {
      name: 'mounter',
      image: projectImage('postgres', '15.20'),
      command: ['sh', '-ec', `${mount}; exec sleep infinity`],
      readinessProbe: { exec: { command: ['test', '-e', '/tmp/done'] }, periodSeconds: 1 },
      securityContext: { privileged: true, runAsUser: 0 },
      volumeMounts: [{ name: 'volumes', mountPath: '/volumes', mountPropagation: 'Bidirectional' }],
    };
    const volume = { name: 'volumes', hostPath: { path: this.#folder, type: 'DirectoryOrCreate' } };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `mounter-${node}`, namespace: this.namespace },
      spec: {
        nodeName: node,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [container],
        volumes: [volume],
      },
    };
  }

  #volume(node: string) {
    const is = { key: 'kubernetes.io/hostname', operator: 'In', values: [node] };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${this.className}-${node}` },
      spec: {
        capacity: { storage: said },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: this.className,
        local: { path: `${this.#folder}/one` },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [is] }] } },
      },
    };
  }
}
