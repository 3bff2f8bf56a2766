import type { Credential } from '../../../../src/index.js';
import type { Logins, Situation } from '../situation.js';
import { isDue, newCredential } from './renewal.js';
import type { Step } from './step.js';

/** Until the credential of the consumers works, and one that was kept replaces it. */
export function workingCredential(situation: Situation): Step | undefined {
  const { logins } = situation;
  return logins ? untilItWorks(situation, logins) : untilItExists(situation);
}

/** Random values work at once. */
function untilItExists({ current, drawn }: Situation): Step | undefined {
  if (current) return undefined;
  return drawn ? { does: 'publish', current: drawn } : { does: 'wait', why: 'values' };
}

function untilItWorks(situation: Situation, { seen, pair }: Logins): Step | undefined {
  const { current, next } = situation;
  if (!seen) return isSettled(situation) ? undefined : { does: 'wait', why: 'server' };
  const foreign = pair.find((login) => seen.roles[login]?.isOurs === false);
  if (foreign !== undefined) return { does: 'wait', why: 'notOurs', login: foreign };
  // For example after a restore of the server. The consumers have no other password.
  if (current && seen.accepts.current === false) return allowing('current', current);
  if (current && seen.accepts.current === undefined) return { does: 'wait', why: 'server' };
  if (next) {
    if (seen.accepts.next) return { does: 'publish', current: next };
    return seen.accepts.next === false ? allowing('next', next) : { does: 'wait', why: 'server' };
  }
  return current ? undefined : newCredential(situation);
}

/** Nothing is due, so the server need not be known. */
function isSettled(situation: Situation): boolean {
  return situation.current !== undefined && !isDue(situation);
}

function allowing(slot: 'current' | 'next', { username = '' }: Credential): Step {
  return { does: 'allow', slot, login: username };
}
