import { join } from 'node:path';
import { until } from '../../../chaos/wait.js';
import { listed } from '../../../e2e/cluster/api.js';
import { Pod } from '../../../e2e/cluster/kinds.js';
import { applied, kubectl } from '../../../e2e/cluster/kubectl.js';
import { peerProgram, peerSources } from '../../peer-program.js';
import { ArmedKill, isArmed } from '../armed-kill.js';
import type { SparkRunner } from '../spark-runner.js';
import { sparkApplication, sparkApplicationKind, statusOf, toldOf } from './application.js';
import { operatorName, operatorObjects, operatorSelector, programFolder } from './objects.js';

const peer = { module: 'github.com/kubeflow/spark-operator/v2', version: 'v2.3.0' };

/** The folder of its chart with the definitions of its kinds. */
const definitions = 'charts/spark-operator-chart/crds';

/** Kubeflow's operator, with the settings of its chart, in the image of the jobs: it runs spark-submit. */
export function sparkOperator(namespace: string): SparkRunner {
  const own = ['--namespace', namespace];
  const pods = () => listed(Pod, { namespace, labelSelector: operatorSelector });
  const podName = async () => {
    const [pod] = await pods();
    if (!pod) throw new Error('spark-operator has no Pod');
    return pod.metadata.name;
  };
  const crds = async () => join(await peerSources(peer), definitions);
  return {
    ...{ name: `spark-operator ${peer.version}`, namespace, kind: sparkApplicationKind },
    account: { namespace, name: operatorName },
    start: async () => {
      const program = await peerProgram({ ...peer, folder: 'cmd/operator' });
      await kubectl(['apply', '--server-side', '-f', await crds()]);
      await applied(...operatorObjects(namespace));
      await until(async () => (await pods())[0]?.status?.phase === 'Running', {
        ...{ what: 'the Pod of spark-operator runs', within: 180_000, every: 500 },
      });
      await give(program, namespace, await podName());
      await kubectl([...own, 'rollout', 'status', `deployment/${operatorName}`, '--timeout=120s']);
    },
    job: (name, tasks) => sparkApplication(namespace, name, tasks),
    placeOf: (labels) => {
      const { 'sparkoperator.k8s.io/app-name': job, 'spark-role': role } = labels;
      return job !== undefined && (role === 'driver' || role === 'executor') ? { job, role } : undefined;
    },
    outcomeOf: (job) => {
      const { state } = statusOf(job).applicationState ?? {};
      if (state === 'COMPLETED') return 'Succeeded';
      return state === 'FAILED' ? 'Failed' : undefined;
    },
    told: toldOf,
    knowsDriver: (job) => (statusOf(job).submissionAttempts ?? 0) > 0,
    pods,
    arm: async () => {
      const kill = `echo ${isArmed}; read line && kill -9 $(cat ${programFolder}/pid)`;
      return ArmedKill.start([...own, 'exec', '--stdin', await podName(), '--', 'sh', '-c', kill]);
    },
    stop: async () => {
      await kubectl([...own, 'delete', 'sparkapplications', '--all', '--timeout=300s']);
      await kubectl([...own, 'delete', 'deployment', operatorName]);
      await kubectl(['delete', '-f', await crds()]);
    },
  };
}

/** Copies the program into the container, which starts it when it is complete. */
async function give(program: string, namespace: string, pod: string): Promise<void> {
  const [partial, complete] = [`${programFolder}/partial`, `${programFolder}/spark-operator`];
  await kubectl(['cp', program, `${namespace}/${pod}:${partial}`]);
  const move = `chmod 755 ${partial} && mv ${partial} ${complete}`;
  await kubectl(['--namespace', namespace, 'exec', pod, '--', 'sh', '-c', move]);
}
