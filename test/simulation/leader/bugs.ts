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
      from: 60,
      within: 60,
    },
    {
      name: 'forgets that an earlier leader may have the only other copy of a write',
      line: 'LeaderElection line 2',
      file: `${folder}/election/members.js`,
      find: '[{ ...historian, isComplete: true }]',
      replace: '[]',
      breaks: 'a lost write',
      from: 480,
      within: 60,
    },
    {
      name: 'starts the terms again after each election',
      line: 'LeaderElection line 4',
      file: `${folder}/plan/tenure.js`,
      find: 'lease.term + 1',
      replace: 'lease.term',
      breaks: 'two leaders of one term',
      from: 140,
      within: 60,
    },
    {
      name: 'takes a term in which a leader of a deleted election led',
      line: 'LeaderElection line 4',
      file: `${folder}/plan/tenure.js`,
      find: 'isFence ? seen : seen + 1',
      replace: 'seen',
      breaks: 'two leaders of one term',
      from: 30,
      within: 60,
    },
    {
      name: 'elects a leader before late launchers have detached from the earlier one',
      line: 'LeaderElection line 3',
      file: `${folder}/plan/fence.js`,
      find: 'late.length > 0',
      replace: 'false',
      breaks: 'a lost write',
      from: 560,
      within: 60,
    },
  ],
} satisfies PlanBugs;
