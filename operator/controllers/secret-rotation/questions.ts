import type { SecretRotationResource } from '../../../imports/index.js';
import { credentialHash, databasePorts, objectNames, rotationStateName } from '../../../src/index.js';
import { adoptionOf } from '../../consumers/adoption.js';
import { contentHash, hashAnnotation } from '../../consumers/annotation.js';
import { type WorkloadsQuestion, workloads, workloadsOf } from '../../consumers/workloads.js';
import { kafkaUsers, type UserQuestion } from '../../kafka/users.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import type { PollBuilder, PollRequest } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { owns, reads, StableRotation } from './declarations.js';
import { kafkaUserAsked } from './kafka-users.js';
import { type LoginPair, type LoginsQuestion, logins } from './ports/logins.js';
import { credentialKeys, type KnownCredentials, knownCredentials, loginNames } from './secrets.js';

/** The external sources that a SecretRotation polls. */
export const polls = (ask: PollBuilder<SecretRotationResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  drawn: ask(draw, drawAsked),
  logins: ask(logins, loginsAsked),
  userA: ask(kafkaUsers, (rotation) => kafkaAsked(rotation, 0)),
  userB: ask(kafkaUsers, (rotation) => kafkaAsked(rotation, 1)),
  workloads: ask(workloads, workloadsAsked),
});

/** Milliseconds: while the next step waits for an answer. */
const soon = 5_000;
/** Milliseconds: while the earlier login works on, and while a Secret cannot be written. */
const meanwhile = 30_000;
/** Milliseconds: at rest. A login or a consumer that somebody else changed is noticed after it. */
const seldom = 3_600_000;

function drawAsked({ resource, owned, reads: read }: StableRotation): PollRequest<DrawQuestion> | undefined {
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const { random } = resource.spec.source;
  const { current, next } = knownCredentials({ resource, owned, reads: read });
  const replaces = [current, next].map((one) => (one ? credentialHash(one) : '')).join(' ');
  const { length, charset } = random ?? { length: 32, charset: 'Alphanumeric' as const };
  const keys = random ? credentialKeys(resource) : ['password'];
  const { namespace = '', name } = resource.metadata;
  return { question: { replaces: `${namespace}/${name} ${replaces}`, length, charset, keys }, interval: seldom };
}

/** Where the logins of a rotation are. Undefined for another source than PostgreSQL, and while the Database does not exist. */
export function loginPair({ resource, reads: { database } }: StableRotation): LoginPair | undefined {
  const { metadata, spec } = resource;
  const { namespace = '', name } = metadata;
  const mark = `reconstruct.dev SecretRotation ${namespace}/${name}`;
  const { postgres, database: own } = spec.source;
  if (postgres) {
    const { host, port, owner, adminSecretRef } = postgres;
    const secret = adminSecretRef.name;
    return {
      ...{ host, isStated: true, port, database: postgres.database, owner, mark, namespace },
      ...{ admin: secret, authority: secret },
    };
  }
  if (!own || !database) return undefined;
  const names = objectNames(own.name);
  return {
    ...{ host: `${names.rw}.${namespace}.svc`, isStated: false, port: databasePorts.postgresql, mark, namespace },
    ...{ database: database.database, owner: database.owner, admin: names.superuser, authority: names.app },
  };
}

function loginsAsked(rotation: StableRotation): PollRequest<LoginsQuestion> | undefined {
  const { resource, reads: read } = rotation;
  const { name, deletionTimestamp } = resource.metadata;
  const pair = loginPair(rotation);
  if (!pair || deletionTimestamp !== undefined) return undefined;
  const known = knownCredentials(rotation);
  const { current, next, isKept } = known;
  const kept = (credential: typeof current) =>
    isKept && credential ? { login: credential['username'] ?? '', hash: credentialHash(credential) } : undefined;
  const [currentLogin, nextLogin] = [kept(current), kept(next)];
  const question = {
    ...pair,
    logins: loginNames(name),
    ...(currentLogin && { current: currentLogin }),
    ...(nextLogin && { next: nextLogin }),
    ...(read.database && { epoch: read.database.timeline }),
  };
  const secret = isKept ? { secret: rotationStateName(name) } : {};
  return { question, ...secret, interval: intervalOf(resource, known), timeout: 15_000 };
}

/** ACLs and quotas are checked as often as those of a KafkaUser. */
function kafkaAsked(rotation: StableRotation, index: 0 | 1): PollRequest<UserQuestion> | undefined {
  const known = knownCredentials(rotation);
  const interval = Math.min(intervalOf(rotation.resource, known), meanwhile);
  return kafkaUserAsked(rotation, index, { known, interval });
}

function intervalOf(resource: SecretRotationResource, { isKept, isPublished, next }: KnownCredentials): number {
  // A Secret that cannot be written is tried again after each answer. New questions are asked at once.
  if (!isKept || !isPublished) return meanwhile;
  if (next !== undefined || reasonOf('Rotated', resource) !== 'UpToDate') return soon;
  const retired = reasonOf('Retired', resource);
  return retired === 'Refused' ? seldom : retired === 'Overlapping' ? meanwhile : soon;
}

function reasonOf<T extends keyof typeof conditions>(of: T, { status }: SecretRotationResource) {
  return status?.conditions?.find(({ type }) => type === of)?.reason as keyof (typeof conditions)[T] | undefined;
}

function workloadsAsked(rotation: StableRotation): PollRequest<WorkloadsQuestion> | undefined {
  const { metadata, spec, status } = rotation.resource;
  const all = workloadsOf(spec.consumers);
  const { published } = knownCredentials(rotation);
  if (all.length === 0 || !published || metadata.deletionTimestamp !== undefined) return undefined;
  const hash = contentHash(published);
  const annotation = hashAnnotation(spec.secretName);
  const isCurrent = reasonOf('Adopted', rotation.resource) === 'Current';
  const interval = isCurrent && status?.adopted === adoptionOf(hash, all) ? seldom : soon;
  return { question: { namespace: metadata.namespace ?? '', workloads: all, annotation, hash }, interval };
}
