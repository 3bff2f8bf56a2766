import type { KafkaUserResource } from '../../../../imports/index.js';
import { kafkaPrincipals } from '../../../../src/index.js';
import { listenerFor, otherIssuerSecret } from '../../../kafka/listeners.js';
import type { UserAnswer } from '../../../kafka/users.js';
import type { DrawAnswer } from '../../../passwords/draw.js';
import { type Facts, type LiveSecret, type Owned, type Polled, Secret } from '../../../runtime/index.js';
import type { owns, UserReads } from './declarations.js';
import { textIn } from './secret-text.js';

/** The part of the input that does not change with time. */
export interface StableView extends Pick<Facts<KafkaUserResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: UserReads;
}

/** The input of `desire` and `assess`. */
export interface UserView extends StableView {
  /** Undefined for a source that is not asked. */
  readonly polled: { readonly drawn: Polled<DrawAnswer> | undefined; readonly user: Polled<UserAnswer> | undefined };
}

/** The Secret of a user. */
export function secretNameOf({ metadata, spec }: Pick<KafkaUserResource, 'metadata' | 'spec'>): string {
  return spec.secretName ?? metadata.name;
}

type WithSecrets = Pick<StableView, 'resource' | 'owned'>;

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
export function authorityIn(user: StableView): string {
  return user.reads.trusted || textIn(ownSecretIn(user)?.data, 'ca.crt');
}

/** Whether the controller writes the CA certificates of the cluster into the Secret. A Certificate does so itself. */
export function needsAuthority(user: StableView): boolean {
  return user.resource.spec.authentication === 'Scram' && trustsCluster(user);
}

/** Whether clients trust the CA certificates of the cluster. Those of a listener with another issuer trust that one. */
export function trustsCluster(user: StableView): boolean {
  const { cluster } = user.reads;
  const listener = userListener(user);
  if (!cluster || !listener) return false;
  return listener.tls.enabled && otherIssuerSecret(cluster, listener) === undefined;
}

/** The listener with which clients of this user connect. Undefined if the cluster has none. */
export function userListener({ resource, reads: { cluster } }: StableView) {
  return cluster && listenerFor(cluster, resource.spec.authentication);
}

/** A name that the certificate of a node or of the operator has: such a user could do everything. */
export function isReserved({ metadata, spec }: KafkaUserResource): boolean {
  const { nodes, operator } = kafkaPrincipals(spec.cluster.name);
  return spec.authentication === 'MutualTls' && (metadata.name === nodes || metadata.name === operator);
}
