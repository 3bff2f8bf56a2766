import { Lease } from '../../../operator/runtime/kubernetes/kinds.js';
import { account } from '../../acceptance/given/installation.js';
import { until } from '../../chaos/wait.js';
import { listed, read } from './api.js';
import { type LivePod, Pod } from './kinds.js';
import { kubectl } from './kubectl.js';

const { namespace, name } = account;

/** The operator's pods. */
export function operatorPods(): Promise<readonly LivePod[]> {
  return listed(Pod, { namespace, labelSelector: `app.kubernetes.io/instance=${name}` });
}

/** The name of the pod that holds the lease; undefined while none does. */
export async function leader(): Promise<string | undefined> {
  const lease = await read(Lease, { namespace, name });
  const { holderIdentity } =
    (lease as { readonly spec?: { readonly holderIdentity?: string } } | undefined)?.spec ?? {};
  // `<host name>_<uuid>`, and a pod's host name is its own.
  const [pod] = holderIdentity?.split('_') ?? [];
  return (await operatorPods()).find(({ metadata }) => metadata.name === pod)?.metadata.name;
}

/**
 * A program of Node.js that ends every process of the operator that it sees, at once: the containers of a killable pod share their
 * processes.
 */
export const killProgram = `
  const { readdirSync, readFileSync } = require('node:fs');
  for (const pid of readdirSync('/proc').map(Number).filter((pid) => pid > 0 && pid !== process.pid)) {
    let line = '';
    try { line = readFileSync('/proc/' + pid + '/cmdline', 'utf8'); } catch {}
    if (line.includes('build/operator/main.js')) process.kill(pid, 'SIGKILL');
  }`;

/**
 * Replaces the operator's pods: an image that was loaded under the same name since is run by new ones alone. Their
 * processes can be killed; the first of a container's own could not be, by anybody in it.
 */
export async function renew(): Promise<void> {
  const patch = [{ op: 'add', path: '/spec/template/spec/shareProcessNamespace', value: true }];
  await kubectl([...ofOperator, 'patch', `deployment/${name}`, '--type=json', '-p', JSON.stringify(patch)]);
  await kubectl([...ofOperator, 'rollout', 'restart', `deployment/${name}`]);
}

/**
 * Kills the operator's process that leads, with SIGKILL, and its pod after it: a container that ends again and again is
 * started ever later. @returns the pod's name; undefined when none led
 */
export async function killLeader(): Promise<string | undefined> {
  const pod = await leader();
  if (pod === undefined) return undefined;
  // The command dies with what it kills, so what it says is of no interest.
  await kubectl([...ofOperator, 'exec', pod, '--', '/usr/local/bin/node', '-e', killProgram]).catch(() => '');
  await kubectl([...ofOperator, 'delete', 'pod', pod, '--force', '--grace-period=0', '--ignore-not-found']);
  return pod;
}

const ofOperator = ['--namespace', namespace];

/** Resolves when as many pods as there are to be run this version of the operator. */
export async function untilRolledOut(): Promise<void> {
  await kubectl([...ofOperator, 'rollout', 'status', `deployment/${name}`, '--timeout=120s']);
}

/** Gives the operator so many pods. Resolves when those that are too many are gone. */
export async function scaleOperator(replicas: number): Promise<void> {
  await kubectl([...ofOperator, 'scale', `deployment/${name}`, `--replicas=${replicas}`]);
  const isDone = async () => (await operatorPods()).length <= replicas;
  await until(isDone, { what: `${replicas} pods of the operator`, within: 60_000, every: 200 });
}

/** The warnings and errors in the log of the operator's Pods. */
export async function complaints(): Promise<readonly string[]> {
  const logs = await Promise.all(
    (await operatorPods()).map(({ metadata }) => kubectl([...ofOperator, 'logs', metadata.name]).catch(() => '')),
  );
  return logs.flatMap((log) => log.split('\n')).filter((line) => line.includes('"level":"error"'));
}
