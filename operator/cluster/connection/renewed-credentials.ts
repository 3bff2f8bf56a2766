import { isDeepStrictEqual } from 'node:util';
import type { Credentials } from './connection.js';
import { withDeadline } from './deadline.js';

/** Milliseconds for which credentials are used. Replaced credentials usually stay valid for longer. */
const last = 60_000;
/** Milliseconds after which a failed read is repeated, while the old credentials are used. */
const triedAgainAfter = 5_000;
/** Milliseconds that callers wait for a read while there are old credentials. A lease is renewed within ten seconds. */
const awaited = 3_000;
/** Milliseconds after which a read is abandoned and repeated. A plugin may ask a person to log in. */
const givenUpAfter = 60_000;

/**
 * Credentials that are read again when they are a minute old, once for all concurrent callers. Unchanged credentials
 * stay the same value. If a read fails or takes long (for example, a file that is being replaced, or a plugin without a
 * network), the old ones stay in use. The API server decides whether they are still valid.
 * @param monotonic milliseconds. @default performance.now
 */
export function renewedCredentials(
  read: () => Promise<Credentials>,
  monotonic: () => number = () => performance.now(),
): () => Credentials | Promise<Credentials> {
  let kept: { readonly credentials: Credentials; readonly until: number } | undefined;
  let reading: Promise<Credentials> | undefined;
  const renew = async () => {
    const old = kept?.credentials;
    try {
      const fresh = await withDeadline(read(), { within: givenUpAfter, what: 'credentials' });
      const credentials = isDeepStrictEqual(old?.tls, fresh.tls) && old ? { ...fresh, tls: old.tls } : fresh;
      kept = { credentials, until: monotonic() + last };
    } catch (error) {
      if (!old) throw error;
      kept = { credentials: old, until: monotonic() + triedAgainAfter };
    }
    return kept.credentials;
  };
  const begun = () => {
    const old = kept?.credentials;
    const whole = renew();
    const done = () => {
      reading = undefined;
    };
    whole.then(done, done);
    return old ? withDeadline(whole, { within: awaited, what: 'credentials' }).catch(() => old) : whole;
  };
  return () => {
    if (kept && monotonic() < kept.until) return kept.credentials;
    reading ??= begun();
    return reading;
  };
}
