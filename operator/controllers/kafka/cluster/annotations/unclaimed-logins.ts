import type { KafkaClusterResource } from '../../../../../imports/index.js';
import type { ClusterAnswer, MarkedLogin } from '../../ports/cluster.js';
import { namesIn } from './names-in.js';

/** Annotation with the users that may log in although no resource has them, such as `app,CN=shop`. */
export const allowLoginsAnnotation = 'reconstruct.dev/allow-logins';

/** The most users of one request. */
const most = 100;

/** The resources that have users in Kafka. */
export interface Claimants {
  /** The principals of the KafkaUsers of the cluster, without `User:`. */
  readonly users: readonly string[];
  /** The names of the SecretRotations of the namespace. */
  readonly rotations: readonly string[];
}

/** Users that the operator created and that no resource has any more, by name. */
export interface UnclaimedLogins {
  /** They can do nothing. */
  readonly refused: readonly string[];
  /** The annotation allows them. */
  readonly allowed: readonly string[];
  /** The next change. Undefined if there is none. */
  readonly request?: { readonly act: 'refuseLogins' | 'allowLogins'; readonly users: readonly string[] };
}

/**
 * What becomes of the users that a cluster brought back on its volumes, after their resources were released or deleted without
 * it. Their passwords would be valid, and nobody would see them.
 */
export function unclaimedLogins(
  { metadata }: Pick<KafkaClusterResource, 'metadata'>,
  { logins = [] }: Pick<ClusterAnswer, 'logins'>,
  claimants: Claimants,
): UnclaimedLogins {
  const named = new Set(namesIn({ metadata }, allowLoginsAnnotation));
  const unclaimed = logins.filter(
    (login) => !login.owners.some((owner) => isClaimed(owner, login, metadata, claimants)),
  );
  const allowed = unclaimed.filter(({ user }) => named.has(user));
  const others = unclaimed.filter(({ user }) => !named.has(user));
  const refuse = others.filter(({ denied }) => denied !== 'all');
  const allow = allowed.filter(({ denied }) => denied !== 'none');
  const next = refuse.length > 0 ? refuse : allow;
  return {
    refused: namesOf(others.filter(({ denied }) => denied === 'all')),
    allowed: namesOf(allowed),
    ...(next.length > 0 && {
      request: { act: next === refuse ? 'refuseLogins' : 'allowLogins', users: namesOf(next).slice(0, most) },
    }),
  };
}

function isClaimed(
  owner: string,
  { user }: MarkedLogin,
  { namespace }: KafkaClusterResource['metadata'],
  { users, rotations }: Claimants,
): boolean {
  if (owner === 'KafkaUser') return users.includes(user);
  const prefix = `SecretRotation/${namespace}/`;
  if (owner.startsWith('SecretRotation/'))
    return owner.startsWith(prefix) && rotations.includes(owner.slice(prefix.length));
  // A mark of a later version says nothing to this one.
  return true;
}

function namesOf(logins: readonly MarkedLogin[]): readonly string[] {
  return logins.map(({ user }) => user).toSorted();
}
