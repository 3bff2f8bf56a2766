import type { PlanBugs } from '../plan-history.js';

const folder = 'controllers/publication';

/** Mistakes in the plan of a ServicePublication. */
export const bugs = {
  of: 'a ServicePublication',
  all: [
    {
      name: 'writes records without a proof of their owner',
      line: 'ServicePublication line 2',
      file: `${folder}/targets/dns-target.js`,
      find: 'isNew ? claimOf(rrset, all) : proofOf(rrset, owner)',
      replace: '[]',
      breaks: 'a changed record of another owner',
      from: 33,
      within: 12,
    },
  ],
} satisfies PlanBugs;
