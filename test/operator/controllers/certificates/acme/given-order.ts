import type { OrderState } from '../../../../../operator/controllers/certificates/acme/order-progress.js';
import type {
  AcmeAuthorization,
  AcmeChallenge,
  AcmeOrder,
} from '../../../../../operator/controllers/certificates/ports/acme.js';

export const account = { directory: 'https://acme.example.com/dir', account: 'https://acme.example.com/account/1' };
export const url = 'https://acme.example.com/order/1';
export const recorded = { url, account: account.account };
export const now = Date.parse('2030-01-01T12:00:00Z');

export function givenChallenge(type: AcmeChallenge['type'], of: Partial<AcmeChallenge> = {}): AcmeChallenge {
  const own = {
    type,
    url: `https://acme.example.com/challenge/${type}`,
    token: 'a-token',
    keyAuthorization: 'a-token.a-key',
  };
  return { ...own, status: 'pending', ...(type === 'dns-01' && { record: 'a-value' }), ...of };
}

export function givenAuthorization(name: string, of: Partial<AcmeAuthorization> = {}): AcmeAuthorization {
  const challenges = [givenChallenge('http-01'), givenChallenge('dns-01')];
  const own = { url: `https://acme.example.com/authorization/${name}`, name, isWildcard: false, challenges };
  return { ...own, status: 'pending', ...of };
}

export function givenOrder(status: AcmeOrder['status'], of: Partial<AcmeOrder> = {}): AcmeOrder {
  return { url, status, names: ['a.example.com'], authorizations: [], ...of };
}

/** The facts of a certificate for a.example.com whose order is recorded, and whose responses are in place and visible. */
export function givenFacts(of: Partial<OrderState> = {}): OrderState {
  return {
    ...{ account, uid: 'a-uid', revision: 3, failures: { count: 0, last: 0 }, names: ['a.example.com'], recorded, now },
    ...{ csr: 'a-csr', solvers: [{ http01: {} }], answer: {}, presentedSince: now - 1_000 },
    visibilityOf: () => ({ isVisible: true }),
    ...of,
  };
}
