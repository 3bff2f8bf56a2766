import type { Acl, Quotas, UserAnswer, UserQuestion } from '../../../kafka/users.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { SecretData, Source } from '../../../runtime/ports/external-port.js';
import { accessKey } from '../connection/access-key.js';
import { Collector } from '../connection/collector.js';
import type { Connections } from '../connection/connections.js';
import { groupedBy } from '../connection/grouped-by.js';
import { KafkaSession } from '../connection/session.js';
import { aclFrom, filterFor, principalOf } from './acls.js';
import { credentialsOf } from './known-credentials.js';
import { loginAccepted } from './login-check.js';
import { loginPassword } from './login-password.js';

type Known = Omit<UserAnswer, 'accepts'>;

/** Reads users. Questions about a cluster that come within 50 ms are answered by three requests. */
export function usersSource(connections: Connections, clock: Pick<Clock, 'after'>): Source<UserQuestion, UserAnswer> {
  const questions = new Collector<UserQuestion, Known>(clock, (items, signal) => answers(connections, items, signal));
  return async (question, { signal, secret }) => {
    const known = await questions.add(accessKey(question), question, signal);
    const accepts = await acceptsOf(connections, question, { known, signal, secret });
    return { ...known, ...(accepts !== undefined && { accepts }) };
  };
}

/** A server delays and logs a refused login, so one that cannot succeed is not tried. */
async function acceptsOf(
  connections: Connections,
  { login, user, ...access }: UserQuestion,
  {
    known,
    signal,
    secret,
  }: { readonly known: Known; readonly signal: AbortSignal; readonly secret: SecretData | undefined },
): Promise<boolean | undefined> {
  if (!login) return undefined;
  const { keys, ...tried } = login;
  const password = loginPassword(user, secret, keys);
  if (!password) return undefined;
  if (!known.hasCredential) return false;
  const authority = secret?.['ca.crt'] || (await connections.of(access, signal)).credentials.ca;
  return loginAccepted({ ...tried, user, password, authority }, signal);
}

async function answers(
  connections: Connections,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
): Promise<readonly (Known | Error)[]> {
  const [first] = questions;
  if (!first) return [];
  const session = await KafkaSession.open(connections, first, { signal });
  const users = [...new Set(questions.map(({ user }) => user))];
  // The first request finds a broker, to which the others go too.
  const credentials = await credentialsOf(session, users);
  const [acls, quotas] = await Promise.all([aclsOf(session, users), quotasOf(session)]);
  return questions.map(({ user }) => {
    const hasCredential = credentials.get(user);
    if (hasCredential instanceof Error) return hasCredential;
    if (hasCredential === undefined)
      return new CallError('retryable', `The response has no user ${user}`, { mayHaveEffect: false });
    return { hasCredential, acls: acls.get(principalOf(user)) ?? [], quotas: quotas.get(user) ?? {} };
  });
}

async function aclsOf(session: KafkaSession, users: readonly string[]): Promise<ReadonlyMap<string, readonly Acl[]>> {
  const [only] = users.length === 1 ? users : [];
  const { resources } = await session.ask('describeAcls', [filterFor(only === undefined ? null : principalOf(only))]);
  const all = resources.flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...resource, ...acl })));
  const grouped = groupedBy(all, ({ principal }) => principal);
  return new Map([...grouped].map(([principal, acls]) => [principal, acls.flatMap((acl) => aclFrom(acl) ?? [])]));
}

const quotaNames = {
  producer_byte_rate: 'producerByteRate',
  consumer_byte_rate: 'consumerByteRate',
  request_percentage: 'requestPercentage',
} as const;

/** Quotas of each user. Those of a user together with a client ID are of others. */
async function quotasOf(session: KafkaSession): Promise<ReadonlyMap<string, Quotas>> {
  const ofAnyUser = { entityType: 'user', matchType: 2 } as const;
  const { entries } = await session.ask('describeQuotas', [[ofAnyUser], true]);
  return new Map(
    entries.flatMap(({ entity: [entity], values }) => {
      const known = values.filter(({ key }) => key in quotaNames);
      const quotas: Quotas = Object.fromEntries(known.map(({ key, value }) => [quotaNames[key], value]));
      return entity?.entityName ? [[entity.entityName, quotas] as const] : [];
    }),
  );
}
