import { expect, test } from 'vitest';
import { healthOf } from '../../../cli/status/health.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { condition } from './given-conditions.js';

const container = (state: object) => ({ name: 'main', image: 'main:1', ready: false, restartCount: 3, state });
const isFalse = (type: string, reason: string, message: string) => condition(type, 'False', reason, message);

test.each<[kind: string, health: string, when: string, content: object]>([
  ['Pod', 'Ready', 'it is ready', { status: { phase: 'Running', conditions: [condition('Ready', 'True', '')] } }],
  [
    'Pod',
    'Ready',
    'its work is done',
    { status: { phase: 'Succeeded', conditions: [isFalse('Ready', 'PodCompleted', '')] } },
  ],
  [
    'Pod',
    'NotReady: no node can run the Pod: 0/3 nodes are available',
    'no node has room',
    { status: { phase: 'Pending', conditions: [isFalse('PodScheduled', 'Unschedulable', '0/3 nodes are available')] } },
  ],
  [
    'Pod',
    'NotReady: container main: exited with code 1, no space left',
    'its container fails',
    {
      status: {
        phase: 'Running',
        containerStatuses: [container({ terminated: { exitCode: 1, message: 'no space left' } })],
      },
    },
  ],
  [
    'Pod',
    'NotReady: ContainersNotReady: main',
    'it does not say why',
    { status: { phase: 'Running', conditions: [isFalse('Ready', 'ContainersNotReady', 'main')] } },
  ],
  ['Pod', 'NotReady: Pending', 'nothing has observed it', {}],
  [
    'Deployment',
    'Ready',
    'all replicas are ready',
    { spec: { replicas: 2 }, status: { readyReplicas: 2, observedGeneration: 1 } },
  ],
  ['Deployment', 'Ready', 'it has none', { spec: { replicas: 0 }, status: { observedGeneration: 1 } }],
  [
    'Deployment',
    'NotReady: 1 of 2 Pods are ready; ProgressDeadlineExceeded: too slow',
    'a replica does not come up',
    {
      spec: { replicas: 2 },
      status: {
        readyReplicas: 1,
        observedGeneration: 1,
        conditions: [isFalse('Progressing', 'ProgressDeadlineExceeded', 'too slow')],
      },
    },
  ],
  [
    'Deployment',
    'NotReady: Its controller has not observed the latest spec',
    'it was edited',
    { status: { readyReplicas: 1, observedGeneration: 0 } },
  ],
  [
    'DaemonSet',
    'NotReady: 1 of 3 Pods are ready',
    'a node has none',
    { status: { numberReady: 1, desiredNumberScheduled: 3 } },
  ],
  ['Job', 'Ready', 'it is complete', { status: { conditions: [condition('Complete', 'True', '')] } }],
  [
    'Job',
    'NotReady: BackoffLimitExceeded: too many',
    'it failed',
    { status: { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded', 'too many')] } },
  ],
  ['Job', 'NotReady: 1 Pods run', 'it runs', { status: { active: 1 } }],
  ['PersistentVolumeClaim', 'NotReady: Pending', 'it has no volume', { status: { phase: 'Pending' } }],
  ['PersistentVolumeClaim', 'Ready', 'it has one', { status: { phase: 'Bound' } }],
  ['Service', 'Ready', 'it needs no address', { spec: { type: 'ClusterIP' } }],
  ['Service', 'NotReady: It has no address yet', 'no load balancer has given one', { spec: { type: 'LoadBalancer' } }],
  [
    'HorizontalPodAutoscaler',
    'NotReady: FailedGetResourceMetric: none',
    'it has no metrics',
    { status: { conditions: [isFalse('ScalingActive', 'FailedGetResourceMetric', 'none')] } },
  ],
  [
    'Database',
    'NotReady: NoPrimary: gone',
    'it is a resource that is not ready',
    { status: { conditions: [isFalse('Ready', 'NoPrimary', 'gone')] } },
  ],
  ['ConfigMap', 'Ready', 'it has no status', { data: {} }],
  [
    'Toaster',
    'NotReady: Available is False',
    'it does not say why',
    { status: { conditions: [{ type: 'Available', status: 'False' }] } },
  ],
  [
    'Pod',
    'Terminating: Being deleted (held by finalizer example.org/disk)',
    'it is being deleted',
    { metadata: { deletionTimestamp: 'now', finalizers: ['example.org/disk'] } },
  ],
])('a %s is %s when %s', (kind, health, _, content) => {
  const { metadata, ...rest } = content as Partial<LiveObject>;
  const object = { kind, ...rest, metadata: { name: 'one', generation: 1, ...metadata } } as LiveObject;
  const { state, message } = healthOf(object);
  expect(message === undefined ? state : `${state}: ${message}`).toBe(health);
});
