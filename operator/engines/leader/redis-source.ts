import { leaderRedis, type RedisAnswer, type RedisQuestion } from '../../controllers/leader/ports/redis.js';
import { failureOf } from '../../egress/connections.js';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { checkPodAddress, type PodAccess } from './pod-request.js';
import { type RedisValue, redisAnswers } from './redis-client.js';

/** Milliseconds for one client's visit. */
const patience = 3_000;
/** The key with the term, which the launcher of the leader writes. */
const termKey = 'reconstruct:leader:term';

/** Visits the leader as a client does. */
export function redisFrom(access: PodAccess): Provided {
  return provided(leaderRedis, async (question: RedisQuestion, { signal: outer, secret }): Promise<RedisAnswer> => {
    checkPodAddress(question.address, access);
    outer.throwIfAborted();
    const login = question.hasPassword ? loginOf(secret) : [];
    if (typeof login === 'string') return { state: 'failed', why: login };
    const { signal, abort, release } = linked(outer);
    const cancel = access.clock.after(patience, () => abort(new Error(`no answer within ${patience} ms`)));
    try {
      return answerOf(
        await redisAnswers(question, [...login, ['PING'], ['ROLE'], ['GET', termKey]], signal),
        login.length,
      );
    } catch (error) {
      outer.throwIfAborted();
      return { state: 'failed', why: failureOf(signal.aborted ? signal.reason : error) };
    } finally {
      cancel();
      release();
    }
  });
}

/** The command that logs in, or why there is none. */
function loginOf(secret: SecretData | undefined): readonly (readonly string[])[] | string {
  const password = secret?.['password'];
  if (!password) return 'the Secret has no key password';
  const { username } = secret;
  return [username ? ['AUTH', username, password] : ['AUTH', password]];
}

function answerOf(answers: readonly RedisValue[], logins: number): RedisAnswer {
  const refused = answers.find((one) => one instanceof Error);
  // The server's words on a login never have the password.
  if (refused) return { state: 'failed', why: refused.message };
  const [ping, role, term] = answers.slice(logins);
  const kind = Array.isArray(role) ? role[0] : undefined;
  if (ping !== 'PONG' || (kind !== 'master' && kind !== 'slave'))
    return { state: 'failed', why: 'the server answers PING or ROLE in an unknown way' };
  const number = Number(term ?? Number.NaN);
  return {
    state: 'serving',
    role: kind === 'master' ? 'leader' : 'replica',
    ...(Number.isSafeInteger(number) && number >= 0 && { term: number }),
  };
}
