import { type Mark, noEffectOf, pollFailureOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { kafkaTarget } from '../kafka/target.js';
import { kafkaSlots } from '../kafka/users.js';
import type { Step, Wait } from '../plan/index.js';
import type { Situation } from '../situation.js';
import { callNames, type RotationOutcome, serverName, serverPolls } from '../view.js';

type Rotated = Mark<keyof (typeof conditions)['Rotated']>;

/** Whether the Secret has a credential that works and is not overdue. */
export function rotatedOf(outcome: RotationOutcome, situation: Situation, step: Step): Rotated {
  return problemOf(outcome) ?? progressOf(outcome, situation, step) ?? { reason: 'UpToDate' };
}

/** What a person must correct. */
function problemOf(outcome: RotationOutcome): Rotated | undefined {
  const { resource, reads, calls } = outcome;
  const { database } = resource.spec.source;
  if (database && !reads.database) {
    const message = `The namespace has no Database ${database.name}; create it, or name another one in a new SecretRotation`;
    return { reason: 'DatabaseNotFound', message };
  }
  const target = kafkaTarget(outcome);
  if (target && 'reason' in target) return target;
  const rights = kafkaSlots.map((slot) => calls.of(slot.rights));
  const refused = rights.find(({ state }) => state === 'failed');
  if (refused?.state === 'failed' && refused.kind !== 'unreachable')
    return { reason: 'CallFailed', message: `Kafka refuses ACLs or quotas: ${refused.why}` };
  const [noEffect] = rights.flatMap((call) => noEffectOf(call) ?? []);
  if (noEffect === undefined) return undefined;
  return { reason: 'CallFailed', message: `Kafka does not apply ACLs or quotas: the request was ${noEffect}` };
}

function progressOf(outcome: RotationOutcome, situation: Situation, step: Step): Rotated | undefined {
  if (step.does === 'allow') {
    const call = outcome.calls.of(callNames.login);
    if (call.state === 'failed') {
      const server = serverName(outcome.resource);
      return { reason: 'CallFailed', message: `${server} does not accept login ${step.login}: ${call.why}` };
    }
    const noEffect = noEffectOf(call, { wanted: `a login as ${step.login}`, seen: 'a refused login' });
    return {
      reason: step.slot === 'next' ? 'Verifying' : 'Repairing',
      ...(noEffect !== undefined && { message: `The request was ${noEffect}` }),
    };
  }
  if (step.does === 'keep') return { reason: 'Verifying' };
  return step.does === 'wait' ? waitingOf(outcome, situation, step) : undefined;
}

const whileWaiting: Readonly<Partial<Record<Wait, Rotated['reason']>>> = {
  values: 'Preparing',
  secret: 'Preparing',
  server: 'ServerUnknown',
  notOurs: 'NotOurs',
  bothInUse: 'LoginInUse',
};

function waitingOf(
  outcome: RotationOutcome,
  { next }: Situation,
  { why: cause, login }: Extract<Step, { does: 'wait' }>,
): Rotated | undefined {
  const why = serverPolls(outcome)
    .map(pollFailureOf)
    .find((one) => one !== undefined);
  if (cause === 'server' && why !== undefined) {
    return { reason: 'ServerUnknown', message: `${serverName(outcome.resource)} does not answer: ${why}` };
  }
  if (cause === 'server' && next) return { reason: 'Verifying' };
  if (cause === 'notOurs') {
    const isKafka = outcome.resource.spec.source.kafkaUser !== undefined;
    const [noun, advice] = isKafka ? ['User', 'delete the user in Kafka'] : ['Role', 'drop the role'];
    const foreign = `${noun} ${login} exists, and no SecretRotation of this name has created it`;
    return { reason: 'NotOurs', message: `${foreign}; ${advice}, or choose another name` };
  }
  const reason = whileWaiting[cause];
  return reason && { reason };
}
