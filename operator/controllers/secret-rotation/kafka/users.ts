import { type Credential, credentialHash, rotationStateName } from '../../../../src/index.js';
import { accessOf } from '../../../kafka/cluster-part.js';
import { hasAcl, rightsChange } from '../../../kafka/user-rights.js';
import type { UserAnswer, UserQuestion } from '../../../kafka/users.js';
import type { PollRequest } from '../../../runtime/index.js';
import { type KnownCredentials, loginNames } from '../credentials/known-credentials.js';
import type { LoginState, LoginsSeen } from '../ports/logins.js';
import type { KafkaSource } from './source.js';
import { kafkaCluster, kafkaMark, kafkaTarget } from './target.js';

/** Each of the two users: its poll, and the call that changes its rights. */
export const kafkaSlots = [
  { poll: 'userA', rights: 'rightsA' },
  { poll: 'userB', rights: 'rightsB' },
] as const;

/** What is known of the two users, in the order of their names. */
export type KafkaAnswers = readonly [UserAnswer, UserAnswer];

/** The question about one of the users. It is also asked while the rotation is being deleted. */
export function kafkaUserAsked(
  source: KafkaSource,
  index: 0 | 1,
  { known, interval }: { readonly known: KnownCredentials; readonly interval: number },
): PollRequest<UserQuestion> | undefined {
  const { metadata } = source.resource;
  const user = loginNames(metadata.name)[index];
  const times = { interval, timeout: 20_000 };
  if (metadata.deletionTimestamp !== undefined) {
    const access = accessOf(kafkaCluster(source));
    return access && { question: { ...access, user }, ...times };
  }
  const target = kafkaTarget(source);
  if (!target || 'reason' in target || !target.access) return undefined;
  const slot = slotOf(user, known);
  const kept = slot && known.isKept ? known[slot] : undefined;
  if (!slot || !kept) return { question: { ...target.access, user }, ...times };
  const login = { ...target.tried, hash: credentialHash(kept), keys: keysOf(slot) };
  return { question: { ...target.access, user, login }, secret: rotationStateName(metadata.name), ...times };
}

/** The credential that has a user. */
export function slotOf(user: string, { current, next }: KnownCredentials): 'current' | 'next' | undefined {
  if (current?.['username'] === user) return 'current';
  return next?.['username'] === user ? 'next' : undefined;
}

/** The keys of a credential in the Secret that the operator keeps. */
export function keysOf(slot: 'current' | 'next') {
  return { username: `${slot}.username`, password: `${slot}.password` } as const;
}

/**
 * The state of the users in the terms of a plan. Kafka does not tell who is connected. The next user counts as accepted
 * only when it has all rights.
 */
export function kafkaSeen(
  source: KafkaSource,
  answers: KafkaAnswers | undefined,
  known: KnownCredentials,
): LoginsSeen | undefined {
  const target = kafkaTarget(source);
  if (!target || 'reason' in target || !answers) return undefined;
  const pair = loginNames(source.resource.metadata.name);
  const mark = kafkaMark(source.resource);
  const roles = pair.flatMap((name, index): [string, LoginState][] => {
    const answer = answers[index];
    if (!answer || isAbsent(answer)) return [];
    return [[name, { isOurs: hasAcl(answer, mark), canLogin: answer.hasCredential, inUse: false }]];
  });
  const answerAbout = (credential: Credential | undefined) => answers[pair.indexOf(credential?.['username'] ?? '')];
  const [current, next] = [answerAbout(known.current)?.accepts, answerAbout(known.next)];
  const isComplete = next !== undefined && rightsChange(target.rights, next) === undefined;
  const accepts = next?.accepts === true && !isComplete ? undefined : next?.accepts;
  return {
    roles: Object.fromEntries(roles),
    accepts: { ...(current !== undefined && { current }), ...(accepts !== undefined && { next: accepts }) },
  };
}

/** Kafka knows a user by what it has. */
export function isAbsent({ hasCredential, acls, quotas }: UserAnswer): boolean {
  return !hasCredential && acls.length === 0 && Object.keys(quotas).length === 0;
}
