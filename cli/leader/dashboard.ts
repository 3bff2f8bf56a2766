import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith } from '../dashboards/queries.js';

/** LeaderElections: who has a leader, how often it changes, and how long that takes. */
export const dashboard: Dashboard = {
  file: 'leader',
  uid: 'reconstruct-leader',
  title: 'Leader elections',
  namespacesOf: ['reconstruct_leader_election_term'],
  stats: [
    {
      title: 'LeaderElections without a leader',
      query: orZero(`sum(${ofEach('reconstruct_leader_election_elected')} == bool 0)`),
    },
    {
      title: 'Leaders that refuse writes',
      description: 'Too few replicas confirm writes.',
      query: orZero(`sum(${ofEach('reconstruct_leader_election_writable')} == bool 0)`),
    },
    {
      title: 'Leaders that serve no client',
      query: resourcesWith('controller="leaderelection", condition="Serving", status="False"'),
    },
    {
      title: 'Changes of the leader in an hour',
      query: orZero(`sum(delta(${ofEach('reconstruct_leader_election_term')}[1h:1m]))`),
    },
  ],
  graphs: [
    { title: 'Term', unit: 'short', queries: { [RESOURCE]: ofEach('reconstruct_leader_election_term') } },
    {
      title: 'Time without a leader at the last change',
      unit: 's',
      queries: { [RESOURCE]: ofEach('reconstruct_leader_election_takeover_seconds') },
    },
    {
      title: 'Pods that could lead',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_leader_election_candidates') },
    },
    byReason('LeaderElections by Elected condition', 'controller="leaderelection", condition="Elected"'),
  ],
};
