import type { LoginsSeen } from '../ports/logins.js';
import type { Logins, Situation } from '../situation.js';
import type { Step } from './step.js';

/** A new credential, once one is due. */
export function renewal(situation: Situation): Step | undefined {
  return isDue(situation) ? newCredential(situation) : undefined;
}

/** True if the next rotation has started, is requested, or its time has come. */
export function isDue({ next, now, since, every, isRequested }: Situation): boolean {
  return next !== undefined || isRequested || now >= since + every;
}

/** Keeps a new credential. The login that it changes is one that nobody uses. */
export function newCredential({ current, drawn, logins }: Situation): Step {
  if (!drawn) return { does: 'wait', why: 'values' };
  if (!logins) return { does: 'publish', current: drawn };
  if (!logins.seen) return { does: 'wait', why: 'server' };
  const login = current ? logins.pair.find((one) => one !== current['username']) : freeLogin(logins, logins.seen);
  if (login === undefined) return { does: 'wait', why: 'bothInUse' };
  return { does: 'keep', next: { username: login, ...drawn } };
}

/**
 * A login for a rotation whose credential is lost, while Pods may still use either login: one that cannot log in, else
 * one without sessions. Of two, the last one is taken, so that the Secret comes back as it was.
 */
function freeLogin({ pair, last }: Logins, { roles }: LoginsSeen): string | undefined {
  const free = pair.filter((login) => !roles[login]?.inUse).toSorted((a, b) => Number(b === last) - Number(a === last));
  return free.find((login) => !roles[login]?.canLogin) ?? free[0];
}
