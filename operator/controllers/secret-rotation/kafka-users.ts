import type { Construct } from 'constructs';
import { type Credential, credentialHash, rotationStateName } from '../../../src/index.js';
import type { KafkaAccess } from '../../kafka/access.js';
import { accessOf } from '../../kafka/cluster-part.js';
import { hasAcl, type Rights, rightsChange, type UserAct } from '../../kafka/user-rights.js';
import { kafkaUsers, type UserAnswer, type UserQuestion } from '../../kafka/users.js';
import { ExternalCall, type PollRequest } from '../../runtime/index.js';
import type { StableRotation } from './declarations.js';
import { kafkaCluster, kafkaMark, kafkaTarget } from './kafka-target.js';
import type { LoginsSeen, Step } from './plan.js';
import type { LoginState } from './ports/logins.js';
import { type KnownCredentials, loginNames } from './secrets.js';

/** Each of the two users: its poll, and the call that changes its rights. */
export const kafkaSlots = [
  { poll: 'userA', rights: 'rightsA' },
  { poll: 'userB', rights: 'rightsB' },
] as const;

/** What is known of the two users, in the order of their names. */
export type KafkaAnswers = readonly [UserAnswer, UserAnswer];

/** The question about one of the users. It is also asked while the rotation is being deleted. */
export function kafkaUserAsked(
  rotation: StableRotation,
  index: 0 | 1,
  { known, interval }: { readonly known: KnownCredentials; readonly interval: number },
): PollRequest<UserQuestion> | undefined {
  const { metadata } = rotation.resource;
  const user = loginNames(metadata.name)[index];
  const times = { interval, timeout: 20_000 };
  if (metadata.deletionTimestamp !== undefined) {
    const access = accessOf(kafkaCluster(rotation));
    return access && { question: { ...access, user }, ...times };
  }
  const target = kafkaTarget(rotation);
  if (!target || 'reason' in target || !target.access) return undefined;
  const slot = slotOf(user, known);
  const kept = slot && known.isKept ? known[slot] : undefined;
  if (!slot || !kept) return { question: { ...target.access, user }, ...times };
  const login = { ...target.tried, hash: credentialHash(kept), keys: keysOf(slot) };
  return { question: { ...target.access, user, login }, secret: rotationStateName(metadata.name), ...times };
}

function slotOf(user: string, { current, next }: KnownCredentials): 'current' | 'next' | undefined {
  if (current?.['username'] === user) return 'current';
  return next?.['username'] === user ? 'next' : undefined;
}

/** The keys of a credential in the Secret that the operator keeps. */
function keysOf(slot: 'current' | 'next') {
  return { username: `${slot}.username`, password: `${slot}.password` } as const;
}

/**
 * The state of the users in the terms of a plan. Kafka does not tell who is connected. The next user counts as accepted
 * only when it has all rights.
 */
export function kafkaSeen(
  rotation: StableRotation,
  answers: KafkaAnswers | undefined,
  known: KnownCredentials,
): LoginsSeen | undefined {
  const target = kafkaTarget(rotation);
  if (!target || 'reason' in target || !answers) return undefined;
  const pair = loginNames(rotation.resource.metadata.name);
  const mark = kafkaMark(rotation.resource);
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
function isAbsent({ hasCredential, acls, quotas }: UserAnswer): boolean {
  return !hasCredential && acls.length === 0 && Object.keys(quotas).length === 0;
}

/** What the calls of a rotation need to know. */
export interface KafkaCalls {
  readonly rotation: StableRotation;
  readonly answers: KafkaAnswers | undefined;
  readonly known: KnownCredentials;
  readonly step: Step;
  /** The name of the call that changes a login. */
  readonly login: string;
  readonly refreshes: readonly string[];
}

/** Renders the changes of the users that are due. A user gets its password when it has its rights. */
export function renderKafkaCalls(
  scope: Construct,
  { rotation, answers, known, step, login, refreshes }: KafkaCalls,
): void {
  const target = kafkaTarget(rotation);
  if (!target || 'reason' in target || !target.access || !answers) return;
  const { access, rights } = target;
  const { name } = rotation.resource.metadata;
  const mark = kafkaMark(rotation.resource);
  const send = (id: string, user: string, act: UserAct, secret?: string) =>
    add(scope, id, { request: { ...act, user, ...access }, refreshes, secret });
  const pair = loginNames(name);
  for (const [index, slot] of kafkaSlots.entries()) {
    const [user, answer] = [pair[index], answers[index]];
    if (user === undefined || !answer) continue;
    const isNeeded = slotOf(user, known) !== undefined;
    const due = hasAcl(answer, mark)
      ? rightsChange(rights, answer)
      : isNeeded
        ? claim(answer, { acls: [mark], quotas: {} })
        : undefined;
    if (due) send(slot.rights, user, due);
    else if (step.does === 'refuse' && step.login === user) send(login, user, { act: 'deletePassword' });
    else if (step.does === 'allow' && step.login === user && hasAcl(answer, mark)) {
      const kept = known[step.slot];
      if (kept)
        send(
          login,
          user,
          { act: 'setPassword', hash: credentialHash(kept), keys: keysOf(step.slot) },
          rotationStateName(name),
        );
    }
  }
}

/** The mark is there before anything else, so that no user is left that nobody knows. */
function claim(answer: UserAnswer, mark: Rights): UserAct | undefined {
  return isAbsent(answer) ? rightsChange(mark, answer) : undefined;
}

/** Renders the removal of the users. The mark goes last, because a user without it is not removed. */
export function renderKafkaRemoval(
  scope: Construct,
  rotation: StableRotation,
  answers: readonly (UserAnswer | undefined)[],
): void {
  const access = accessOf(kafkaCluster(rotation));
  if (!access) return;
  const mark = kafkaMark(rotation.resource);
  const pair = loginNames(rotation.resource.metadata.name);
  for (const [index, { poll, rights }] of kafkaSlots.entries()) {
    const [user, answer] = [pair[index], answers[index]];
    if (user === undefined || !answer || !hasAcl(answer, mark)) continue;
    const act = removal(answer, { acls: [mark], quotas: {} });
    add(scope, rights, { request: { ...act, user, ...access }, refreshes: [poll] });
  }
}

function removal(answer: UserAnswer, mark: Rights): UserAct {
  if (answer.hasCredential) return { act: 'deletePassword' };
  return rightsChange(mark, answer) ?? { act: 'setAcls', add: [], remove: mark.acls };
}

interface Added {
  readonly request: UserAct & KafkaAccess & { readonly user: string };
  readonly refreshes: readonly string[];
  readonly secret?: string | undefined;
}

function add(scope: Construct, id: string, { request, refreshes, secret }: Added): void {
  new ExternalCall(scope, id, {
    ...{ port: kafkaUsers, request, refreshes, timeout: 30_000, visibleWithin: 5_000 },
    ...(secret !== undefined && { secret }),
  });
}
