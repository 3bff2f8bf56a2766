import {
  acmeAccount,
  acmeOrder,
  type OrderPurpose,
  type OrderRequest,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import type { Provided } from '../../../../operator/runtime/index.js';
import { type ContractCheck, MemoryPort, portContract } from '../../../../operator/testing/index.js';
import { account, accountModel, blockedName, orderModel, server } from './acme-models.js';

/** Ports of an ACME server, as the models name its parts. */
export interface AcmeSystem {
  readonly accounts: Provided;
  readonly orders: Provided;
}

const purpose: OrderPurpose = { id: 'an-id', names: ['a.example.com'] };
const create: Extract<OrderRequest, { act: 'create' }> = { ...account, ...purpose, act: 'create' };
const url = 'https://acme.example.com/order/1';
const respond: OrderRequest = {
  ...{ ...account, act: 'respond', order: url },
  authorization: 'https://acme.example.com/authorization/1-1',
  challenge: 'https://acme.example.com/challenge/1-1/http-01',
};

/**
 * What holds for the real server and for its models: each step of an order, once and twice.
 * @param start a system with an account but without orders, and all responses in place. `bare`: without the account
 */
export function acmeContract(
  start: (of: 'bare' | 'registered') => Promise<AcmeSystem>,
  { csr = 'a-csr', visibleWithin = 0 }: { readonly csr?: string; readonly visibleWithin?: number } = {},
): readonly ContractCheck[] {
  const finalize: OrderRequest = { ...account, act: 'finalize', order: url, csr };
  const question = { ...account, ...purpose };
  const after = (...requests: readonly OrderRequest[]) => {
    const model = new MemoryPort(orderModel());
    for (const request of requests) void model.perform(request);
    return model.answerTo(question) as never;
  };
  const started = async (...requests: readonly OrderRequest[]) => {
    const { orders } = await start('registered');
    for (const request of requests)
      await sent(orders, request, question, after(...requests.slice(0, requests.indexOf(request) + 1)));
    return orders;
  };
  const step = (request: OrderRequest, ...earlier: readonly OrderRequest[]) =>
    portContract({
      ...{ port: acmeOrder, start: () => started(...earlier), question, request, visibleWithin },
      ...{ before: after(...earlier), after: after(...earlier, request) },
      refused: { ...create, id: 'another-id', names: [blockedName] },
    }).map(({ name, holds }) => ({ name: `an order after ${earlier.length} requests ${name}`, holds }));
  const accounts = new MemoryPort(accountModel);
  const before = accounts.answerTo(server) as never;
  const register = { ...server, email: 'admin@example.com' };
  void accounts.perform(register);
  return [
    ...portContract({
      ...{ port: acmeAccount, start: async () => (await start('bare')).accounts, question: server },
      ...{ before, request: register, after: accounts.answerTo(server) as never },
    }).map(({ name, holds }) => ({ name: `an account ${name}`, holds })),
    ...step(create),
    ...step(respond, create),
    ...step(finalize, create, respond),
  ];
}

/** Sends a request, and waits for its effect. */
async function sent(
  { source, performer }: Provided,
  request: unknown,
  question: unknown,
  answer: unknown,
): Promise<void> {
  const options = { signal: new AbortController().signal, mayLeave: () => {} };
  await performer?.perform(request as never, options);
  while (JSON.stringify(await source(question as never, options)) !== JSON.stringify(answer));
}
