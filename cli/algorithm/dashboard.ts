import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith } from '../dashboards/queries.js';

/** Algorithms with their trials, and the health of the operator. */
export const dashboard: Dashboard = {
  file: 'dashboard',
  uid: 'reconstruct-algorithms',
  title: 'Algorithms',
  namespacesOf: ['reconstruct_algorithm_trial_weight'],
  stats: [
    {
      title: 'Trials',
      description: 'Versions that are on trial, in their bake, or rolled back and not replaced yet.',
      query: orZero(`count(${ofEach('reconstruct_algorithm_trial_weight')})`),
    },
    {
      title: 'Rolled back',
      description: 'Algorithms whose version was rolled back, until their spec changes.',
      query: resourcesWith('condition="Promoted", status="False"'),
    },
    {
      title: 'Service level not met',
      query: orZero('max(reconstruct_resources{condition="SlaMet", status="False"})'),
    },
    {
      title: 'Leading operator replicas',
      query: 'sum(leader_election_master_status)',
    },
  ],
  graphs: [
    {
      title: 'Traffic weight of the version on trial',
      unit: 'percent',
      queries: { [RESOURCE]: ofEach('reconstruct_algorithm_trial_weight') },
    },
    {
      title: 'Duration of undecided trials',
      unit: 's',
      queries: { [RESOURCE]: `time() - ${ofEach('reconstruct_algorithm_trial_start_time_seconds')}` },
    },
    {
      title: 'Service level burn rate',
      description: 'Above 1, the error budget runs out before the window ends.',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_algorithm_sla_burn_rate') },
    },
    byReason('Algorithms by Promoted condition', 'condition="Promoted"'),
    {
      title: 'Failed reconciles',
      unit: 'percentunit',
      queries: {
        '{{controller}}': [
          'sum by (controller) (rate(controller_runtime_reconcile_errors_total[5m]))',
          'sum by (controller) (rate(controller_runtime_reconcile_total[5m]))',
        ].join(' / '),
      },
    },
    {
      title: 'Queue wait before a reconcile, 99th percentile',
      unit: 's',
      queries: {
        '{{controller}}':
          'histogram_quantile(0.99, sum by (controller, le) (rate(workqueue_queue_duration_seconds_bucket[5m])))',
      },
    },
    {
      title: 'Failed metric polls',
      unit: 'ops',
      queries: {
        '{{controller}} {{result}}':
          'sum by (controller, result) (rate(reconstruct_polls_total{result!="answered"}[5m]))',
      },
    },
    {
      title: 'Time since the last watch response',
      unit: 's',
      queries: { '{{kind}}': 'max by (kind) (reconstruct_watch_age_seconds)' },
    },
  ],
};
