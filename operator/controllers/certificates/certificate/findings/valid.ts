import { validityOf } from '../../../../certificates/reading.js';
import type { Mark } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Situation } from '../situation.js';

/** Whether the Secret has a certificate that clients accept now. */
export function validOf({ certificate, now }: Situation): Mark<keyof (typeof conditions)['Valid']> {
  if (!certificate) return { reason: 'NotIssued' };
  const { from, to } = validityOf(certificate);
  if (to <= now) return { reason: 'Expired' };
  return { reason: from > now ? 'NotYetValid' : 'Valid' };
}
