import type { LoginPair } from '../../controllers/secret-rotation/ports/logins.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { Query } from './postgres-session.js';
import { scramVerifier } from './scram-verifier.js';

type Changed = Pick<LoginPair, 'owner' | 'mark'> & { readonly login: string };

/** Creates a login or sets its password, in one transaction. A repetition changes nothing but the salt of the password. */
export async function allowLogin({ login, owner, mark }: Changed, password: string, query: Query): Promise<void> {
  const verifier = literal(await scramVerifier(password));
  const [role, group] = [identifier(login), identifier(owner)];
  await inTransaction(query, async () => {
    const found = await ownRole({ login, mark }, query);
    if (!found) await query(`CREATE ROLE ${role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION`);
    await query(`COMMENT ON ROLE ${role} IS ${literal(mark)}`);
    await query(`GRANT ${group} TO ${role}`);
    // What the login creates belongs to the owner, so that the next login can change it.
    await query(`ALTER ROLE ${role} SET role = ${literal(owner)}`);
    await query(`ALTER ROLE ${role} LOGIN PASSWORD ${verifier}`);
  });
}

/**
 * Takes the password of a login, and lets it log in no longer. Its objects and its membership stay.
 * @throws {CallError} if a session of it is open
 */
export async function refuseLogin({ login, mark }: Changed, query: Query): Promise<void> {
  const role = identifier(login);
  await inTransaction(query, async () => {
    const found = await ownRole({ login, mark }, query);
    if (!found) return;
    const sessions = await query('SELECT FROM pg_stat_activity WHERE usename = $1', [login]);
    if (sessions.length > 0)
      throw new CallError('retryable', `sessions of role ${login} are open`, { mayHaveEffect: false });
    await query(`ALTER ROLE ${role} NOLOGIN PASSWORD NULL`);
  });
}

/**
 * Whether a role exists.
 * @throws {CallError} if it exists and has another comment. Whoever created it may need it
 */
async function ownRole({ login, mark }: Omit<Changed, 'owner'>, query: Query): Promise<boolean> {
  const [role] = await query(`SELECT shobj_description(oid, 'pg_authid') AS comment FROM pg_roles WHERE rolname = $1`, [
    login,
  ]);
  if (role && role['comment'] !== mark)
    throw new CallError('terminal', `role ${login} exists, and this SecretRotation has not created it`);
  return role !== undefined;
}

async function inTransaction(query: Query, change: () => Promise<void>): Promise<void> {
  await query('BEGIN');
  await withoutTraces(query);
  await change();
  await query('COMMIT');
}

/** The settings that keep the verifier of a password out of the log and the statistics. Only a superuser may set them. */
async function withoutTraces(query: Query): Promise<void> {
  const [user] = await query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
  if (user?.['rolsuper'] !== true) return;
  await query("SET LOCAL log_statement = 'none'");
  await query('SET LOCAL log_min_duration_statement = -1');
  await query("SET LOCAL log_min_error_statement = 'panic'");
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names and verifiers have no backslash, so a plain literal is enough. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
