import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith, selected, sumBy } from '../dashboards/queries.js';

/** TrainingJobs: their progress, faults and lost time. */
export const dashboard: Dashboard = {
  file: 'training',
  uid: 'reconstruct-training',
  title: 'TrainingJobs',
  namespacesOf: ['reconstruct_training_step'],
  stats: [
    {
      title: 'TrainingJobs that train',
      query: resourcesWith('controller="trainingjob", condition="Training", reason="Training"'),
    },
    {
      title: 'TrainingJobs that have failed',
      query: resourcesWith('controller="trainingjob", condition="Training", status="False"'),
    },
    {
      title: 'TrainingJobs that wait for room',
      query: resourcesWith(
        'controller="trainingjob", condition="Scheduled", status="Unknown", reason=~"Queued|Scheduling"',
      ),
    },
    {
      title: 'Faults in the last hour',
      description: 'Of all jobs, also those that were repaired.',
      query: orZero(`sum(max by (namespace, name) (delta(${selected('reconstruct_training_faults')}[1h])))`),
    },
  ],
  graphs: [
    {
      title: 'Loss',
      description: 'Absent while it is not a finite number.',
      unit: 'short',
      signed: true,
      queries: { [RESOURCE]: ofEach('reconstruct_training_loss') },
    },
    {
      title: 'Steps',
      description: 'It falls when a job goes back to a checkpoint.',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_training_step') },
    },
    {
      title: 'Steps per second',
      description: '0 while a job recovers, and after its end.',
      unit: 'short',
      queries: {
        [RESOURCE]: `clamp_min(max by (namespace, name) (deriv(${selected('reconstruct_training_step')}[2m])), 0)`,
      },
    },
    {
      title: 'Faults',
      description: 'Since the job was created.',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_training_faults') },
    },
    byReason('TrainingJobs by Training condition', 'controller="trainingjob", condition="Training"'),
    byReason('TrainingJobs by Healthy condition', 'controller="trainingjob", condition="Healthy"'),
    {
      title: 'Goodput',
      unit: 'percentunit',
      max: 1,
      queries: { [RESOURCE]: ofEach('reconstruct_training_goodput_ratio') },
    },
    {
      title: 'Lost time by cause',
      unit: 's',
      queries: { '{{cause}}': sumBy('cause', 'reconstruct_training_lost_seconds') },
    },
    {
      title: 'Seconds to recover from the last fault',
      unit: 's',
      queries: { [RESOURCE]: ofEach('reconstruct_training_recovery_seconds') },
    },
    {
      title: 'Seconds to detect the last fault',
      unit: 's',
      queries: { [RESOURCE]: ofEach('reconstruct_training_detection_seconds') },
    },
    {
      title: 'Faults by kind',
      unit: 'short',
      queries: { '{{kind}}': sumBy('kind', 'reconstruct_training_faults_by_kind') },
    },
  ],
};
