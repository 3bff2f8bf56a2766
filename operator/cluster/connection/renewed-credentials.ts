import { isDeepStrictEqual } from 'node:util';
import type { Credentials } from './connection.js';
import { withDeadline } from './deadline.js';

/** Milliseconds for which credentials are used: who replaces them leaves the old ones valid for longer. */
const last = 60_000;
/** Milliseconds after which a read that failed is tried again, while the old credentials are used. */
const triedAgainAfter = 5_000;
/** Milliseconds that those who ask wait for a read while there are old credentials: a lease is renewed within ten seconds. */
const awaited = 3_000;
/** Milliseconds after which a read is given up, so that another is made: a plug-in may ask a person to log in. */
const givenUpAfter = 60_000;

/**
 * Credentials that are read anew when they are a minute old, once for all who ask meanwhile. What did not change stays
 * the same value. A read that fails, or takes long (a file that is being replaced, a plug-in without a network), leaves the
 * old ones in use: whether they still hold, the API server tells.
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
