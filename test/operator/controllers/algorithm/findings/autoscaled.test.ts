import { describe, expect, it } from 'vitest';
import { autoscaledOf } from '../../../../../operator/controllers/algorithm/findings/autoscaled.js';
import type { LiveHorizontalPodAutoscaler } from '../../../../../operator/runtime/index.js';
import { algorithmResource } from '../given-algorithm.js';

const scaling = { minReplicas: 1, maxReplicas: 3, targetCpuPercent: 80 };
const now = new Date('2030-01-01T12:00:00Z');
const absent =
  'failed to get cpu utilization: the server could not find the requested resource (get pods.metrics.k8s.io)';

interface Said {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  /** @default a time long ago */
  readonly lastTransitionTime?: string;
}

/** An autoscaler that says this of whether it scales. */
function autoscaler(said: Said | undefined): LiveHorizontalPodAutoscaler {
  const condition = said && { type: 'ScalingActive', lastTransitionTime: '2030-01-01T11:00:00Z', ...said };
  return { status: { conditions: condition ? [condition] : [] } } as unknown as LiveHorizontalPodAutoscaler;
}

const failed = { status: 'False', reason: 'FailedGetResourceMetric', message: absent } as const;

describe('line 13: the condition Autoscaled', () => {
  it.each<{ is: string | undefined; when: string; said: Said | undefined; before?: string; again?: number }>([
    { is: 'ScalingActive', when: 'the autoscaler scales', said: { status: 'True' } },
    { is: 'MetricsUnavailable', when: 'it has had no metrics for long', said: failed },
    {
      is: 'MetricsUnavailable',
      when: 'it stopped having them long ago',
      said: failed,
      before: 'ScalingActive',
    },
    {
      is: undefined,
      when: 'it has no metrics yet',
      said: { ...failed, lastTransitionTime: '2030-01-01T11:59:00Z' },
      again: 120_000,
    },
    {
      is: 'ScalingActive',
      when: 'it has lacked metrics for a minute',
      said: { ...failed, lastTransitionTime: '2030-01-01T11:59:00Z' },
      before: 'ScalingActive',
      again: 120_000,
    },
    { is: undefined, when: 'it says nothing yet', said: undefined },
    { is: 'MetricsUnavailable', when: 'it says nothing any more', said: undefined, before: 'MetricsUnavailable' },
    {
      is: 'ScalingDisabled',
      when: 'somebody scaled to 0 just now',
      said: { status: 'False', reason: 'ScalingDisabled', lastTransitionTime: '2030-01-01T12:00:00Z' },
    },
    { is: 'ScalingInactive', when: 'it fails otherwise', said: { status: 'False', reason: 'InvalidSelector' } },
  ])('is $is when $when', ({ is, said, before, again }) => {
    const conditions = before ? [{ type: 'Autoscaled', status: 'True', reason: before, message: 'm' }] : [];
    const resource = { ...algorithmResource({ scaling }), status: { conditions } } as never;
    const { mark, requeueAfter } = autoscaledOf(resource, autoscaler(said), () => now);
    expect(mark?.reason).toBe(is);
    expect(requeueAfter).toBe(again);
  });

  it('has the message of the autoscaler', () => {
    const { mark } = autoscaledOf(algorithmResource({ scaling }), autoscaler(failed), () => now);
    expect(mark?.message).toContain(`install metrics-server: ${absent}`);
  });

  it('does not depend on the time once it is reported, so that an Algorithm at rest is not assessed again', () => {
    const conditions = [{ type: 'Autoscaled', status: 'False', reason: 'MetricsUnavailable', message: 'm' }];
    const resource = { ...algorithmResource({ scaling }), status: { conditions } } as never;
    const never = () => {
      throw new Error('it asks for the time');
    };
    expect(autoscaledOf(resource, autoscaler(failed), never).mark?.reason).toBe('MetricsUnavailable');
  });

  it('is absent without scaling', () => {
    expect(autoscaledOf(algorithmResource(), autoscaler({ status: 'True' }), () => now)).toEqual({});
  });
});
