import type { CertificateStatus } from '../../../../imports/index.js';
import { Ingress, noEffectOf, pollFailureOf, Service, timestampOf } from '../../../runtime/index.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';
import type { Responder } from '../ports/responder.js';
import { httpRoute } from './declarations.js';
import { type RecordedChallenge, solverOf, type TxtRecord } from './responses.js';
import { challengeName, type OutcomeView } from './view.js';

type Responses = NonNullable<CertificateStatus['responses']>;

/** What decides whether the responses are in place. */
interface Placement {
  readonly issuer: AcmeIssuer;
  readonly challenges: readonly RecordedChallenge[];
  readonly records: readonly TxtRecord[];
  readonly responder: Responder | undefined;
}

/** Which responses are in place and visible. Undefined without an order. */
export function responsesOf(view: OutcomeView, placement: Placement): Responses | undefined {
  const { polled, resource, now } = view;
  const { order, responses } = resource.status ?? {};
  const { challenges } = placement;
  if (challenges.length === 0 || order?.url === undefined) return undefined;
  const missing = challenges.flatMap((challenge) => absenceOf(challenge, view, placement) ?? []);
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
  const refusal = asked && refusalOf(asked, view, placement.issuer);
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
  { issuer, records, responder }: Placement,
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
  const values = seen?.known && seen.value.values.length > 0 ? seen.value.values.join(', ') : 'none';
  const noEffect = found?.phase === 'Adding' ? noEffectOf(call, { wanted: found.value, seen: values }) : undefined;
  const sends = noEffect === undefined ? '' : `; the request was ${noEffect}`;
  return `the TXT record of ${own} is being added${sends}`;
}
