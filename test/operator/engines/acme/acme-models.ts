import {
  type AcmeAuthorization,
  type AcmeChallenge,
  type AcmeOrder,
  type AcmeServer,
  acmeAccount,
  acmeOrder,
  type OrderPurpose,
  type OrderQuestion,
  type OrderRequest,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { portModel } from '../../../../operator/testing/index.js';

/** The server of the models. */
export const server: AcmeServer = { directory: 'https://acme.example.com/dir' };
const at = (path: string) => `https://acme.example.com/${path}`;
/** The only account, which the model of orders has from the start. */
export const account = { ...server, account: at('account') };

/** A name that the server never issues for. */
export const blockedName = 'blocked.example.com';

/** An account: none at first. */
export const accountModel = portModel(acmeAccount, {
  state: {} as { readonly contact?: readonly string[] },
  answer: ({ contact }) => ({
    ...(contact && { account: { url: account.account, status: 'valid' as const, contact } }),
    ...{ publicKey: { kty: 'EC' }, termsOfService: at('terms'), requiresExternalAccount: false },
    profiles: { classic: 'classic', shortlived: 'shortlived' },
  }),
  perform: (_none, { email }) => ({ contact: email === undefined ? [] : [`mailto:${email}`] }),
  showsWithin: 0,
});

/** Orders by what they are for. */
interface Orders {
  readonly [purpose: string]: AcmeOrder;
}

/** Options of a model of orders. */
export interface OrderModelProps {
  /** The certificate of a signing request, PEM. @default 'PEM' */
  readonly issue?: (csr: string) => string;
  /** The problem of each name whose validation fails. @default - all names are valid */
  readonly failures?: Readonly<Record<string, { readonly type: string; readonly detail: string }>>;
}

/** Orders of one account. A validation is done at once, as is the issuance. */
export function orderModel({ issue = () => 'PEM', failures = {} }: OrderModelProps = {}) {
  const answered = (order: AcmeOrder): AcmeOrder =>
    order.status === 'pending' || order.status === 'invalid' ? order : { ...order, authorizations: [] };
  return portModel(acmeOrder, {
    state: {} as Orders,
    answer: (orders, question: OrderQuestion) => {
      const { order: url } = question;
      const order = orders[keyOf(question)] ?? Object.values(orders).find((one) => one.url === url);
      if (order) return { order: answered(order) };
      return url === undefined ? {} : { isGone: true as const };
    },
    perform: (orders, request) => {
      if (request.act === 'create')
        return { [keyOf(request)]: created(request, Object.keys(orders).length + 1), ...orders };
      const found = Object.entries(orders).find(([, { url }]) => url === request.order);
      if (!found) throw new CallError('terminal', 'malformed: no such order');
      const [key, order] = found;
      return { ...orders, [key]: changed(order, request, { issue, failures }) };
    },
    showsWithin: 0,
  });
}

function keyOf({ id, names, profile }: OrderPurpose): string {
  return JSON.stringify([id, names, profile]);
}

function created({ names }: OrderPurpose, number: number): AcmeOrder {
  if (names.includes(blockedName)) throw new CallError('terminal', `rejectedIdentifier: ${blockedName}`);
  const url = at(`order/${number}`);
  const authorizations = names.map((name, index): AcmeAuthorization => {
    const own = `${number}-${index + 1}`;
    const isWildcard = name.startsWith('*.');
    const challenges = [challenge('dns-01', own), ...(isWildcard ? [] : [challenge('http-01', own)])];
    const host = isWildcard ? name.slice(2) : name;
    return { url: at(`authorization/${own}`), name: host, isWildcard, status: 'pending', challenges };
  });
  return { url, status: 'pending', names, authorizations };
}

function challenge(type: AcmeChallenge['type'], of: string): AcmeChallenge {
  const token = `token-${of}`;
  const own = { type, url: at(`challenge/${of}/${type}`), status: 'pending' as const, token };
  return { ...own, keyAuthorization: `${token}.key`, ...(type === 'dns-01' && { record: `record-${of}` }) };
}

function changed(
  order: AcmeOrder,
  request: Exclude<OrderRequest, { act: 'create' }>,
  { issue, failures }: Required<OrderModelProps>,
): AcmeOrder {
  if (request.act === 'finalize') {
    if (order.status === 'pending') throw new CallError('retryable', 'orderNotReady', { mayHaveEffect: false });
    return order.status === 'ready' ? { ...order, status: 'valid', chain: issue(request.csr) } : order;
  }
  const authorizations = order.authorizations.map((one): AcmeAuthorization => {
    if (one.url !== request.authorization || one.status !== 'pending') return one;
    const problem = failures[one.name];
    const status = problem ? 'invalid' : 'valid';
    const challenges = one.challenges.map((of) =>
      of.url === request.challenge ? { ...of, status, ...(problem && { problem }) } : of,
    );
    return { ...one, status, challenges: challenges as readonly AcmeChallenge[] };
  });
  const states = new Set(authorizations.map(({ status }) => status));
  const status = states.has('invalid') ? 'invalid' : states.has('pending') ? 'pending' : 'ready';
  return { ...order, authorizations, status: order.status === 'pending' ? status : order.status };
}
