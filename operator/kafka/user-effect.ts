import type { MissingEffect } from '../runtime/index.js';
import type { UserAct } from './user-rights.js';
import type { UserAnswer } from './users.js';

/** What a change of a user leads to, and what Kafka shows while it has no effect. */
export function missingUserEffect(act: UserAct, found: UserAnswer): MissingEffect {
  switch (act.act) {
    case 'setPassword':
      return { wanted: 'a login with the password of the Secret', seen: 'a refused login' };
    case 'deletePassword':
      return { wanted: 'no password', seen: 'a password' };
    case 'setAcls':
      return {
        wanted: `${act.add.length} more and ${act.remove.length} fewer ACLs`,
        seen: `${found.acls.length} ACLs`,
      };
    case 'setQuotas':
      return { wanted: `quotas ${JSON.stringify(act.quotas)}`, seen: JSON.stringify(found.quotas) };
  }
}
