import type { Construct } from 'constructs';
import { credentialHash, RotationSecrets, rotationStateName } from '../../../src/index.js';
import { rolloutOf } from '../../consumers/adoption.js';
import { hashAnnotation } from '../../consumers/annotation.js';
import { workloads } from '../../consumers/workloads.js';
import { ExternalCall, RejectedError } from '../../runtime/index.js';
import { kafkaSlots, renderKafkaCalls, renderKafkaRemoval } from './kafka-users.js';
import { type LoginsRequest, logins } from './ports/logins.js';
import { kafkaAnswers, publishedData, type Rotation, type RotationFacts, rotationOf } from './situation.js';

/** The names of the calls. */
export const callNames = { login: 'login', rollout: 'rollout' } as const;

/** Renders the Secrets, and the change of a login or the rollout that is due. */
export function desire(scope: Construct, facts: RotationFacts): void {
  const { resource, polled } = facts;
  if (resource.metadata.deletionTimestamp !== undefined) {
    const answers = [polled.userA, polled.userB].map((answer) => (answer?.known ? answer.value : undefined));
    renderKafkaRemoval(scope, facts, answers);
    return;
  }
  rejectNameOfState(resource);
  const rotation = rotationOf(facts);
  renderSecrets(scope, facts, rotation);
  if (resource.spec.source.kafkaUser) renderUserChanges(scope, facts, rotation);
  else renderLoginChange(scope, facts, rotation);
  renderRollout(scope, facts, rotation);
}

/** @throws {RejectedError} when the consumers would use the Secret in which the operator keeps the credentials */
function rejectNameOfState({ metadata, spec }: RotationFacts['resource']): void {
  if (spec.secretName !== rotationStateName(metadata.name)) return;
  throw new RejectedError(
    'ReservedName',
    `spec.secretName: Invalid value: "${spec.secretName}": must not be the name of the Secret in which the operator keeps the credentials; create another SecretRotation with another secretName`,
  );
}

function renderSecrets(scope: Construct, facts: RotationFacts, { step, known }: Rotation): void {
  const { metadata, spec } = facts.resource;
  const current = step.does === 'publish' ? step.current : known.current;
  const next = step.does === 'publish' ? undefined : step.does === 'keep' ? step.next : known.next;
  if (!current && !next) return;
  const data = current && publishedData(current, facts);
  const before = known.current && credentialHash(known.current);
  const replaces = step.does === 'publish' ? before : known.replaces;
  new RotationSecrets(scope, 'secrets', {
    ...{ name: metadata.name, secretName: spec.secretName, current, next, replaces, data },
  });
}

/** The kept credential is in its Secret before the call, because a call waits for the objects. */
function renderLoginChange(
  scope: Construct,
  { resource, polled }: RotationFacts,
  { step, pair, known }: Rotation,
): void {
  if (!pair || (step.does !== 'allow' && step.does !== 'refuse')) return;
  const { login } = step;
  const credential = step.does === 'allow' && step.slot === 'next' ? known.next : known.current;
  if (!credential) return;
  const request: LoginsRequest =
    step.does === 'refuse'
      ? { act: 'refuse', login, ...pair }
      : { act: 'allow', slot: step.slot, login, hash: credentialHash(credential), ...pair };
  const refreshes = ['logins', ...seenToo(polled)];
  new ExternalCall(scope, callNames.login, {
    ...{ port: logins, request, refreshes, visibleWithin: 0, timeout: 30_000 },
    secret: rotationStateName(resource.metadata.name),
  });
}

function renderUserChanges(scope: Construct, facts: RotationFacts, { step, known }: Rotation): void {
  const refreshes = [...kafkaSlots.map(({ poll }) => poll), ...seenToo(facts.polled)];
  const answers = kafkaAnswers(facts);
  renderKafkaCalls(scope, { rotation: facts, answers, known, step, login: callNames.login, refreshes });
}

/** A later rollout needs an answer that is newer than the change of a login. */
function seenToo({ workloads: seen }: RotationFacts['polled']): readonly string[] {
  return seen?.known ? ['workloads'] : [];
}

function renderRollout(scope: Construct, { resource }: RotationFacts, { step, workloads: seen }: Rotation): void {
  if (step.does !== 'roll' || !seen) return;
  const { namespace = '' } = resource.metadata;
  const request = rolloutOf(seen, { namespace, annotation: hashAnnotation(resource.spec.secretName) });
  if (!request) return;
  new ExternalCall(scope, callNames.rollout, {
    ...{ port: workloads, request, refreshes: ['workloads'], visibleWithin: 0, timeout: 30_000 },
  });
}
