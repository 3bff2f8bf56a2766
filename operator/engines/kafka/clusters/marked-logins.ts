import type { MarkedLogin } from '../../../controllers/kafka/ports/cluster.js';
import { type Acl, denials, loginMark, markPrefix } from '../../../kafka/users.js';
import { groupedBy } from '../connection/grouped-by.js';
import type { KafkaSession } from '../connection/session.js';
import { aclFrom, principalOf, type WireAcl, wireAcl } from '../users/acls.js';
import { deniedAcls } from './denied-acls.js';

/** The users with a mark of the operator, by name. */
export function markedLoginsIn(denied: readonly WireAcl[]): readonly MarkedLogin[] {
  return [...groupedBy(denied, ({ principal }) => principal)]
    .flatMap(
      ([principal, acls]) =>
        loginOf(
          principal,
          acls.flatMap((acl) => aclFrom(acl) ?? []),
        ) ?? [],
    )
    .toSorted((a, b) => (a.user < b.user ? -1 : 1));
}

function loginOf(principal: string, acls: readonly Acl[]): MarkedLogin | undefined {
  const owners = acls.flatMap((acl) => ownerIn(acl) ?? []).toSorted();
  if (owners.length === 0) return undefined;
  const has = denials.filter((denial) => acls.some((acl) => isSame(acl, denial))).length;
  const denied = has === denials.length ? 'all' : has === 0 ? 'none' : 'some';
  return { user: principal.slice(principalOf('').length), owners, denied };
}

function ownerIn(acl: Acl): string | undefined {
  const owner = acl.name.startsWith(markPrefix) ? acl.name.slice(markPrefix.length) : '';
  return owner !== '' && isSame(acl, loginMark(owner)) ? owner : undefined;
}

function isSame(one: Acl, other: Acl): boolean {
  const textOf = ({ resource, name, pattern, operation, permission }: Acl) =>
    JSON.stringify([resource, name, pattern, operation, permission]);
  return textOf(one) === textOf(other);
}

/**
 * Denies everything to users. One without a mark was deleted since the question: denials would meet the next user of its name.
 */
export async function refuseLogins(
  session: KafkaSession,
  changing: KafkaSession,
  users: readonly string[],
): Promise<void> {
  const marked = new Set(markedLoginsIn((await deniedAcls(session)) ?? []).map(({ user }) => user));
  const acls = denialsOf(users.filter((user) => marked.has(user)));
  if (acls.length > 0) await changing.ask('createAcls', [acls] as never);
}

/** Removes the denials of users. Their other ACLs stay. */
export async function allowLogins(changing: KafkaSession, users: readonly string[]): Promise<void> {
  const acls = denialsOf(users);
  if (acls.length > 0) await changing.ask('deleteAcls', [acls] as never);
}

function denialsOf(users: readonly string[]): readonly WireAcl[] {
  return users.flatMap((user) => denials.flatMap((acl) => wireAcl(user, acl) ?? []));
}
