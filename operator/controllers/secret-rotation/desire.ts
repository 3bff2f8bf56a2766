import type { Construct } from 'constructs';
import { credentialHash, RotationSecrets, rotationStateName } from '../../../src/index.js';
import { rolloutOf } from '../../consumers/adoption.js';
import { hashAnnotation } from '../../consumers/annotation.js';
import { workloads } from '../../consumers/workloads.js';
import { ExternalCall, pollValueOf, RejectedError } from '../../runtime/index.js';
import { knownCredentials } from './credentials/known-credentials.js';
import { renderKafkaCalls, renderKafkaRemoval } from './kafka/calls.js';
import { kafkaSlots } from './kafka/users.js';
import { type Step, stepOf } from './plan/index.js';
import { type LoginsRequest, logins } from './ports/logins.js';
import { situationOf } from './situation.js';
import { callNames, kafkaAnswers, loginPair, publishedData, type RotationView, workloadsIn } from './view.js';

/** Renders the Secrets, and the change of a login or the rollout that is due. */
export function desire(scope: Construct, view: RotationView): void {
  const { resource, polled } = view;
  if (resource.metadata.deletionTimestamp !== undefined) {
    const answers = [polled.userA, polled.userB].map((answer) => pollValueOf(answer));
    renderKafkaRemoval(scope, view, answers);
    return;
  }
  rejectNameOfState(resource);
  const step = stepOf(situationOf(view));
  renderSecrets(scope, view, step);
  if (resource.spec.source.kafkaUser) renderUserChanges(scope, view, step);
  else renderLoginChange(scope, view, step);
  renderRollout(scope, view, step);
}

/** @throws {RejectedError} when the consumers would use the Secret in which the operator keeps the credentials */
function rejectNameOfState({ metadata, spec }: RotationView['resource']): void {
  if (spec.secretName !== rotationStateName(metadata.name)) return;
  throw new RejectedError(
    'ReservedName',
    `spec.secretName: Invalid value: "${spec.secretName}": must not be the name of the Secret in which the operator keeps the credentials; create another SecretRotation with another secretName`,
  );
}

function renderSecrets(scope: Construct, view: RotationView, step: Step): void {
  const { metadata, spec } = view.resource;
  const known = knownCredentials(view);
  const current = step.does === 'publish' ? step.current : known.current;
  const next = step.does === 'publish' ? undefined : step.does === 'keep' ? step.next : known.next;
  if (!current && !next) return;
  const data = current && publishedData(current, view);
  const before = known.current && credentialHash(known.current);
  const replaces = step.does === 'publish' ? before : known.replaces;
  new RotationSecrets(scope, 'secrets', {
    ...{ name: metadata.name, secretName: spec.secretName, current, next, replaces, data },
  });
}

/** The kept credential is in its Secret before the call, because a call waits for the objects. */
function renderLoginChange(scope: Construct, view: RotationView, step: Step): void {
  const { resource, polled } = view;
  const pair = loginPair(view);
  if (!pair || (step.does !== 'allow' && step.does !== 'refuse')) return;
  const { login } = step;
  const known = knownCredentials(view);
  const credential = step.does === 'allow' && step.slot === 'next' ? known.next : known.current;
  if (!credential) return;
  const request: LoginsRequest =
    step.does === 'refuse'
      ? { act: 'refuse', login, ...pair }
      : { act: 'allow', slot: step.slot, login, hash: credentialHash(credential), ...pair };
  const refreshes = ['logins', ...workloadsPoll(polled)];
  new ExternalCall(scope, callNames.login, {
    ...{ port: logins, request, refreshes, timeout: 30_000 },
    secret: rotationStateName(resource.metadata.name),
  });
}

function renderUserChanges(scope: Construct, view: RotationView, step: Step): void {
  const refreshes = [...kafkaSlots.map(({ poll }) => poll), ...workloadsPoll(view.polled)];
  const answers = kafkaAnswers(view);
  const known = knownCredentials(view);
  renderKafkaCalls(scope, { source: view, answers, known, step, login: callNames.login, refreshes });
}

/** A later rollout needs an answer that is newer than the change of a login. */
function workloadsPoll({ workloads: answer }: RotationView['polled']): readonly string[] {
  return answer?.known ? ['workloads'] : [];
}

function renderRollout(scope: Construct, view: RotationView, step: Step): void {
  const { metadata, spec } = view.resource;
  const seen = workloadsIn(view);
  if (step.does !== 'roll' || !seen) return;
  const { namespace = '' } = metadata;
  const request = rolloutOf(seen, { namespace, annotation: hashAnnotation(spec.secretName) });
  if (!request) return;
  new ExternalCall(scope, callNames.rollout, {
    ...{ port: workloads, request, refreshes: ['workloads'], timeout: 30_000 },
  });
}
