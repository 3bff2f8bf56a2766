import { randomBytes } from 'node:crypto';
import { projectImage } from '../../images/project-images.js';
import type { LivePod } from './kinds.js';
import { applied, kubectl } from './kubectl.js';

/**
 * Sends a signal to every process of a pod, found by its cgroup. The one that holds the pod's network together is left: no pod outlives
 * that one, and this one shall start again.
 */
const signalling = `
import os, signal, sys
names = (sys.argv[1], sys.argv[1].replace("-", "_"))
reached = 0
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        with open(f"/proc/{process}/cgroup") as cgroup, open(f"/proc/{process}/comm") as comm:
            if not any(name in cgroup.read() for name in names) or comm.read().strip() == "pause":
                continue
            os.kill(int(process), getattr(signal, sys.argv[2]))
            reached += 1
    except (FileNotFoundError, ProcessLookupError):
        pass
sys.exit(0 if reached else "no process of that pod is here")
`;

/**
 * Kills all processes of a pod at once, with SIGKILL, from outside of it: its first process cannot be killed from within.
 * @param image one with Python, which the nodes have. @default - that of PostgreSQL
 */
export async function killProcesses(pod: LivePod, image = projectImage('postgres', '15.20')): Promise<void> {
  await signalProcesses(pod, 'SIGKILL', image);
}

/**
 * Stops all processes of a pod, or lets them continue. A stopped process keeps its connections and answers nobody.
 * @param image one with Python, which the nodes have
 */
export async function freeze(pod: LivePod, signal: 'SIGSTOP' | 'SIGCONT', image: string): Promise<void> {
  await signalProcesses(pod, signal, image);
}

async function signalProcesses({ metadata, spec }: LivePod, signal: string, image: string): Promise<void> {
  const { namespace = '', uid } = metadata;
  const name = `killer-${randomBytes(3).toString('hex')}`;
  const container = {
    name: 'killer',
    image,
    command: ['python3', '-c', signalling, uid, signal],
    securityContext: { runAsUser: 0, runAsGroup: 0 },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
  await applied({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      nodeName: spec.nodeName,
      hostPID: true,
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
      containers: [container],
    },
  });
  const pod = ['--namespace', namespace, 'wait', `pod/${name}`, '--for=jsonpath={.status.phase}=Succeeded'];
  await kubectl([...pod, '--timeout=30s']);
  await kubectl(['--namespace', namespace, 'delete', 'pod', name, '--wait=false']);
}

/** Deletes a pod without giving it time for anything. */
export async function deleteByForce({ metadata }: LivePod): Promise<void> {
  const of = ['--namespace', metadata.namespace ?? ''];
  await kubectl([...of, 'delete', 'pod', metadata.name, '--force', '--grace-period=0']);
}

/**
 * Takes everything off a node as an upgrade of the cluster does, but what is on every node: a Pod without a controller is
 * refused. Resolves when it is off.
 */
export async function drain(node: string): Promise<void> {
  await kubectl(['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=180s']);
}

/** Keeps further Pods off a node. */
export async function cordon(node: string): Promise<void> {
  await kubectl(['cordon', node]);
}

export async function uncordon(node: string): Promise<void> {
  await kubectl(['uncordon', node]);
}
