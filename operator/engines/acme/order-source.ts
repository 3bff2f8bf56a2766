import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Authorization, Client, Order } from 'acme-client';
import {
  type AcmeAuthorization,
  type AcmeChallenge,
  type AcmeOrder,
  acmeOrder,
  type OrderAnswer,
  type OrderQuestion,
  type OrderRequest,
} from '../../controllers/certificates/ports/acme.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { type CallOptions, type ClientOptions, withClient } from './client.js';
import type { OrderMemory } from './order-memory.js';
import { ProblemError, problemIn } from './problems.js';

/** What the source of orders needs. */
export interface OrderSourceOptions extends ClientOptions {
  readonly memory: OrderMemory;
  /** Called for each HTTP-01 challenge that is pending. */
  readonly onHttpChallenge: (challenge: AcmeChallenge) => void;
}

/** Observes orders, and takes them from step to step. */
export function orderSource(options: OrderSourceOptions): Provided {
  return provided(acmeOrder, (question, call) => answerTo(question, call, options), {
    perform: (request, call) => performed(request, call, options),
  });
}

async function answerTo(question: OrderQuestion, call: CallOptions, options: OrderSourceOptions): Promise<OrderAnswer> {
  const { memory, clock } = options;
  // An order of this process is for this very purpose. The recorded one may be for an earlier spec.
  const url = memory.urlOf(question) ?? question.order;
  if (url === undefined) {
    call.signal.throwIfAborted();
    return {};
  }
  const held = memory.answerOf(url, clock.now());
  if (held) return held;
  const { value: answer, retryAfter } = await withClient(question, call, options, (client) => orderAt(url, client));
  const { status, authorizations = [] } = answer.order ?? {};
  const isMoving = status === 'pending' || status === 'processing';
  if (isMoving && retryAfter > 0) memory.hold(url, answer, { for: retryAfter, now: clock.now() });
  for (const challenge of authorizations.flatMap((one) => one.challenges))
    if (challenge.type === 'http-01' && challenge.status === 'pending') options.onHttpChallenge(challenge);
  return answer;
}

async function orderAt(url: string, client: Client): Promise<OrderAnswer> {
  const order = await found(() => client.getOrder({ url } as Order));
  if (!order) return { isGone: true };
  const isOfInterest = order.status === 'pending' || order.status === 'invalid';
  const authorizations = isOfInterest ? await client.getAuthorizations(order) : [];
  const problem = problemIn(order.error);
  const answer: AcmeOrder = {
    ...{ url, status: order.status, names: order.identifiers.map(({ value }) => value).toSorted() },
    ...(order.expires !== undefined && { expires: Date.parse(order.expires) }),
    ...(problem && { problem }),
    authorizations: await authorizationsOf(authorizations, client),
    ...(order.status === 'valid' && { chain: await client.getCertificate(order) }),
  };
  return { order: answer };
}

/** The order, unless the server no longer has it, or has it for another account. */
async function found(get: () => Promise<Order>): Promise<Order | undefined> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof ProblemError && (error.status === 404 || error.isOfType('unauthorized'))) return undefined;
    throw error;
  }
}

/** Sorted, because servers answer in any order, and an answer that changes causes a reconcile. */
async function authorizationsOf(
  authorizations: readonly Authorization[],
  client: Client,
): Promise<readonly AcmeAuthorization[]> {
  const all = await Promise.all(authorizations.map((one) => authorizationOf(one, client)));
  return all.toSorted((one, other) => (sortKeyOf(one) < sortKeyOf(other) ? -1 : 1));
}

function sortKeyOf({ name, isWildcard }: AcmeAuthorization): string {
  return `${name} ${isWildcard}`;
}

async function authorizationOf(authorization: Authorization, client: Client): Promise<AcmeAuthorization> {
  const { url, identifier, status, challenges, wildcard = false } = authorization;
  const solvable = await Promise.all(challenges.map((one) => challengeOf(one, client)));
  const sorted = solvable.flat().toSorted((one, other) => (one.type < other.type ? -1 : 1));
  return { url, name: identifier.value, isWildcard: wildcard, status, challenges: sorted };
}

async function challengeOf(
  challenge: Authorization['challenges'][number],
  client: Client,
): Promise<readonly AcmeChallenge[]> {
  const { type, url, status, token, error } = challenge;
  if (type !== 'http-01' && type !== 'dns-01') return [];
  const keyAuthorization = await client.getChallengeKeyAuthorization({ ...challenge, type: 'http-01' });
  const record = type === 'dns-01' && createHash('sha256').update(keyAuthorization).digest('base64url');
  const problem = problemIn(error);
  return [{ type, url, status, token, keyAuthorization, ...(record && { record }), ...(problem && { problem }) }];
}

async function performed(request: OrderRequest, call: CallOptions, options: OrderSourceOptions): Promise<void> {
  const { memory, clock } = options;
  if (request.act === 'create') {
    if (memory.urlOf(request) !== undefined) return call.signal.throwIfAborted();
    memory.check(request, clock.now());
  } else memory.release(request.order);
  try {
    await withClient(request, call, options, (client) => act(request, client, memory));
  } catch (error) {
    if (request.act === 'create' && error instanceof ProblemError) memory.refused(request, error, clock.now());
    throw error;
  }
}

async function act(request: OrderRequest, client: Client, memory: OrderMemory): Promise<void> {
  if (request.act === 'create') return create(request, client, memory);
  if (request.act === 'finalize') return finalize(request, client);
  const { authorization: url, challenge: wanted } = request;
  const [authorization] = await client.getAuthorizations({ authorizations: [url] } as unknown as Order);
  const challenge = authorization?.challenges.find((one) => one.url === wanted);
  // A server refuses a second response.
  if (authorization?.status === 'pending' && challenge?.status === 'pending') await client.completeChallenge(challenge);
}

async function create(
  request: Extract<OrderRequest, { act: 'create' }>,
  client: Client,
  memory: OrderMemory,
): Promise<void> {
  const { names, profile, replaces } = request;
  const identifiers = names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }));
  const content = { identifiers, ...(profile !== undefined && { profile }) };
  const { url } = await client
    .createOrder({ ...content, ...(replaces !== undefined && { replaces }) })
    .catch((error: unknown) => {
      if (replaces !== undefined && isAboutContent(error)) return client.createOrder(content);
      throw error;
    });
  memory.created(request, url);
}

/**
 * Whether the server may accept the order if it replaces no certificate, such as if the certificate has been replaced.
 * Servers use many types of problems for that.
 */
function isAboutContent(error: unknown): boolean {
  return error instanceof ProblemError && error.problem !== undefined && !isLimit(error);
}

function isLimit(error: ProblemError): boolean {
  return error.retryAfter !== undefined || error.isOfType('rateLimited');
}

async function finalize(
  { order: url, csr }: Extract<OrderRequest, { act: 'finalize' }>,
  client: Client,
): Promise<void> {
  const order = await client.getOrder({ url } as Order);
  if (order.status === 'ready') await client.finalizeOrder(order, csr);
  if (order.status === 'pending')
    throw new CallError('retryable', 'the order must be ready: all names must be validated', { mayHaveEffect: false });
  if (order.status === 'invalid')
    throw new CallError('terminal', problemIn(order.error)?.detail ?? 'the server no longer accepts the order');
}
