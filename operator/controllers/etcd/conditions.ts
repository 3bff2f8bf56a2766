import { memberConditions } from '../../members/index.js';

/** Condition types and reasons of an EtcdCluster. */
export const conditions = {
  ...memberConditions,
  /** Whether clients can read and write. */
  Available: {
    Serving: ['True', 'A majority of the members serves'],
    Initializing: ['Unknown', 'The members form the cluster'],
    MembersUnreachable: ['Unknown', 'The members do not answer the operator'],
    NoQuorum: ['False', 'Less than a majority of the members serves', 'Bring back the nodes of the other members.'],
  },
} as const;
