import { type Mark, noEffectOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import type { Situation } from '../situation.js';
import { callNames, type RotationOutcome, serverName, serverPolls } from '../view.js';
import { reportedMark } from './reported-mark.js';

type Retired = Mark<keyof (typeof conditions)['Retired']>;

/** Whether the earlier login is refused. Undefined for random values, and before the first credential. */
export function retiredOf(outcome: RotationOutcome, situation: Situation, step: Step): Retired | undefined {
  const { logins, current, next, isAdopted } = situation;
  if (!logins || !current) return undefined;
  const { pair, seen } = logins;
  if (!seen) return unknownOf(outcome, situation);
  const earlier = pair.find((login) => login !== current['username'] && seen.roles[login]?.canLogin);
  // A login that was let in for the next credential is not an earlier one.
  if (earlier === undefined || next?.['username'] === earlier) return { reason: 'Refused' };
  if (step.does === 'refuse') {
    const call = outcome.calls.of(callNames.login);
    if (call.state === 'failed') {
      const server = serverName(outcome.resource);
      return { reason: 'CallFailed', message: `${server} does not refuse login ${earlier}: ${call.why}` };
    }
    const noEffect = noEffectOf(call, { wanted: `no login as ${earlier}`, seen: 'an accepted login' });
    return { reason: 'Refusing', ...(noEffect !== undefined && { message: `The request was ${noEffect}` }) };
  }
  if (!isAdopted) return { reason: 'WaitingForConsumers' };
  if (step.does === 'wait' && step.why === 'sessions') {
    return { reason: 'InUse', message: `Login ${earlier} works, because sessions of it are still open` };
  }
  return { reason: 'Overlapping' };
}

/** The condition while the state of the server is not known. */
function unknownOf(outcome: RotationOutcome, { current }: Situation): Retired {
  const { resource } = outcome;
  const before = reportedMark('Retired', resource, current);
  if (before) return before as Retired;
  if (resource.status?.credential !== undefined) return { reason: 'Overlapping' };
  const unknown = serverPolls(outcome).find((one) => one?.known === false);
  const why = unknown?.known === false ? unknown.why : undefined;
  return { reason: 'ServerUnknown', ...(why && { message: `${serverName(resource)} does not answer: ${why}` }) };
}
