import type { LiveObject, ObjectKind } from '../../../operator/index.js';
import { account } from '../../acceptance/given/installation.js';
import { install } from '../../e2e/cluster/install.js';
import { kubectl } from '../../e2e/cluster/kubectl.js';
import { killProgram, leader, operatorPods, renew, untilRolledOut } from '../../e2e/cluster/operator-pods.js';
import { ArmedKill, isArmed } from './armed-kill.js';
import { cores, memory, program, retries, type SparkRunner, sparkImage } from './spark-runner.js';

/** The parts of a SparkJob's status that are compared. */
interface JobStatus {
  readonly state?: string;
  readonly attempt?: number;
  readonly driver?: { readonly uid?: string };
  readonly ended?: readonly { readonly message?: string }[];
  readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
}

const kind: ObjectKind = {
  group: 'reconstruct.dev',
  version: 'v1alpha1',
  kind: 'SparkJob',
  plural: 'sparkjobs',
  namespaced: true,
};

const statusOf = (job: LiveObject) => (job as { readonly status?: JobStatus }).status ?? {};

/** Waits for a line, and kills. */
const armed = `
  console.log('${isArmed}');
  process.stdin.once('end', () => process.exit());
  process.stdin.once('data', () => { ${killProgram} });`;

/** The operator of `dist/`. */
export function reconstruct(namespace: string): SparkRunner {
  return {
    ...{ name: 'reconstruct', namespace, kind, account },
    start: async () => {
      await install();
      await renew();
      await untilRolledOut();
    },
    job: (name, tasks) => sparkJob(namespace, name, tasks),
    placeOf: (labels) => {
      const { 'reconstruct.dev/spark-job': job, 'reconstruct.dev/spark-role': role } = labels;
      return job !== undefined && (role === 'driver' || role === 'executor') ? { job, role } : undefined;
    },
    outcomeOf: (job) => {
      const { state } = statusOf(job);
      return state === 'Succeeded' || state === 'Failed' ? state : undefined;
    },
    told: (job) => {
      const { state = 'no state', attempt = 0, ended: [last] = [], conditions = [] } = statusOf(job);
      const reason = conditions.find(({ type }) => type === 'Running')?.reason ?? state;
      return `${state}${reason === state ? '' : ` (${reason})`}, attempt ${attempt}${last?.message ? `, "${last.message.slice(0, 120)}"` : ''}`;
    },
    knowsDriver: (job) => statusOf(job).driver?.uid !== undefined,
    pods: operatorPods,
    arm: async () => {
      const pod = await leader();
      if (pod === undefined) throw new Error('no Pod of the operator leads');
      const exec = ['--namespace', account.namespace, 'exec', '--stdin', pod, '--'];
      return ArmedKill.start([...exec, '/usr/local/bin/node', '-e', armed]);
    },
    stop: async () => {
      await kubectl(['--namespace', namespace, 'delete', 'sparkjobs', '--all', '--timeout=300s']);
    },
  };
}

function sparkJob(namespace: string, name: string, tasks: number): LiveObject {
  const size = `${memory.heap + memory.overhead}Mi`;
  const role = {
    resources: { requests: { cpu: cores }, limits: { cpu: '1', memory: size } },
    memoryOverhead: `${memory.overhead}Mi`,
  };
  const spec = {
    image: sparkImage(),
    ...{ version: '3.5', main: program, args: [String(tasks)] },
    driver: role,
    executors: { ...role, replicas: 1, cores: 1 },
    retry: {
      budgets: { submission: retries.count, run: retries.count, preemption: retries.count },
      backoff: { initial: `${retries.seconds}s`, factor: 1, jitter: 0 },
    },
  };
  return { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata: { namespace, name }, spec } as never;
}
