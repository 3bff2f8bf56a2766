import { type Mark, pollFailureOf, pollValueOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Candidate } from '../election/candidate.js';
import { holdingPod } from '../plan/tenure.js';
import type { Situation } from '../situation.js';
import type { ElectionOutcome } from '../view.js';

type Serving = Mark<keyof (typeof conditions)['Serving']>;

/** Whether clients can use the leader. Undefined without one. */
export function servingOf(outcome: ElectionOutcome, situation: Situation): Serving | undefined {
  const leader = holdingPod(situation);
  if (!leader) return undefined;
  const { redis, hooks } = situation.spec.application;
  if (redis) return redisServing(outcome, leader);
  const pretender = situation.candidates.find(({ uid, hook }) => uid !== leader.uid && hook?.role === 'leader');
  if (pretender) return { reason: 'SecondLeader', message: `${pretender.name} also reports that it leads` };
  if (!leader.isReady) return { reason: 'NotReady', message: `${leader.name} is not ready` };
  if (!hooks || leader.hook?.role === 'leader') return { reason: 'Serving' };
  if (leader.hook)
    return { reason: 'ClientsRefused', message: `${leader.name} reports that it is ${leader.hook.role}` };
  if (leader.silence === undefined) return { reason: 'NotChecked' };
  return { reason: 'ClientsRefused', message: `The hook of ${leader.name} does not answer: ${leader.silence}` };
}

function redisServing({ polled }: ElectionOutcome, { name }: Candidate): Serving {
  const answer = pollValueOf(polled.redis);
  const failure = pollFailureOf(polled.redis);
  if (failure !== undefined) return { reason: 'ClientsRefused', message: `${name} does not answer: ${failure}` };
  if (!answer) return { reason: 'NotChecked' };
  if (answer.state === 'failed')
    return { reason: 'ClientsRefused', message: `${name} refuses a client: ${answer.why}` };
  if (answer.role === 'leader') return { reason: 'Serving' };
  return { reason: 'ClientsRefused', message: `${name} serves as a replica` };
}
