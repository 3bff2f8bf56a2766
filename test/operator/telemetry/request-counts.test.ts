import { describe, expect, it } from 'vitest';
import { silent, type Telemetry } from '../../../operator/runtime/ports/telemetry.js';
import { Metrics } from '../../../operator/telemetry/metrics.js';
import { lines } from './given-metrics.js';

interface Told {
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
}

describe('what the runtime tells', () => {
  it.each([
    {
      counted: ['controller_runtime_reconcile_total{controller="widget",result="error"} 1'],
      as: 'controller_runtime_reconcile_total',
      when: 'a pass fails',
      tell: ({ telemetry }: Told) => telemetry.reconciled({ controller: 'widget', result: 'error', seconds: 0.2 }),
    },
    {
      counted: ['controller_runtime_reconcile_errors_total{controller="widget"} 1'],
      as: 'controller_runtime_reconcile_errors_total',
      when: 'one of two passes fails',
      tell: ({ telemetry }: Told) => {
        telemetry.reconciled({ controller: 'widget', result: 'error', seconds: 0.2 });
        telemetry.reconciled({ controller: 'widget', result: 'success', seconds: 0.2 });
      },
    },
    {
      counted: ['reconstruct_writes_total{controller="widget",kind="ConfigMap",verb="create"} 1'],
      as: 'reconstruct_writes_total',
      when: 'an object is written',
      tell: ({ telemetry }: Told) => telemetry.wrote({ controller: 'widget', kind: 'ConfigMap', verb: 'create' }),
    },
    {
      counted: ['reconstruct_watch_state{kind="ConfigMap",namespace=""} -1'],
      as: 'reconstruct_watch_state',
      when: 'a kind is not served',
      tell: ({ telemetry }: Told) =>
        telemetry.watchStateChanged({ kind: 'ConfigMap', namespace: '', state: 'missing' }),
    },
    {
      counted: ['leader_election_master_status{name="reconstruct"} 1'],
      as: 'leader_election_master_status',
      when: 'it leads',
      tell: ({ telemetry }: Told) => telemetry.leaderChanged({ name: 'reconstruct', leads: true }),
    },
    {
      counted: ['rest_client_requests_total{code="<error>",method="GET",host="10.96.0.1:443"} 1'],
      as: 'rest_client_requests_total',
      when: 'a request has no answer',
      tell: ({ metrics }: Told) => metrics.answersOf('10.96.0.1:443')({ method: 'GET', code: 0, seconds: 0.2 }),
    },
    {
      counted: ['rest_client_request_duration_seconds_count{verb="PATCH",host="10.96.0.1:443"} 1'],
      as: 'rest_client_request_duration_seconds',
      when: 'a request is answered',
      tell: ({ metrics }: Told) => metrics.answersOf('10.96.0.1:443')({ method: 'PATCH', code: 200, seconds: 0.2 }),
    },
    {
      counted: ['workqueue_adds_total{name="widget",controller="widget"} 1'],
      as: 'workqueue_adds_total',
      when: 'a resource becomes owed a pass',
      tell: ({ telemetry }: Told) => telemetry.enqueued({ controller: 'widget' }),
    },
    {
      counted: ['workqueue_queue_duration_seconds_sum{name="widget",controller="widget"} 3'],
      as: 'workqueue_queue_duration_seconds',
      when: 'a pass begins',
      tell: ({ telemetry }: Told) => telemetry.reconcileStarted({ controller: 'widget', seconds: 3 }),
    },
    {
      counted: ['controller_runtime_reconcile_timeouts_total{controller="late"} 1'],
      as: 'controller_runtime_reconcile_timeouts_total',
      when: 'the deadline ends a pass',
      tell: ({ telemetry }: Told) =>
        telemetry.reconciled({ controller: 'late', result: 'error', seconds: 120, late: true }),
    },
    {
      counted: ['workqueue_retries_total{name="failing",controller="failing"} 1'],
      as: 'workqueue_retries_total',
      when: 'a pass fails',
      tell: ({ telemetry }: Told) => telemetry.reconciled({ controller: 'failing', result: 'error', seconds: 1 }),
    },
    {
      counted: ['reconstruct_events_dropped_total{controller="widget",reason="limit"} 1'],
      as: 'reconstruct_events_dropped_total',
      when: 'a resource has too much to say',
      tell: ({ telemetry }: Told) => telemetry.eventDropped({ controller: 'widget', why: 'limit' }),
    },
  ])('R32 is counted as $as when $when', async ({ counted, as, tell }) => {
    const metrics = new Metrics();
    tell({ metrics, telemetry: metrics.telemetry(silent.log) });
    expect(await lines(metrics, as)).toEqual(expect.arrayContaining(counted));
  });
});
