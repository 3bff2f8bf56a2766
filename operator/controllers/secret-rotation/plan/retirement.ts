import type { Situation } from '../situation.js';
import type { Step } from './step.js';

/** The earlier login ends when its time has passed, each consumer has the new one, and no session of it is left. */
export function retirement({ now, since, overlap, logins, current }: Situation): Step | undefined {
  if (!logins?.seen || !current) return undefined;
  const { pair, seen } = logins;
  const earlier = pair.find((login) => login !== current['username'] && seen.roles[login]?.canLogin);
  if (earlier === undefined) return undefined;
  if (now < since + overlap) return { does: 'wait', why: 'overlap', login: earlier, until: since + overlap };
  if (seen.roles[earlier]?.inUse) return { does: 'wait', why: 'sessions', login: earlier };
  return { does: 'refuse', login: earlier };
}
