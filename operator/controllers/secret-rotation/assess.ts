import type { SecretRotationResource } from '../../../imports/index.js';
import { type Credential, credentialHash } from '../../../src/index.js';
import { waitingMark } from '../../consumers/adoption.js';
import { currentOutOf } from '../../consumers/consumer-state.js';
import { annotatedRequest } from '../../consumers/request-annotation.js';
import { workloadsOf } from '../../consumers/workloads.js';
import { type Assessment, type Mark, type Outcome, pollFailureOf, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { callNames } from './desire.js';
import { kafkaTarget } from './kafka-target.js';
import { kafkaSlots } from './kafka-users.js';
import type { Wait } from './plan.js';
import { type Rotation, type RotationFacts, rotateAnnotation, rotationOf } from './situation.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;
type RotationOutcome = RotationFacts & Pick<Outcome, 'calls'>;

/** Milliseconds: requeues at once. */
const atOnce = 1;

/** Reports how far a rotation got. The owned Secrets are those that this reconcile wrote. */
export function assess(outcome: RotationOutcome): Assessment<SecretRotationResource, Vocabulary> {
  const rotation = rotationOf(outcome);
  const { situation, workloads, known } = rotation;
  const { resource } = outcome;
  const consumers = workloadsOf(resource.spec.consumers);
  const { current } = situation;
  const before = resource.status;
  const credential = current && known.isPublished ? credentialHash(current) : undefined;
  const isNew = credential !== undefined && credential !== before?.credential;
  const states = workloads?.states;
  const requested = requestedIn(outcome, rotation);
  const isDone = situation.isAdopted && known.isPublished && rotation.adoption !== undefined && consumers.length > 0;
  const requeueAfter = requeueOf(rotation);
  const target = kafkaTarget(outcome);
  return {
    conditions: {
      Rotated: rotatedOf(outcome, rotation),
      Adopted: consumers.length === 0 || !known.isPublished ? undefined : adoptedOf(outcome, rotation),
      Retired: situation.logins && current ? retiredOf(outcome, rotation) : undefined,
    },
    status: {
      ...defined({
        login: resource.spec.source.random ? undefined : current?.['username'],
        credential: credential ?? before?.credential,
        rotated: credential === undefined ? before?.rotated : timestampOf(new Date(situation.since)),
        nextRotation: credential === undefined ? undefined : timestampOf(new Date(situation.since + situation.every)),
        requested,
        kafkaCluster: target && !('reason' in target) ? target.cluster.name : before?.kafkaCluster,
        consumers: states ? currentOutOf(states) : consumers.length === 0 ? undefined : before?.consumers,
        adopted: isDone ? rotation.adoption : before?.adopted,
      }),
    },
    events: isNew ? [rotatedEvent(resource, current?.['username'])] : [],
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

function rotatedEvent({ spec }: SecretRotationResource, login: string | undefined) {
  const content = spec.source.random ? 'new random values' : `login ${login}`;
  return { type: 'Normal', reason: 'SecretRotated', note: `Secret ${spec.secretName} has ${content}` } as const;
}

/** The request counts as started when a new credential is kept or written for it. */
function requestedIn({ resource }: RotationFacts, { situation, known }: Rotation): string | undefined {
  const { requested, credential } = resource.status ?? {};
  const asked = annotatedRequest(resource.metadata, rotateAnnotation);
  const isNew = situation.current !== undefined && credentialHash(situation.current) !== credential;
  return known.next !== undefined || isNew ? (asked ?? requested) : requested;
}

function requeueOf({ situation: { now }, step }: Rotation): number | undefined {
  const until = step.does === 'rest' || step.does === 'wait' ? step.until : undefined;
  return until === undefined ? undefined : Math.max(atOnce, until - now);
}

const whileWaiting: Readonly<Partial<Record<Wait, Reason<'Rotated'>['reason']>>> = {
  values: 'Preparing',
  secret: 'Preparing',
  server: 'ServerUnknown',
  notOurs: 'NotOurs',
  bothInUse: 'LoginInUse',
};

function rotatedOf(outcome: RotationOutcome, { step, known }: Rotation): Reason<'Rotated'> {
  const { resource, reads, calls } = outcome;
  const { database } = resource.spec.source;
  if (database && !reads.database) {
    const message = `The namespace has no Database ${database.name}; create it, or name another one in a new SecretRotation`;
    return { reason: 'DatabaseNotFound', message };
  }
  const target = kafkaTarget(outcome);
  if (target && 'reason' in target) return target;
  const refused = kafkaSlots.map(({ rights }) => calls.of(rights)).find(({ state }) => state === 'failed');
  if (refused?.state === 'failed' && refused.kind !== 'unreachable')
    return { reason: 'CallFailed', message: `Kafka refuses ACLs or quotas: ${refused.why}` };
  const server = serverOf(resource);
  if (step.does === 'allow') {
    const call = calls.of(callNames.login);
    if (call.state === 'failed') {
      return { reason: 'CallFailed', message: `${server} does not accept login ${step.login}: ${call.why}` };
    }
    return { reason: step.slot === 'next' ? 'Verifying' : 'Repairing' };
  }
  if (step.does === 'keep') return { reason: 'Verifying' };
  if (step.does === 'wait') {
    const reason = whileWaiting[step.why];
    const why = serverPolls(outcome)
      .map(pollFailureOf)
      .find((one) => one !== undefined);
    if (step.why === 'server' && why !== undefined) {
      return { reason: 'ServerUnknown', message: `${server} does not answer: ${why}` };
    }
    if (step.why === 'server' && known.next) return { reason: 'Verifying' };
    if (step.why === 'notOurs') {
      const [noun, advice] = target ? ['User', 'delete the user in Kafka'] : ['Role', 'drop the role'];
      const why = `${noun} ${step.login} exists, and no SecretRotation of this name has created it`;
      return { reason: 'NotOurs', message: `${why}; ${advice}, or choose another name` };
    }
    if (reason) return { reason };
  }
  return { reason: 'UpToDate' };
}

function serverOf({ spec }: SecretRotationResource): string {
  return spec.source.kafkaUser ? 'Kafka' : 'PostgreSQL';
}

/** The polls of the server. */
function serverPolls({ polled: { logins, userA, userB } }: RotationFacts) {
  return [logins, userA, userB];
}

function adoptedOf(
  { resource, polled, calls }: RotationOutcome,
  { situation, step, workloads }: Rotation,
): Reason<'Adopted'> {
  if (situation.isAdopted) return { reason: 'Current' };
  const states = workloads?.states;
  if (!states) {
    const before = reported('Adopted', resource, situation.current);
    if (before) return before as Reason<'Adopted'>;
    const why = polled.workloads?.known === false ? polled.workloads.why : undefined;
    return { reason: 'ConsumersUnknown', ...(why && { message: `The consumers cannot be read: ${why}` }) };
  }
  const call = calls.of(callNames.rollout);
  const refusal = step.does === 'roll' && call.state === 'failed' ? call.why : undefined;
  return waitingMark({ states, content: 'credential', refusal });
}

function retiredOf(outcome: RotationOutcome, { situation, step }: Rotation): Reason<'Retired'> {
  const { resource, calls } = outcome;
  const server = serverOf(resource);
  const { pair, seen } = situation.logins ?? {};
  if (!seen) {
    const before = reported('Retired', resource, situation.current);
    if (before) return before as Reason<'Retired'>;
    if (resource.status?.credential !== undefined) return { reason: 'Overlapping' };
    const unknown = serverPolls(outcome).find((one) => one?.known === false);
    const why = unknown?.known === false ? unknown.why : undefined;
    return { reason: 'ServerUnknown', ...(why && { message: `${server} does not answer: ${why}` }) };
  }
  const earlier = pair?.find((login) => login !== situation.current?.['username'] && seen.roles[login]?.canLogin);
  // A login that was let in for the next credential is not an earlier one.
  if (earlier === undefined || situation.next?.['username'] === earlier) return { reason: 'Refused' };
  if (step.does === 'refuse') {
    const call = calls.of(callNames.login);
    if (call.state === 'failed') {
      return { reason: 'CallFailed', message: `${server} does not refuse login ${earlier}: ${call.why}` };
    }
    return { reason: 'Refusing' };
  }
  if (!situation.isAdopted) return { reason: 'WaitingForConsumers' };
  if (step.does === 'wait' && step.why === 'sessions') {
    return { reason: 'InUse', message: `Login ${earlier} works, because sessions of it are still open` };
  }
  return { reason: 'Overlapping' };
}

/** What was reported about the same credential. It stays while nothing newer is known. */
function reported(type: string, { status }: SecretRotationResource, current: Credential | undefined) {
  if (!current || status?.credential !== credentialHash(current)) return undefined;
  const before = status.conditions?.find((one) => one.type === type);
  return before && { reason: before.reason, message: before.message };
}

/** Removes undefined members, which JSON cannot represent. */
function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
