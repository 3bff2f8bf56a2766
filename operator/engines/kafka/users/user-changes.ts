import type { Acl, Quotas, UserRequest } from '../../../kafka/users.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { PerformOptions } from '../../../runtime/ports/external-port.js';
import type { Connections } from '../connection/connections.js';
import { KafkaSession } from '../connection/session.js';
import { type WireAcl, wireAcl } from './acls.js';
import { notFound } from './known-credentials.js';
import { loginPassword } from './login-password.js';
import { ensureAnchor } from './scram-anchor.js';
import { scramCredential, scramSha512 } from './scram-credential.js';

/** Changes one thing of a user. What others have given it stays. @throws {CallError} if Kafka refuses it */
export async function changeUser(
  connections: Connections,
  request: UserRequest,
  { signal, mayLeave, secret }: PerformOptions,
): Promise<void> {
  const session = await KafkaSession.open(connections, request, { signal });
  const changing = session.changing(mayLeave);
  const { user } = request;
  switch (request.act) {
    case 'setPassword':
      await ensureAnchor(session, changing);
      return setPassword(changing, user, loginPassword(user, secret, request.keys));
    case 'deletePassword':
      await ensureAnchor(session, changing);
      return deletePassword(changing, user);
    case 'setAcls':
      return setAcls(changing, user, request);
    case 'setQuotas':
      return setQuotas(changing, user, request.quotas);
  }
}

async function setPassword(changing: KafkaSession, name: string, password: string | undefined): Promise<void> {
  if (!password) throw new CallError('unauthorized', `The Secret of user ${name} must have a password`);
  await changing.ask('alterScramCredentials', [[], [{ name, ...(await scramCredential(password)) }]]);
}

async function deletePassword(changing: KafkaSession, name: string): Promise<void> {
  const deletions = [{ name, mechanism: scramSha512 }];
  const { results } = await changing.ask('alterScramCredentials', [deletions, []], { partly: true });
  const [result] = results;
  if (result && result.errorCode !== 0 && result.errorCode !== notFound)
    throw changing.refusal(result.errorCode, result.errorMessage);
}

/** Rules are added before others are removed, so that no right is missing in between. */
async function setAcls(
  changing: KafkaSession,
  user: string,
  { add, remove }: { readonly add: readonly Acl[]; readonly remove: readonly Acl[] },
): Promise<void> {
  const [added, removed] = [add, remove].map((acls) => acls.map((acl) => known(user, acl)));
  if (added && added.length > 0) await changing.ask('createAcls', [added] as never);
  if (removed && removed.length > 0) await changing.ask('deleteAcls', [removed] as never);
}

function known(user: string, acl: Acl): WireAcl {
  const wire = wireAcl(user, acl);
  if (wire) return wire;
  throw new CallError('terminal', `Kafka has no operation ${acl.operation}`);
}

/** Absent quotas are removed. */
async function setQuotas(changing: KafkaSession, user: string, quotas: Quotas): Promise<void> {
  const values = {
    producer_byte_rate: quotas.producerByteRate,
    consumer_byte_rate: quotas.consumerByteRate,
    request_percentage: quotas.requestPercentage,
  } as const;
  const keys = Object.keys(values) as (keyof typeof values)[];
  const ops = keys.map((key) => {
    const value = values[key];
    return value === undefined ? { key, remove: true as const } : { key, value, remove: false as const };
  });
  await changing.ask('alterQuotas', [[{ entities: [{ entityType: 'user', entityName: user }], ops }], false]);
}
