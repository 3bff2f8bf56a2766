import type { PlanBugs } from '../plan-history.js';

const folder = 'controllers/leader';

/** Mistakes in the plan of a LeaderElection. */
export const bugs = {
  of: 'a LeaderElection',
  all: [
    {
      name: 'elects a leader without the replicas that may have confirmed writes',
      line: 'LeaderElection line 2',
      file: `${folder}/plan/choice.js`,
      find: 'lost.length < minReplicas',
      replace: 'true',
      breaks: 'a lost write',
      within: 60,
    },
    {
      name: 'forgets that an earlier leader may have the only other copy of a write',
      line: 'LeaderElection line 2',
      file: `${folder}/election/members.js`,
      find: '[{ ...historian, isComplete: true }]',
      replace: '[]',
      breaks: 'a lost write',
      from: 260,
      within: 60,
    },
    {
      name: 'starts the terms again after each election',
      line: 'LeaderElection line 4',
      file: `${folder}/plan/tenure.js`,
      find: 'lease.term + 1',
      replace: 'lease.term',
      breaks: 'two leaders of one term',
      within: 60,
    },
  ],
} satisfies PlanBugs;
