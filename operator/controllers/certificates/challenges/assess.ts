import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import {
  type Assessment,
  Ingress,
  isStoredAlike,
  type Outcome,
  pollFailureOf,
  type ResourceEvent,
  Service,
  timestampOf,
} from '../../../runtime/index.js';
import { type AcmeIssuer, issuerStateOf } from '../issuer-reference/issuer-state.js';
import { knownValues, recordSolverOf } from './record-solver.js';
import type { Responder } from './responder.js';
import { nextRecords, type RecordedChallenge, solverOf, type TxtRecord, wantedRecords } from './responses.js';
import {
  acmeIssuerOf,
  type ChallengesView,
  challengeName,
  challengesOf,
  httpRoute,
  isDeleting,
  recordsOf,
} from './view.js';

type Found = Assessment<CertificateResource, {}, 'responses' | 'records'>;
type Responses = NonNullable<CertificateStatus['responses']>;

/** The input of `assess`. */
type OutcomeView = ChallengesView & Pick<Outcome<CertificateResource>, 'calls'>;

/** Milliseconds: reconciles at once, because the next question follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports which responses are in place and visible, and records each TXT record before it is added or removed. */
export function assess(view: OutcomeView, responder: Responder | undefined): Found {
  const { status } = view.resource;
  const issuer = acmeIssuerOf(view);
  const { records, events } = recordsAfter(view, issuer);
  const responses = issuer ? responsesOf(view, { issuer, records, responder }) : status?.responses;
  const found = { ...(responses && { responses }), ...(records.length > 0 && { records }) };
  const before = { visible: status?.responses?.visible, since: status?.responses?.since, records: status?.records };
  const after = { visible: responses?.visible, since: responses?.since, records: found.records };
  const hasMoved = !isStoredAlike(before, after);
  return { conditions: {}, status: found, events, ...(hasMoved && { requeueAfter: atOnce }) };
}

/** A record for which no solver is left cannot be removed. An issuer that does not exist can come back. */
function recordsAfter(view: ChallengesView, issuer: AcmeIssuer | undefined) {
  const wanted = issuer && wantedRecords(challengesOf(view), issuer);
  const values = knownValues(view);
  const all = nextRecords({ recorded: recordsOf(view), wanted: isDeleting(view) ? [] : wanted, values });
  const isFinal = issuer !== undefined || hasOtherIssuer(view);
  const isLost = (one: TxtRecord) => isFinal && !(issuer && recordSolverOf(one, issuer));
  return { records: all.filter((one) => !isLost(one)), events: all.filter(isLost).map(leftRecordEvent) };
}

/** Whether the issuer is there and has no ACME server. */
function hasOtherIssuer({ resource, reads }: ChallengesView): boolean {
  return issuerStateOf(resource.spec, reads).is === 'available';
}

function leftRecordEvent({ name, server, url, value }: TxtRecord): ResourceEvent {
  return {
    type: 'Warning',
    reason: 'RecordLeft',
    note: `The issuer no longer has a solver with ${url ?? server}; remove the TXT record of ${name} with the value ${value}`,
  };
}

interface Situation {
  readonly issuer: AcmeIssuer;
  readonly records: readonly TxtRecord[];
  readonly responder: Responder | undefined;
}

function responsesOf(view: OutcomeView, situation: Situation): Responses | undefined {
  const { polled, resource, now } = view;
  const { order, responses } = resource.status ?? {};
  const challenges = challengesOf(view);
  if (challenges.length === 0 || order?.url === undefined) return undefined;
  const missing = challenges.flatMap((challenge) => absenceOf(challenge, view, situation) ?? []);
  const before = responses?.order === order.url ? responses : undefined;
  const [first] = missing;
  if (first !== undefined) return { order: order.url, problem: first.slice(0, 1024) };
  const known = before?.visible ?? [];
  const asked = before?.since === undefined ? undefined : challenges.find(({ url }) => !known.includes(url));
  const { visibility } = polled;
  const isVisible = asked !== undefined && visibility?.known === true && visibility.value.isVisible;
  const visible = challenges
    .map(({ url }) => url)
    .filter((url) => known.includes(url) || (isVisible && url === asked.url));
  const why = visibility?.known && !visibility.value.isVisible ? visibility.value.why : undefined;
  const refusal = asked && refusalOf(asked, view, situation.issuer);
  const problem = why !== undefined && refusal !== undefined ? `${why}; ${refusal}` : why;
  return {
    ...{ order: order.url, since: timestampOf(sinceOf(before, now.getTime())) },
    ...(visible.length > 0 && { visible }),
    ...(problem !== undefined && { problem: problem.slice(0, 1024) }),
  };
}

/** Why the Gateway does not serve the route of a challenge, as the controller of the Gateway reports it. */
function refusalOf(challenge: RecordedChallenge, view: OutcomeView, issuer: AcmeIssuer): string | undefined {
  const gateway = solverOf(challenge, issuer)?.http01?.gateway;
  if (challenge.type !== 'http-01' || !gateway) return undefined;
  const name = challengeName(view.resource, challenge);
  const route = view.owned.of(httpRoute).find(({ metadata }) => metadata.name === name);
  const reports = (route?.status?.parents ?? []).flatMap(({ conditions = [] }) =>
    conditions.filter(({ type }) => type === 'Accepted'),
  );
  if (reports.some(({ status }) => status === 'True')) return undefined;
  const [first] = reports;
  return first
    ? `Gateway ${gateway.name} does not accept HTTPRoute ${name}: ${first.reason}: ${first.message}`
    : `no controller has accepted HTTPRoute ${name}; create Gateway ${gateway.name}, or correct its listeners`;
}

/** A time in the future is one of a clock that was wrong. */
function sinceOf({ since }: Responses = {}, now: number): number {
  return since === undefined ? now : Math.min(Date.parse(since), now);
}

/** Why the response to a challenge is not in place. */
function absenceOf(
  challenge: RecordedChallenge,
  view: OutcomeView,
  { issuer, records, responder }: Situation,
): string | undefined {
  const solver = solverOf(challenge, issuer);
  if (challenge.type === 'dns-01') return recordAbsence(challenge, view, { solver, records });
  if (!solver?.http01) return `the issuer no longer has a solver for ${challenge.name}`;
  if (!responder) return 'the operator does not answer HTTP-01 challenges; set --acme-port and --pod-ip';
  if (solver.http01.gateway && !view.isServed(httpRoute))
    return 'the cluster has no HTTPRoute of the Gateway API; install it, or set ingressClassName';
  const name = challengeName(view.resource, challenge);
  const has = (kind: typeof Service | typeof Ingress | typeof httpRoute) =>
    view.owned.of(kind).some(({ metadata }) => metadata.name === name);
  const isThere = has(Service) && has(solver.http01.gateway ? httpRoute : Ingress);
  return isThere ? undefined : `the route for ${challenge.name} is being created`;
}

function recordAbsence(
  { name, record }: RecordedChallenge,
  { polled, calls }: OutcomeView,
  { solver, records }: { readonly solver: ReturnType<typeof solverOf>; readonly records: readonly TxtRecord[] },
): string | undefined {
  if (!solver) return `the issuer no longer has a solver for ${name}`;
  const own = `_acme-challenge.${name}`;
  const found = records.find((one) => one.name === own && one.value === record);
  if (found?.phase === 'Added') return undefined;
  const { record: seen } = polled;
  if (seen?.known && seen.value.alias !== undefined)
    return `${own} is an alias of ${seen.value.alias}, which the server does not update; remove the CNAME record`;
  const failure = pollFailureOf(seen);
  if (failure !== undefined) return `the TXT record of ${own} cannot be checked: ${failure}`;
  const call = calls.of('record');
  if (found?.phase === 'Adding' && call.state === 'failed')
    return `the TXT record of ${own} cannot be added: ${call.why}`;
  return `the TXT record of ${own} is being added`;
}
