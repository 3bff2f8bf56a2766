import { certificateKind, type KafkaUserResource, kafkaClusterKind } from '../../../../imports/index.js';
import { fingerprint } from '../../../../src/fingerprint.js';
import { kafkaObjectNames, kafkaPrincipals } from '../../../../src/index.js';
import { accessOf, clusterPart } from '../../../kafka/cluster-part.js';
import { bootstrapAddress, listenerFor, otherIssuerSecret } from '../../../kafka/listeners.js';
import { kafkaUsers, type UserQuestion } from '../../../kafka/users.js';
import { type DrawQuestion, draw } from '../../../passwords/draw.js';
import {
  type Answers,
  ConfigMap,
  type Facts,
  type Found,
  type LiveSecret,
  type Owned,
  type PollBuilder,
  type PollRequest,
  type Refer,
  Secret,
} from '../../../runtime/index.js';

/** Kinds that a KafkaUser owns. */
export const owns = [Secret, certificateKind, ConfigMap] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<KafkaUserResource>) => ({
  cluster: refer.named(kafkaClusterKind, ({ spec }) => spec.cluster.name, clusterPart),
  /** The CA certificates of the listeners with the issuer of the cluster. */
  trusted: refer.named(Secret, ({ spec }) => kafkaObjectNames(spec.cluster.name).nodeCertificate, caIn),
});

function caIn({ data = {} }: LiveSecret): string {
  return textIn(data, 'ca.crt');
}

function textIn(data: LiveSecret['data'], key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString();
}

type Reads = ReturnType<typeof reads>;

/** The part of the input that does not change with time. */
export interface StableUser extends Pick<Facts<KafkaUserResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: Found<Reads>;
}

/** The input of `desire` and `assess`. */
export interface UserFacts extends StableUser {
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** The external sources that a KafkaUser polls. */
export const polls = (ask: PollBuilder<KafkaUserResource, (typeof owns)[number], Reads>) => ({
  drawn: ask(draw, drawAsked),
  user: ask(kafkaUsers, userAsked),
});

/** The Secret of a user. */
export function secretNameOf({ metadata, spec }: Pick<KafkaUserResource, 'metadata' | 'spec'>): string {
  return spec.secretName ?? metadata.name;
}

/** The principal of a user, without `User:`. A certificate has the name as its common name. */
export function principalOf({ metadata, spec }: Pick<KafkaUserResource, 'metadata' | 'spec'>): string {
  return spec.authentication === 'MutualTls' ? `CN=${metadata.name}` : metadata.name;
}

type WithSecrets = Pick<StableUser, 'resource' | 'owned'>;

function ownSecretIn({ resource, owned }: WithSecrets): LiveSecret | undefined {
  return owned.of(Secret).find(({ metadata }) => metadata.name === secretNameOf(resource));
}

/** The password in the Secret. Undefined while there is none. */
export function passwordIn(user: WithSecrets): string | undefined {
  return textIn(ownSecretIn(user)?.data, 'password') || undefined;
}

/** The password in the Secret, or in the one that the user had before another `secretName`. Undefined while there is none. */
export function keptPasswordIn(user: WithSecrets): string | undefined {
  const former = user.owned.of(Secret).map(({ data }) => textIn(data, 'password'));
  return passwordIn(user) ?? former.find((password) => password !== '');
}

/** The CA certificates of the listener: those of the cluster, or while they are missing those of the Secret. Empty if there are none. */
export function authorityIn(user: StableUser): string {
  return user.reads.trusted || textIn(ownSecretIn(user)?.data, 'ca.crt');
}

/** Whether the controller writes the CA certificates of the cluster into the Secret. A Certificate does so itself. */
export function needsAuthority(user: StableUser): boolean {
  return user.resource.spec.authentication === 'Scram' && trustsCluster(user);
}

/** Whether clients trust the CA certificates of the cluster. Those of a listener with another issuer trust that one. */
export function trustsCluster(user: StableUser): boolean {
  const { cluster } = user.reads;
  const listener = userListener(user);
  if (!cluster || !listener) return false;
  return listener.tls.enabled && otherIssuerSecret(cluster, listener) === undefined;
}

/** The listener with which clients of this user connect. Undefined if the cluster has none. */
export function userListener({ resource, reads: { cluster } }: StableUser) {
  return cluster && listenerFor(cluster, resource.spec.authentication);
}

/** A name that the certificate of a node or of the operator has: such a user could do everything. */
export function isReserved({ metadata, spec }: KafkaUserResource): boolean {
  const { nodes, operator } = kafkaPrincipals(spec.cluster.name);
  return spec.authentication === 'MutualTls' && (metadata.name === nodes || metadata.name === operator);
}

function drawAsked(user: StableUser): PollRequest<DrawQuestion> | undefined {
  const { metadata, spec } = user.resource;
  if (spec.authentication !== 'Scram' || metadata.deletionTimestamp !== undefined) return undefined;
  if (keptPasswordIn(user) !== undefined) return undefined;
  const replaces = `${metadata.namespace}/${metadata.name} ${metadata.uid}`;
  return { question: { replaces, length: 32, charset: 'Alphanumeric', keys: ['password'] }, interval: 3_600_000 };
}

function userAsked(user: StableUser): PollRequest<UserQuestion> | undefined {
  const { resource, reads: found } = user;
  const access = accessOf(found.cluster);
  if (!access || isReserved(resource)) return undefined;
  const password = passwordIn(user);
  const listener = userListener(user);
  // Which authorities another issuer has is not known to the source.
  const isTried =
    password !== undefined &&
    listener &&
    found.cluster &&
    resource.spec.authentication === 'Scram' &&
    !listener.tls.issuer;
  const login = isTried && {
    ...{ address: bootstrapAddress(found.cluster, listener), tls: listener.tls.enabled },
    hash: fingerprint(password),
  };
  return {
    question: { ...access, user: principalOf(resource), ...(login && { login }) },
    ...(login && { secret: secretNameOf(resource) }),
    interval: 30_000,
    timeout: 20_000,
  };
}
