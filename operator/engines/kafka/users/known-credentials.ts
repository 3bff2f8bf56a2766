import type { KafkaSession } from '../connection/session.js';
import { scramSha512 } from './scram-credential.js';

/** RESOURCE_NOT_FOUND: the user has no credential. */
export const notFound = 91;

/** Whether each of the users has a credential. An error is about that user alone. */
export async function credentialsOf(session: KafkaSession, users: readonly string[]) {
  const names = users.map((name) => ({ name }));
  const { results } = await session.ask('describeScramCredentials', [names], { partly: true });
  return new Map<string, boolean | Error>(
    results.map(({ user, errorCode, errorMessage, credentialInfos }) => {
      if (errorCode !== 0 && errorCode !== notFound) return [user, session.refusal(errorCode, errorMessage)];
      return [user, credentialInfos.some(({ mechanism }) => mechanism === scramSha512)];
    }),
  );
}
