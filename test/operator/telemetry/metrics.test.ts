import { afterEach, describe, expect, it } from 'vitest';
import { silent } from '../../../operator/runtime/telemetry.js';
import { Metrics } from '../../../operator/telemetry/metrics.js';
import { GivenOperator } from '../runtime/given-operator.js';
import { widget, widgetKind } from '../runtime/given-widgets.js';

let given: GivenOperator | undefined;
afterEach(async () => {
  await given?.stop();
  await given?.ended;
});

/** The values of a metric, without their help. */
async function lines(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name) && !line.includes('_bucket'));
}

it('tells the lag of the event loop of the moment, without a sampler that wakes the process', async () => {
  const names = (await lines(new Metrics(), 'nodejs_eventloop')).map((line) => line.split(' ')[0]);
  expect(names).toEqual(['nodejs_eventloop_lag_seconds']);
});

describe('what the runtime tells', () => {
  const metrics = new Metrics();
  const telemetry = metrics.telemetry(silent.log);

  it.each([
    {
      counted: ['controller_runtime_reconcile_total{controller="widget",result="error"} 1'],
      as: 'controller_runtime_reconcile_total',
      when: 'a pass fails',
      tell: () => telemetry.passed({ controller: 'widget', result: 'error', seconds: 0.2 }),
    },
    {
      counted: ['controller_runtime_reconcile_errors_total{controller="widget"} 1'],
      as: 'controller_runtime_reconcile_errors_total',
      when: 'a pass does not fail',
      tell: () => telemetry.passed({ controller: 'widget', result: 'success', seconds: 0.2 }),
    },
    {
      counted: ['reconstruct_writes_total{controller="widget",kind="ConfigMap",verb="create"} 1'],
      as: 'reconstruct_writes_total',
      when: 'an object is written',
      tell: () => telemetry.wrote({ controller: 'widget', kind: 'ConfigMap', verb: 'create' }),
    },
    {
      counted: ['reconstruct_watch_state{kind="ConfigMap",namespace=""} -1'],
      as: 'reconstruct_watch_state',
      when: 'a kind is not served',
      tell: () => telemetry.watching({ kind: 'ConfigMap', namespace: '', state: 'missing' }),
    },
    {
      counted: ['leader_election_master_status{name="reconstruct"} 1'],
      as: 'leader_election_master_status',
      when: 'it leads',
      tell: () => telemetry.leading({ name: 'reconstruct', leads: true }),
    },
    {
      counted: ['rest_client_requests_total{code="<error>",method="GET"} 1'],
      as: 'rest_client_requests_total',
      when: 'a request has no answer',
      tell: () => metrics.answered({ method: 'GET', code: 0 }),
    },
  ])('R32 is counted as $as when $when', async ({ counted, as, tell }) => {
    tell();
    expect(await lines(metrics, as)).toEqual(expect.arrayContaining(counted));
  });
});

describe('what is read off a running operator', () => {
  it('R32 is its load, and the age of its watches', async () => {
    const metrics = new Metrics();
    given = await new GivenOperator().start();
    metrics.observe(given.operator);
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(12_000);
    expect(await lines(metrics, 'reconstruct_watch_age_seconds{kind="Service"')).toEqual([
      'reconstruct_watch_age_seconds{kind="Service",namespace=""} 12',
    ]);
    expect(await lines(metrics, 'workqueue_depth')).toEqual(['workqueue_depth{name="widget",controller="widget"} 0']);
    expect(await lines(metrics, 'controller_runtime_active_workers')).toHaveLength(1);
  });
});
