import { podStepOf, type SimulatedPod } from '../../../../operator/testing/nodes/pod-status.js';

/** The moment at which the Pods of these tests start. */
export const start = Date.parse('2026-01-01T00:00:00Z');

/** A Pod that the scheduler has bound to a node. */
export function givenPod(spec: Partial<SimulatedPod['spec']> = {}, metadata: object = {}): SimulatedPod {
  const containers = [{ name: 'server', image: 'server:1' }];
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: '2025-12-31T00:00:00Z' } as const;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default', uid: 'uid', resourceVersion: '1', ...metadata },
    spec: { nodeName: 'simulated-1', restartPolicy: 'Always', containers, ...spec },
    status: { phase: 'Pending', conditions: [scheduled] },
  };
}

export function stepAt(pod: SimulatedPod, seconds = 0) {
  return podStepOf(pod, { now: start + seconds * 1000, hostIP: '10.64.0.1', podIP: '10.128.0.1' });
}

/** The Pod as the API server has it after the step at this time. */
export function stepped(pod: SimulatedPod, seconds = 0): SimulatedPod {
  const { act } = stepAt(pod, seconds);
  if (act === undefined || act === 'delete') return pod;
  const conditions = act.report.conditions?.map((condition) => ({ lastProbeTime: null, ...condition }));
  return { ...pod, status: { ...act.report, ...(conditions && { conditions }) } };
}

/** The columns READY and STATUS of `kubectl get pods`, and `Ready` for a Pod that is. */
export function picture({ spec, status }: SimulatedPod): string {
  const { phase = '', conditions = [], containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const states = [...initContainerStatuses, ...containerStatuses].map(
    ({ state }) => state.waiting?.reason ?? state.terminated?.reason ?? 'running',
  );
  const ready = containerStatuses.filter((one) => one.ready).length;
  const isReady = conditions.find(({ type }) => type === 'Ready')?.status === 'True';
  return `${ready}/${spec.containers.length} ${phase} [${states.join(' ')}]${isReady ? ' Ready' : ''}`;
}
