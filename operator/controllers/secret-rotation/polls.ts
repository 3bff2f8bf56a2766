import type { SecretRotationResource } from '../../../imports/index.js';
import { credentialHash, rotationStateName } from '../../../src/index.js';
import { adoptionOf } from '../../consumers/adoption.js';
import { contentHash, hashAnnotation } from '../../consumers/annotation.js';
import { type WorkloadsQuestion, workloads, workloadsOf } from '../../consumers/workloads.js';
import { kafkaUsers, type UserQuestion } from '../../kafka/users.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import { conditionOf, type PollBuilder, type PollRequest } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import {
  credentialKeys,
  type KnownCredentials,
  knownCredentials,
  loginNames,
} from './credentials/known-credentials.js';
import type { owns, reads } from './declarations.js';
import { kafkaUserAsked } from './kafka/users.js';
import { type LoginsQuestion, logins } from './ports/logins.js';
import { loginPair, type StableView } from './view.js';

/** The external sources that a SecretRotation polls. */
export const polls = (ask: PollBuilder<SecretRotationResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  drawn: ask(draw, drawAsked),
  logins: ask(logins, loginsAsked),
  userA: ask(kafkaUsers, (view) => kafkaAsked(view, 0)),
  userB: ask(kafkaUsers, (view) => kafkaAsked(view, 1)),
  workloads: ask(workloads, workloadsAsked),
});

/** Milliseconds: while the next step waits for an answer. */
const soon = 5_000;
/** Milliseconds: while the earlier login works on, and while a Secret cannot be written. */
const meanwhile = 30_000;
/** Milliseconds: at rest. A login or a consumer that another client changed is noticed after it. */
const seldom = 3_600_000;

function drawAsked(view: StableView): PollRequest<DrawQuestion> | undefined {
  const { resource } = view;
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const { random } = resource.spec.source;
  const { current, next } = knownCredentials(view);
  const replaces = [current, next].map((one) => (one ? credentialHash(one) : '')).join(' ');
  const { length, charset } = random ?? { length: 32, charset: 'Alphanumeric' as const };
  const keys = random ? credentialKeys(resource) : ['password'];
  const { namespace = '', name } = resource.metadata;
  return { question: { replaces: `${namespace}/${name} ${replaces}`, length, charset, keys }, interval: seldom };
}

function loginsAsked(view: StableView): PollRequest<LoginsQuestion> | undefined {
  const { resource, reads: found } = view;
  const { name, deletionTimestamp } = resource.metadata;
  const pair = loginPair(view);
  if (!pair || deletionTimestamp !== undefined) return undefined;
  const known = knownCredentials(view);
  const { current, next, isKept } = known;
  const kept = (credential: typeof current) =>
    isKept && credential ? { login: credential['username'] ?? '', hash: credentialHash(credential) } : undefined;
  const [currentLogin, nextLogin] = [kept(current), kept(next)];
  const question = {
    ...pair,
    logins: loginNames(name),
    ...(currentLogin && { current: currentLogin }),
    ...(nextLogin && { next: nextLogin }),
    ...(found.database && { epoch: found.database.timeline }),
  };
  const secret = isKept ? { secret: rotationStateName(name) } : {};
  return { question, ...secret, interval: intervalOf(resource, known), timeout: 15_000 };
}

/** ACLs and quotas are checked as often as those of a KafkaUser. */
function kafkaAsked(view: StableView, index: 0 | 1): PollRequest<UserQuestion> | undefined {
  const known = knownCredentials(view);
  const interval = Math.min(intervalOf(view.resource, known), meanwhile);
  return kafkaUserAsked(view, index, { known, interval });
}

function intervalOf(resource: SecretRotationResource, { isKept, isPublished, next }: KnownCredentials): number {
  // A Secret that cannot be written is tried again after each answer. New questions are asked at once.
  if (!isKept || !isPublished) return meanwhile;
  if (next !== undefined || reasonOf('Rotated', resource) !== 'UpToDate') return soon;
  const retired = reasonOf('Retired', resource);
  return retired === 'Refused' ? seldom : retired === 'Overlapping' ? meanwhile : soon;
}

function reasonOf<T extends keyof typeof conditions>(of: T, resource: SecretRotationResource) {
  return conditionOf<typeof conditions>(resource, of)?.reason as keyof (typeof conditions)[T] | undefined;
}

function workloadsAsked(view: StableView): PollRequest<WorkloadsQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const all = workloadsOf(spec.consumers);
  const { published } = knownCredentials(view);
  if (all.length === 0 || !published || metadata.deletionTimestamp !== undefined) return undefined;
  const hash = contentHash(published);
  const annotation = hashAnnotation(spec.secretName);
  const isCurrent = reasonOf('Adopted', view.resource) === 'Current';
  const interval = isCurrent && status?.adopted === adoptionOf(hash, all) ? seldom : soon;
  return { question: { namespace: metadata.namespace ?? '', workloads: all, annotation, hash }, interval };
}
