import {
  type KeptLogin,
  type LoginPair,
  type LoginState,
  type LoginsAnswer,
  type LoginsQuestion,
  type LoginsRequest,
  logins,
} from '../../controllers/secret-rotation/ports/logins.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import { readSecret } from '../../runtime/external/secret-access.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { allowLogin, refuseLogin } from './login-changes.js';
import { type Query, type SessionAccess, sqlState, withSession } from './postgres-session.js';

/**
 * Manages the logins of rotations in PostgreSQL. Nothing stays connected between two polls.
 * @param addresses the hosts that users may write into resources
 */
export function loginsFrom(cluster: Pick<Cluster, 'read'>, addresses: Pick<AllowedAddresses, 'lookupFor'>): Provided {
  const access = async (pair: LoginPair, signal: AbortSignal): Promise<SessionAccess> => {
    const lookup = pair.isStated ? addresses.lookupFor(pair.host) : undefined;
    return { ...(await administratorOf(pair, { cluster, signal })), lookup };
  };
  return provided(
    logins,
    async (question, { signal, secret }) =>
      answerOf(question, { secret, signal, admin: await access(question, signal) }),
    {
      perform: async (request, options) => {
        const admin = await access(request, options.signal);
        await change(request, options, admin);
      },
      concurrency: 8,
      callsPerSecond: 20,
    },
  );
}

/** The administrator, from the Secrets that a pair names. */
async function administratorOf(
  { namespace, admin, authority, host, port, database }: LoginPair,
  { cluster, signal }: { readonly cluster: Pick<Cluster, 'read'>; readonly signal: AbortSignal },
): Promise<SessionAccess> {
  const read = (name: string) => readSecret(cluster, { namespace, name }, signal);
  const own = await read(admin);
  const trusted = authority === admin ? own : await read(authority);
  const { username, password } = own;
  if (!username || !password)
    throw new CallError('unauthorized', `Secret ${admin} must have the keys username and password; add them`);
  return { host, port, database, username, password, authority: trusted['ca.crt'] };
}

interface Asked {
  readonly admin: SessionAccess;
  readonly secret?: SecretData | undefined;
  readonly signal: AbortSignal;
}

async function answerOf(question: LoginsQuestion, { admin, secret, signal }: Asked): Promise<LoginsAnswer> {
  const rows = await withSession(admin, signal, (query) => rolesAmong(question.logins, query));
  const roles = Object.fromEntries(rows.map((row) => [String(row['name']), stateOf(row, question.mark)]));
  const accepts: { current?: boolean; next?: boolean } = {};
  for (const slot of ['current', 'next'] as const) {
    const kept = question[slot];
    if (!kept) continue;
    const password = passwordOf(kept, slot, secret);
    const as = { ...admin, username: kept.login, password };
    // A server delays and logs a refused login, so one that cannot succeed is not tried.
    accepts[slot] = roles[kept.login]?.canLogin === true && (await isAccepted(as, question.owner, signal));
  }
  return { roles, accepts, ...(admin.authority !== undefined && { authority: admin.authority }) };
}

function rolesAmong(names: readonly string[], query: Query) {
  return query(
    `SELECT rolname AS name, rolcanlogin AS "canLogin", shobj_description(oid, 'pg_authid') AS comment,
       EXISTS (SELECT FROM pg_stat_activity WHERE usesysid = oid) AS "inUse"
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [names],
  );
}

function stateOf(row: Readonly<Record<string, unknown>>, mark: string): LoginState {
  return { isOurs: row['comment'] === mark, canLogin: row['canLogin'] === true, inUse: row['inUse'] === true };
}

/**
 * The password in the Secret that the operator keeps. The hash of the question was made of the login and the password, so
 * a Secret that has changed since has another login or is asked again.
 */
function passwordOf({ login }: KeptLogin, slot: 'current' | 'next', secret: SecretData = {}): string {
  const password = secret[`${slot}.password`];
  if (!password || secret[`${slot}.username`] !== login)
    throw new CallError('retryable', 'The kept credential has changed meanwhile', { mayHaveEffect: false });
  return password;
}

/** Whether a session starts, with the rights of the owner. @throws the error of a server that does not tell */
async function isAccepted(access: SessionAccess, owner: string, signal: AbortSignal): Promise<boolean> {
  try {
    const rows = await withSession(access, signal, (query) => query('SELECT current_user AS name'));
    return rows[0]?.['name'] === owner;
  } catch (error) {
    // invalid_password, invalid_authorization_specification, and a role that may not be set
    if (['28P01', '28000', '42501'].includes(sqlState(error) ?? '')) return false;
    throw error;
  }
}

async function change(request: LoginsRequest, options: PerformOptions, admin: SessionAccess): Promise<void> {
  const { signal, mayLeave, secret } = options;
  const password = request.act === 'allow' ? passwordOf(request, request.slot, secret) : undefined;
  try {
    await withSession(admin, signal, async (query) => {
      mayLeave();
      if (password === undefined) await refuseLogin(request, query);
      else await allowLogin(request, password, query);
    });
  } catch (error) {
    throw callErrorOf(error);
  }
}

/** The server's own words, with the kind of the failure. */
function callErrorOf(error: unknown): unknown {
  const state = sqlState(error);
  if (error instanceof CallError || state === undefined) return error;
  const { message } = error as Error;
  // An administrator that cannot log in, or that lacks a privilege.
  if (state.startsWith('28') || state === '42501') return new CallError('unauthorized', message);
  return new CallError('retryable', message);
}
