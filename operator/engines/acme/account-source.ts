import { createHmac } from 'node:crypto';
import { publicKeyOf } from '../../certificates/reading.js';
import {
  type AccountAnswer,
  accountKey,
  acmeAccount,
  externalAccountBinding,
  externalAccountKey,
} from '../../controllers/certificates/ports/acme.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { type ClientOptions, withClient } from './client.js';
import { ProblemError } from './problems.js';
import { directory, exchanging, type TransportOptions } from './transport.js';

/** Finds and creates accounts. */
export function accountSource(options: ClientOptions): Provided {
  return provided(
    acmeAccount,
    async (server, call) => {
      const answered = await withClient(server, call, options, async (client, acme): Promise<AccountAnswer> => {
        const found = await existing(() => client.createAccount({ onlyReturnExisting: true }));
        const { account, refusal } = found;
        const { meta } = await directory();
        return {
          ...(refusal !== undefined && { refusal }),
          ...(account && {
            account: { url: client.getAccountUrl(), status: account.status, contact: account.contact ?? [] },
          }),
          publicKey: { ...acme.crypto.getJwk(call.secret?.[accountKey] ?? '') },
          ...(meta?.termsOfService !== undefined && { termsOfService: meta.termsOfService }),
          requiresExternalAccount: meta?.externalAccountRequired === true,
          profiles: meta?.profiles ?? {},
        };
      });
      return answered.value;
    },
    {
      perform: async ({ email, binding, publicKey, ...server }, call) => {
        if (publicKey !== undefined && publicKeyOf(call.secret?.[accountKey] ?? '') !== publicKey)
          throw new CallError('retryable', 'the Secret has another private key by now', { mayHaveEffect: false });
        const contact = email === undefined ? [] : [`mailto:${email}`];
        await withClient(server, call, options, (client) =>
          client.createAccount({
            ...{ termsOfServiceAgreed: true, contact },
            ...(binding && { externalAccountBinding: binding }),
          }),
        );
      },
      announces: options.accounts.announces,
    },
  );
}

/** Signs the bindings of new accounts to external accounts. */
export function bindingSource(options: TransportOptions): Provided {
  return provided(externalAccountBinding, async ({ keyId, publicKey, ...server }, { signal, secret }) => {
    const key = secret?.[externalAccountKey];
    if (!key) {
      const what = `data[${externalAccountKey}] of the external account's Secret`;
      throw new CallError('unauthorized', `${what}: Required value: must be the HMAC key of the certificate authority`);
    }
    const { value: url } = await exchanging({ ...options, signal, mayLeave: () => {}, server }, newAccountUrl);
    const signed = { protected: encoded({ alg: 'HS256', kid: keyId, url }), payload: encoded(publicKey) };
    const hmac = createHmac('sha256', Buffer.from(key.trim(), 'base64url'));
    return { ...signed, signature: hmac.update(`${signed.protected}.${signed.payload}`).digest('base64url') };
  });
}

async function newAccountUrl(): Promise<string> {
  const { newAccount } = await directory();
  if (newAccount === undefined) throw new Error('the directory of the server has no newAccount: check its URL');
  return newAccount;
}

function encoded(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

/** An account, or why the server refuses the key. Empty if the server proves that it has no account. */
interface FoundAccount<T> {
  readonly account?: T;
  readonly refusal?: string;
}

/** Servers answer for a deactivated account with its status, or with this problem. */
async function existing<T>(find: () => Promise<T>): Promise<FoundAccount<T>> {
  try {
    return { account: await find() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.isOfType('accountDoesNotExist')) return {};
    if (error.isOfType('unauthorized')) return { refusal: error.message };
    throw error;
  }
}
