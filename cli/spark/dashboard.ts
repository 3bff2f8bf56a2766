import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith, selected, sumBy } from '../dashboards/queries.js';

/** Failures of each job and reason. A reason has no series before its first failure, so `delta` would miss that one. */
const failures = (offset = '') =>
  `max by (namespace, name, reason) (${selected('reconstruct_spark_failures')}${offset})`;

/** SparkJobs: their attempts, failures and executors. */
export const dashboard: Dashboard = {
  file: 'spark',
  uid: 'reconstruct-spark',
  title: 'SparkJobs',
  namespacesOf: ['reconstruct_spark_attempt'],
  stats: [
    {
      title: 'SparkJobs that run',
      query: resourcesWith('controller="sparkjob", condition="Running", reason="Running"'),
    },
    {
      title: 'SparkJobs that have failed',
      query: resourcesWith('controller="sparkjob", condition="Running", status="False"'),
    },
    {
      title: 'SparkJobs between two attempts',
      query: resourcesWith('controller="sparkjob", condition="Submitted", reason="BackingOff"'),
    },
    {
      title: 'Failed attempts in the last hour',
      description: 'Of all jobs, also those that have succeeded since.',
      query: orZero(`sum(${failures()} - (${failures(' offset 1h')} or 0 * ${failures()}))`),
    },
  ],
  graphs: [
    byReason('SparkJobs by Running condition', 'controller="sparkjob", condition="Running"'),
    byReason('SparkJobs by Submitted condition', 'controller="sparkjob", condition="Submitted"'),
    {
      title: 'Executors that run',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_spark_executors') },
    },
    {
      title: 'Attempt',
      description: 'It begins with 1 again after an edit.',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_spark_attempt') },
    },
    {
      title: 'Failed attempts by reason',
      description: 'Since the jobs were created.',
      unit: 'short',
      queries: { '{{reason}}': sumBy('reason', 'reconstruct_spark_failures') },
    },
    {
      title: 'Retries by budget',
      unit: 'short',
      queries: { '{{budget}}': sumBy('budget', 'reconstruct_spark_retries') },
    },
    {
      title: 'Duration of jobs that have ended',
      unit: 's',
      queries: { [RESOURCE]: ofEach('reconstruct_spark_duration_seconds') },
    },
  ],
};
