import type { LeaderElectionResource } from '../../../imports/index.js';
import { conditionOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';

/** Metrics of each LeaderElection. */
export const metrics = {
  reconstruct_leader_election_elected: {
    help: '1 if a leader leads, 0 otherwise.',
    valueFrom: (resource: LeaderElectionResource) => {
      const elected = conditionOf<typeof conditions>(resource, 'Elected');
      return elected && Number(elected.status === 'True');
    },
  },
  reconstruct_leader_election_writable: {
    help: '1 if enough replicas confirm writes, 0 if the leader refuses them. Absent without `minReplicas`.',
    valueFrom: (resource: LeaderElectionResource) => {
      const replicated = conditionOf<typeof conditions>(resource, 'Replicated');
      return replicated && Number(replicated.status === 'True');
    },
  },
  reconstruct_leader_election_term: {
    help: 'Term of the leader. It rises by one with each new leader.',
    valueFrom: ({ status }: LeaderElectionResource) => status?.term,
  },
  reconstruct_leader_election_candidates: {
    help: 'Number of Pods that could lead.',
    valueFrom: ({ status }: LeaderElectionResource) =>
      status?.states?.filter(({ message }) => message === undefined).length,
  },
  reconstruct_leader_election_takeover_seconds: {
    help: 'Seconds from the loss of the last leader until the present one served. Absent before the first loss.',
    valueFrom: ({ status }: LeaderElectionResource) => status?.takeoverSeconds,
  },
};
