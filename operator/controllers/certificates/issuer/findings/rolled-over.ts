import { shortNames } from '../../../../consumers/adoption.js';
import type { Mark } from '../../../../runtime/index.js';
import { warningTime } from '../authority/authority-times.js';
import type { EarlierUse } from '../authority/earlier-authorities.js';
import type { conditions } from '../conditions.js';
import type { GeneratedSituation, UserProvidedSituation } from '../situation.js';

type RolledOver = Mark<keyof (typeof conditions)['RolledOver']>;

/** Whether one CA signs and no earlier one is in use. @param use who uses certificates of earlier CAs */
export function rolledOverOf(situation: GeneratedSituation | UserProvidedSituation, use: EarlierUse): RolledOver {
  if (situation.is === 'generated')
    return situation.stored.next ? { reason: 'Publishing' } : (useMark(use) ?? { reason: 'UpToDate' });
  const { authority, now } = situation;
  const isExpiring = authority !== undefined && now >= warningTime(authority);
  return useMark(use) ?? { reason: isExpiring ? 'RenewalNeeded' : 'UpToDate' };
}

/** Undefined if nobody uses a certificate of an earlier CA. */
function useMark(use: EarlierUse): RolledOver | undefined {
  if (use.by === 'nobody') return undefined;
  if (use.by === 'certificates') return { reason: 'Reissuing' };
  const message = `Consumers of Certificate ${shortNames(use.names)} may still use a certificate of an earlier CA; see the condition Adopted of the Certificate`;
  return { reason: 'WaitingForConsumers', message };
}
