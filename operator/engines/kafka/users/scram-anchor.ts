import type { KafkaSession } from '../connection/session.js';
import { credentialsOf } from './known-credentials.js';
import { randomCredential } from './scram-credential.js';

/**
 * A user that nobody can log in as. It keeps the passwords of others.
 *
 * A node of Kafka 4.3 or 4.4 that starts replays its log. Where a user was deleted and no other one came before it, the node
 * forgets all users whom it puts in afterwards: their right passwords are refused, and its next snapshot lacks them. Java
 * orders users by the hash of their names. The hash of this name is 0, so this user comes first and the others are never
 * forgotten.
 * No resource of Kubernetes can have this name.
 */
export const anchorUser = '_reconstruct_bxxbmly';

/** Creates the anchor if it is missing. It must be in the log before the change of another user. */
export async function ensureAnchor(session: KafkaSession, changing: KafkaSession): Promise<void> {
  const isThere = (await credentialsOf(session, [anchorUser])).get(anchorUser);
  if (isThere instanceof Error) throw isThere;
  if (isThere) return;
  await changing.ask('alterScramCredentials', [[], [{ name: anchorUser, ...randomCredential() }]]);
}
