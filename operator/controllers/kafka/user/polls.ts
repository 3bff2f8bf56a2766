import type { KafkaUserResource } from '../../../../imports/index.js';
import { fingerprint } from '../../../../src/manifest/fingerprint.js';
import { accessOf, askedEvery } from '../../../kafka/cluster-part.js';
import { bootstrapAddress } from '../../../kafka/listeners.js';
import { principalOf } from '../../../kafka/user-rights.js';
import { kafkaUsers, type UserQuestion } from '../../../kafka/users.js';
import { type DrawQuestion, draw } from '../../../passwords/draw.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import type { owns, reads } from './declarations.js';
import { isReserved, keptPasswordIn, passwordIn, type StableView, secretNameOf, userListener } from './view.js';

/** The external sources that a KafkaUser polls. */
export const polls = (ask: PollBuilder<KafkaUserResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  drawn: ask(draw, drawAsked),
  user: ask(kafkaUsers, userAsked),
});

function drawAsked(user: StableView): PollRequest<DrawQuestion> | undefined {
  const { metadata, spec } = user.resource;
  if (spec.authentication !== 'Scram' || metadata.deletionTimestamp !== undefined) return undefined;
  if (keptPasswordIn(user) !== undefined) return undefined;
  const replaces = `${metadata.namespace}/${metadata.name} ${metadata.uid}`;
  return { question: { replaces, length: 32, charset: 'Alphanumeric', keys: ['password'] }, interval: 3_600_000 };
}

function userAsked(user: StableView): PollRequest<UserQuestion> | undefined {
  const { resource, reads: found } = user;
  const access = accessOf(found.cluster);
  if (!found.cluster || !access || isReserved(resource)) return undefined;
  const password = passwordIn(user);
  const listener = userListener(user);
  // Which authorities another issuer has is not known to the source. The Secret of a deleted user is left as it is, so it may
  // trust the CA of an earlier cluster of this name alone.
  const isStaying = resource.metadata.deletionTimestamp === undefined;
  const isTried =
    isStaying && password !== undefined && listener && resource.spec.authentication === 'Scram' && !listener.tls.issuer;
  const login = isTried && {
    ...{ address: bootstrapAddress(found.cluster, listener), tls: listener.tls.enabled },
    hash: fingerprint(password),
  };
  return {
    question: { ...access, user: principalOf(resource), ...(login && { login }) },
    ...(login && { secret: secretNameOf(resource) }),
    interval: askedEvery(found.cluster),
    timeout: 20_000,
  };
}
