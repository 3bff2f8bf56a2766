import type { Credential } from '../../../src/index.js';
import type { ConsumerPhase } from '../../consumers/consumer-state.js';
import type { LoginState } from './ports/logins.js';

/** What is known about a rotation. */
export interface Situation {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds. */
  readonly every: number;
  /** Milliseconds. */
  readonly overlap: number;
  /** The credential of the consumers. Undefined before the first one, and if it is lost. */
  readonly current?: Credential | undefined;
  /** The credential that replaces it, once it works. */
  readonly next?: Credential | undefined;
  /** The Secret of the consumers has the current one. */
  readonly isPublished: boolean;
  /** When the current one was written into the Secret, in milliseconds since 1970. */
  readonly since: number;
  /** A person has asked for a rotation that was not started yet. */
  readonly isRequested: boolean;
  /** New values. Undefined until they are drawn. */
  readonly drawn?: Credential | undefined;
  /** Undefined for random values. */
  readonly logins?: Logins | undefined;
  /** Each consumer was seen with the content of the Secret. */
  readonly isAdopted: boolean;
  /** The phases of the consumers. Undefined while they are unknown. */
  readonly phases?: readonly ConsumerPhase[] | undefined;
}

/** A pair of logins of a server. */
export interface Logins {
  readonly pair: readonly [string, string];
  /** The login that was last in the Secret. */
  readonly last?: string | undefined;
  /** The state of the server. Undefined while it is unknown, or if the Database or KafkaUser does not exist. */
  readonly seen?: LoginsSeen | undefined;
}

/** What the server said. */
export interface LoginsSeen {
  readonly roles: Readonly<Record<string, LoginState>>;
  readonly accepts: { readonly current?: boolean; readonly next?: boolean };
}

/** The next safe step of a rotation. Each one is taken again until its effect is seen. */
export type Step =
  /** Keep a new credential before anything uses it. */
  | { readonly does: 'keep'; readonly next: Credential }
  /** Let the kept credential log in. */
  | { readonly does: 'allow'; readonly slot: 'current' | 'next'; readonly login: string }
  /** Write the new credential into the Secret. */
  | { readonly does: 'publish'; readonly current: Credential }
  /** Roll the consumers that were not rolled since. */
  | { readonly does: 'roll' }
  /** Refuse the earlier login. */
  | { readonly does: 'refuse'; readonly login: string }
  | { readonly does: 'wait'; readonly why: Wait; readonly login?: string; readonly until?: number }
  | { readonly does: 'rest'; readonly until: number };

/** Causes for which a rotation waits. */
export type Wait = 'values' | 'server' | 'secret' | 'notOurs' | 'bothInUse' | 'consumers' | 'overlap' | 'sessions';

/** The next step. The first one that is due counts, and none is taken on what is unknown. */
export function nextStep(situation: Situation): Step {
  const { logins, current, next } = situation;
  const working = logins ? untilItWorks(situation, logins) : untilItExists(situation);
  if (working) return working;
  // For example, while a policy refuses to change the Secret. What the consumers have says nothing about the new one.
  if (!situation.isPublished) return { does: 'wait', why: 'secret' };
  if (!situation.isAdopted) {
    const isOutdated = situation.phases?.includes('Outdated') ?? false;
    return isOutdated ? { does: 'roll' } : { does: 'wait', why: 'consumers' };
  }
  const retiring = logins && current && untilRetired(situation, logins, current);
  if (retiring) return retiring;
  const due = situation.since + situation.every;
  if (situation.now < due && !situation.isRequested && next === undefined) return { does: 'rest', until: due };
  return renewal(situation);
}

/** Random values work at once. */
function untilItExists({ current, drawn }: Situation): Step | undefined {
  if (current) return undefined;
  return drawn ? { does: 'publish', current: drawn } : { does: 'wait', why: 'values' };
}

/** Until the login of the consumers works, and one that was kept replaces it. */
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
  return current ? undefined : renewal(situation);
}

/** Nothing is due, so the server need not be known. */
function isSettled({ current, next, now, since, every, isRequested }: Situation): boolean {
  return current !== undefined && next === undefined && now < since + every && !isRequested;
}

function allowing(slot: 'current' | 'next', { username = '' }: Credential): Step {
  return { does: 'allow', slot, login: username };
}

/** The earlier login ends when its time has passed, each consumer has the new one, and no session of it is left. */
function untilRetired(
  { now, since, overlap }: Situation,
  { pair, seen }: Logins,
  { username }: Credential,
): Step | undefined {
  if (!seen) return undefined;
  const earlier = pair.find((login) => login !== username && seen.roles[login]?.canLogin);
  if (earlier === undefined) return undefined;
  if (now < since + overlap) return { does: 'wait', why: 'overlap', login: earlier, until: since + overlap };
  if (seen.roles[earlier]?.inUse) return { does: 'wait', why: 'sessions', login: earlier };
  return { does: 'refuse', login: earlier };
}

/** Keeps a new credential. The login that it changes is one that nobody uses. */
function renewal({ current, drawn, logins }: Situation): Step {
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
