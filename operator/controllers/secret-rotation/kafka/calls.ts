import type { Construct } from 'constructs';
import { credentialHash, rotationStateName } from '../../../../src/index.js';
import type { KafkaAccess } from '../../../kafka/access.js';
import { accessOf } from '../../../kafka/cluster-part.js';
import { hasAcl, type Rights, rightsChange, type UserAct } from '../../../kafka/user-rights.js';
import { kafkaUsers, type UserAnswer } from '../../../kafka/users.js';
import { ExternalCall } from '../../../runtime/index.js';
import { type KnownCredentials, loginNames } from '../credentials/known-credentials.js';
import type { Step } from '../plan/step.js';
import type { KafkaSource } from './source.js';
import { kafkaCluster, kafkaMark, kafkaTarget } from './target.js';
import { isAbsent, type KafkaAnswers, kafkaSlots, keysOf, slotOf } from './users.js';

/** What the calls of a rotation need to know. */
export interface KafkaCalls {
  readonly source: KafkaSource;
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
  { source, answers, known, step, login, refreshes }: KafkaCalls,
): void {
  const target = kafkaTarget(source);
  if (!target || 'reason' in target || !target.access || !answers) return;
  const { access, rights } = target;
  const { name } = source.resource.metadata;
  const mark = kafkaMark(source.resource);
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
  source: KafkaSource,
  answers: readonly (UserAnswer | undefined)[],
): void {
  const access = accessOf(kafkaCluster(source));
  if (!access) return;
  const mark = kafkaMark(source.resource);
  const pair = loginNames(source.resource.metadata.name);
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
    ...{ port: kafkaUsers, request, refreshes, timeout: 30_000 },
    ...(secret !== undefined && { secret }),
  });
}
