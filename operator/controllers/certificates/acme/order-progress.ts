import type {
  AcmeAccount,
  AcmeAuthorization,
  AcmeChallenge,
  AcmeOrder,
  OrderAnswer,
  OrderPurpose,
  OrderQuestion,
  OrderRequest,
  VisibilityAnswer,
} from '../ports/acme.js';
import { type FailedOrders, retryTime } from './retries.js';
import { type AcmeSolver, challengeTypeOf, solverFor } from './solvers.js';

/** An order as the status of a Certificate records it. */
export interface RecordedOrder {
  /** URL. */
  readonly url: string;
  /** URL of the account that created it. */
  readonly account: string;
  /** @default - the server chose */
  readonly profile?: string;
}

/** What identifies the order that a certificate needs. */
export interface WantedOrder {
  readonly account: AcmeAccount;
  /** UID of the Certificate. */
  readonly uid: string;
  /** The number of the certificate to issue. */
  readonly revision: number;
  readonly failures: FailedOrders;
  /** DNS names and IP addresses. Each has a solver: see {@link solverProblem}. */
  readonly names: readonly string[];
  /** @default - the server chooses */
  readonly profile?: string | undefined;
  /** Identifier of the certificate that the order renews. @default - none */
  readonly replaces?: string | undefined;
  /** @default - none is recorded */
  readonly recorded?: RecordedOrder | undefined;
}

/** What the progress of an order follows from. */
export interface OrderState<S extends AcmeSolver = AcmeSolver> extends WantedOrder {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Certificate signing request, PEM. */
  readonly csr: string;
  readonly solvers: readonly S[];
  /** The answer to the {@link orderQuestion}. Undefined if it is not known. */
  readonly answer: OrderAnswer | undefined;
  /** Whether the response to a challenge is visible. Undefined if it is not known. */
  readonly visibilityOf: (challenge: AcmeChallenge) => VisibilityAnswer | undefined;
  /** Since when all responses are in place, in milliseconds since 1970. Undefined if one is not. */
  readonly presentedSince: number | undefined;
}

/** A response to a challenge that must be in place. */
export interface ChallengeResponse<S extends AcmeSolver = AcmeSolver> {
  readonly name: string;
  readonly isWildcard: boolean;
  readonly solver: S;
  readonly challenge: AcmeChallenge;
}

/** How far an order got, and what continues it. */
export interface OrderProgress<S extends AcmeSolver = AcmeSolver> {
  readonly reason: 'Ordering' | 'Presenting' | 'Validating' | 'Finalizing' | 'Issued' | 'OrderFailed' | 'Retrying';
  /** For people. */
  readonly message: string;
  /** The responses that must be in place, and no others. `unchanged`: those that are, because the order is not known. */
  readonly responses: readonly ChallengeResponse<S>[] | 'unchanged';
  /** The calls to render, by their names. */
  readonly calls: Readonly<Record<string, OrderRequest>>;
  /** The order to record in the status before anything else. @default - the recorded one stays */
  readonly record?: RecordedOrder;
  /** Whether the order failed. The status then counts it with its time and the message, and no longer records the order. */
  readonly hasFailed?: true;
  /** The certificate and its chain, PEM, to check. */
  readonly chain?: string;
  /** When to look again at the latest, in milliseconds since 1970. @default - a new answer triggers it */
  readonly recheckAt?: number;
}

/** Milliseconds after which a challenge is answered although its response is not visible from here, such as behind NAT. */
export const visibilityPatience = 10 * 60_000;

/** What to ask about the order of a certificate. An order of another account cannot be read. */
export function orderQuestion(wanted: WantedOrder): OrderQuestion {
  const { account, profile, recorded } = wanted;
  const isOwn = recorded?.account === account.account && recorded.profile === profile;
  return { ...account, ...purposeOf(wanted), ...(isOwn && { order: recorded.url }) };
}

function purposeOf({ uid, revision, failures, names, profile }: WantedOrder): OrderPurpose {
  return { id: `${uid}/${revision}/${failures.count}`, names, ...(profile !== undefined && { profile }) };
}

/** The progress of an order. An answer that is not known is no reason to act. */
export function progressOf<S extends AcmeSolver>(state: OrderState<S>): OrderProgress<S> {
  const { answer } = state;
  if (!answer) return { ...waiting('Ordering', 'Waiting for an answer of the ACME server'), responses: 'unchanged' };
  if (answer.isGone) return failed('The ACME server no longer has the order');
  const { order } = answer;
  if (!order || !isFor(order, state)) return creation(state);
  return { ...progressByStatus(order, state), ...recording(order, state) };
}

function progressByStatus<S extends AcmeSolver>(order: AcmeOrder, state: OrderState<S>): OrderProgress<S> {
  switch (order.status) {
    case 'pending':
      return validation(order, state);
    case 'ready': {
      const finalize = { ...state.account, act: 'finalize' as const, order: order.url, csr: state.csr };
      return { ...waiting('Finalizing', 'Requesting the certificate'), calls: { finalize } };
    }
    case 'processing':
      return waiting('Finalizing', 'The ACME server issues the certificate');
    case 'valid':
      return {
        ...waiting('Issued', 'The ACME server issued the certificate'),
        ...(order.chain && { chain: order.chain }),
      };
    case 'invalid':
      return failed(failureOf(order));
  }
}

/** False for the order of an earlier spec, which is left to expire. */
function isFor({ names }: AcmeOrder, wanted: WantedOrder): boolean {
  const sorted = (list: readonly string[]) => JSON.stringify(list.map((name) => name.toLowerCase()).toSorted());
  return sorted(names) === sorted(wanted.names);
}

function creation<S extends AcmeSolver>(state: OrderState<S>): OrderProgress<S> {
  const { account, failures, now, replaces } = state;
  const recheckAt = retryTime(failures, now);
  if (failures.count > 0 && now < recheckAt) {
    const message = 'The last order failed, waiting before the next one';
    return { ...waiting('Retrying', message), recheckAt };
  }
  const renewal = replaces !== undefined && { replaces };
  const create = { ...account, ...purposeOf(state), ...renewal, act: 'create' as const };
  return { ...waiting('Ordering', 'Creating an order'), calls: { order: create } };
}

function validation<S extends AcmeSolver>(order: AcmeOrder, state: OrderState<S>): OrderProgress<S> {
  const pending = order.authorizations.filter(({ status }) => status === 'pending');
  const found = pending.map((authorization) => ({ authorization, response: responseTo(authorization, state.solvers) }));
  const unsolvable = found.find(({ response }) => !response);
  if (unsolvable)
    return failed(`The ACME server offers no challenge for ${nameOf(unsolvable.authorization)} that a solver solves`);
  const open = found.flatMap(({ authorization, response }) => (response ? [{ authorization, response }] : []));
  const hidden = open.filter(
    ({ response: { challenge } }) => challenge.status === 'pending' && !isDue(challenge, state),
  );
  const due = open.filter(({ response: { challenge } }) => challenge.status === 'pending' && isDue(challenge, state));
  const calls = due.map(({ authorization, response }) => {
    const { url: challenge } = response.challenge;
    const respond = { ...state.account, act: 'respond' as const, order: order.url, challenge };
    return [`validate-${nameOf(authorization)}`, { ...respond, authorization: authorization.url }] as const;
  });
  const [first] = hidden;
  const { presentedSince } = state;
  return {
    ...(first
      ? waiting<S>('Presenting', presentingMessage(first.response, state))
      : waiting<S>('Validating', 'The ACME server validates the names')),
    responses: open.map(({ response }) => response),
    calls: Object.fromEntries(calls),
    ...(first && presentedSince !== undefined && { recheckAt: presentedSince + visibilityPatience }),
  };
}

function responseTo<S extends AcmeSolver>(
  { name, isWildcard, challenges }: AcmeAuthorization,
  solvers: readonly S[],
): ChallengeResponse<S> | undefined {
  const solver = solverFor({ name, isWildcard }, solvers);
  const challenge = solver && challenges.find((one) => one.type === challengeTypeOf(solver) && isUsable(one));
  return solver && challenge && { name, isWildcard, solver, challenge };
}

/** Characters of each text of a challenge in a status. */
const longest = 1024;

/**
 * Whether a challenge can be recorded, and its token can be in a path: RFC 8555 allows only the base64url alphabet. A
 * server could otherwise choose which requests of a host reach the operator.
 */
function isUsable({ token, url, keyAuthorization }: AcmeChallenge): boolean {
  return /^[-\w]+$/.test(token) && [token, url, keyAuthorization].every(({ length }) => length <= longest);
}

/** Only the validation of the server counts. A check from here that fails for long delays it, and does not prevent it. */
function isDue(challenge: AcmeChallenge, { visibilityOf, presentedSince, now }: OrderState): boolean {
  if (presentedSince === undefined) return false;
  return visibilityOf(challenge)?.isVisible === true || now >= presentedSince + visibilityPatience;
}

function presentingMessage({ challenge, ...response }: ChallengeResponse, { visibilityOf }: OrderState): string {
  const seen = visibilityOf(challenge);
  const why = seen && !seen.isVisible ? `: ${seen.why}` : '';
  return `The response to the ${challenge.type} challenge for ${nameOf(response)} is not visible yet${why}`;
}

/** The words of the server: those on the challenges, which are more precise, or those on the order. */
function failureOf({ authorizations, problem }: AcmeOrder): string {
  const failures = authorizations.flatMap((authorization) =>
    authorization.challenges.flatMap(({ problem: of }) =>
      of ? [`${nameOf(authorization)}: ${of.type}: ${of.detail}`] : [],
    ),
  );
  const words = failures.length > 0 ? failures.toSorted() : problem ? [`${problem.type}: ${problem.detail}`] : [];
  return words.length > 0 ? `The order failed: ${words.join('; ')}` : 'The order failed';
}

function nameOf({ name, isWildcard }: { readonly name: string; readonly isWildcard: boolean }): string {
  return isWildcard ? `*.${name}` : name;
}

/** An order is recorded as soon as its URL is known, because a new process cannot find it otherwise. */
function recording({ url, status }: AcmeOrder, { account: { account }, profile, recorded }: WantedOrder) {
  const isRecorded = recorded?.url === url && recorded.account === account && recorded.profile === profile;
  if (isRecorded || status === 'invalid') return {};
  return { record: { url, account, ...(profile !== undefined && { profile }) } };
}

function waiting<S extends AcmeSolver>(reason: OrderProgress['reason'], message: string): OrderProgress<S> {
  return { reason, message, responses: [], calls: {} };
}

function failed<S extends AcmeSolver>(message: string): OrderProgress<S> {
  return { ...waiting<S>('OrderFailed', message), hasFailed: true };
}
