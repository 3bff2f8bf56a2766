import type { LivePod } from '../../../operator/runtime/index.js';
import type { SimulatedPod } from './spark-machines.js';

/** Seconds since 1970 at which histories begin. */
export const epoch = Date.parse('2030-01-01T00:00:00Z') / 1_000;

/** A time of a history. */
export const time = (seconds: number) => new Date(1_000 * (epoch + seconds)).toISOString();

/** Seconds that a container has to end after its Pod is deleted. */
const grace = 30;

/** A Pod as the API server has it. */
export function livePod(pod: SimulatedPod): LivePod {
  const { name, uid, role, isEnding, phase, node } = pod;
  return {
    metadata: {
      ...{ name, namespace: 'data', uid, creationTimestamp: time(pod.created) },
      labels: {
        ...{ 'reconstruct.dev/spark-job': 'clean', 'reconstruct.dev/spark-role': role },
        ...(role === 'executor' && {
          'spark-app-selector': `spark-${pod.job}-${pod.attempt}`,
          'spark-version': '4.3.0',
        }),
      },
      ownerReferences: [{ uid: pod.owner, controller: true }],
      ...(isEnding && { deletionTimestamp: time(pod.created + grace), deletionGracePeriodSeconds: grace }),
    },
    spec: { containers: [], ...(node !== undefined && { nodeName: node }) },
    status: {
      phase,
      conditions: pod.isDisrupted ? [{ type: 'DisruptionTarget', status: 'True' }] : [],
      containerStatuses: [{ name: role, image: 'spark', ready: pod.isListening, state: stateOf(pod) }],
    },
  } as unknown as LivePod;
}

function stateOf({ phase, exitCode, reason, started = 0, finished = 0 }: SimulatedPod): object {
  if (phase === 'Pending') return { waiting: { reason: 'ContainerCreating' } };
  if (exitCode === undefined) return { running: { startedAt: time(started) } };
  return { terminated: { exitCode, reason, startedAt: time(started), finishedAt: time(finished) } };
}
