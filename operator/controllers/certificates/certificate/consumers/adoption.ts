import type { CertificateResource, CertificateStatus } from '../../../../../imports/index.js';
import {
  type AdoptionReason,
  isAdopted,
  listed,
  type NamedState,
  rolloutOf,
  waitingMark,
} from '../../../../consumers/adoption.js';
import { hashAnnotation } from '../../../../consumers/annotation.js';
import { currentOutOf } from '../../../../consumers/consumer-state.js';
import { deliveredState, deliveryTime, servedStates, servingTime } from '../../../../consumers/delivery.js';
import { servedPortState } from '../../../../consumers/handshakes.js';
import type { RolloutRequest } from '../../../../consumers/workloads.js';
import { type Mark, type Outcome, timestampOf } from '../../../../runtime/index.js';
import type { CertificateView } from '../view.js';
import { type Content, consumersIn, contentIn, hasConsumers } from './content.js';

/** The name of the call that rolls workloads. */
export const rolloutCall = 'rollout';

/** What a Certificate reports of its consumers. */
export interface AdoptionReport {
  /** Undefined without consumers, and until there is a certificate. */
  readonly mark?: Mark<AdoptionReason | 'Delivered'> | undefined;
  readonly status: Partial<CertificateStatus>;
  /** Times at which the report changes, in milliseconds since 1970. */
  readonly times: readonly number[];
}

/**
 * How far the consumers got. The CAs of earlier certificates are recorded until each consumer was seen with the content,
 * so that the issuer keeps them in its bundle.
 * @param issuerFingerprint the CA of the certificate in the Secret
 */
export function adoptionReport(
  view: CertificateView & Pick<Outcome<CertificateResource>, 'calls'>,
  issuerFingerprint: string | undefined,
): AdoptionReport {
  const { resource } = view;
  if (!hasConsumers(resource.spec)) return { status: {}, times: [] };
  const { status: before } = resource;
  const content = contentIn(view);
  if (!content) return { status: { ...keptIn(before), ...earlierIn(before, issuerFingerprint) }, times: [] };
  const since = before?.content?.hash === content.hash ? before.content.since : undefined;
  const now = view.now.getTime();
  // A time in the future is one of a clock that was wrong.
  const from = Math.min(now, since === undefined ? now : Date.parse(since));
  const states = statesOf(view, content, now - from);
  const phases = states?.map(({ phase }) => phase);
  const areAdopted = isAdopted(phases, before?.adopted === content.adoption);
  const consumers = areAdopted ? allOf(resource) : states ? currentOutOf(states) : before?.consumers;
  return {
    mark: areAdopted ? adoptedMark(resource) : states ? waiting(view, states) : unknownMark(view, since !== undefined),
    status: {
      content: { hash: content.hash, since: timestampOf(from) },
      ...(consumers !== undefined && { consumers }),
      ...(areAdopted
        ? { adopted: content.adoption }
        : { ...adoptedIn(before), ...earlierIn(before, issuerFingerprint) }),
    },
    times: areAdopted ? [] : [from + deliveryTime, from + servingTime],
  };
}

/** The workloads that must be rolled. Undefined if there are none, or if their state is unknown. */
export function rolloutDue(view: CertificateView): RolloutRequest | undefined {
  const content = contentIn(view);
  const { workloads } = view.polled;
  if (!content || !workloads?.known || workloads.value.hash !== content.hash) return undefined;
  const { metadata, spec } = view.resource;
  return rolloutOf(workloads.value, {
    namespace: metadata.namespace ?? '',
    annotation: hashAnnotation(spec.secretName),
  });
}

/** The states of the consumers in their order, workloads first. Undefined while one of them is unknown. */
function statesOf({ resource, polled }: CertificateView, content: Content, age: number) {
  const { workloads, ports } = consumersIn(resource.spec);
  const { workloads: seen, handshakes } = polled;
  if (workloads.length > 0 && !(seen?.known && seen.value.hash === content.hash)) return undefined;
  if (ports.length > 0 && !handshakes?.known) return undefined;
  const rolled = seen?.known ? seen.value.states : [];
  const running = workloads.flatMap(({ kind, name, restarts }): NamedState[] => {
    const state = rolled.find((one) => one.kind === kind && one.name === name);
    return state ? [restarts ? state : deliveredState(state, age)] : [];
  });
  const served = ports.flatMap(({ service, port }): NamedState[] => {
    const answers = handshakes?.known ? handshakes.value.ports : [];
    const found = answers.find((one) => one.service === service && one.port === port);
    const named = { kind: 'Service', name: `${service}:${port}` };
    return found ? [{ ...named, ...servedPortState(found, content.fingerprint) }] : [];
  });
  if (running.length + served.length < workloads.length + ports.length) return undefined;
  const isRolling = running.some(({ phase }) => phase === 'RollingOut' || phase === 'Outdated');
  return [...running, ...servedStates(served, { isRolling, age })];
}

function allOf({ spec }: CertificateResource): string {
  const { workloads, ports } = consumersIn(spec);
  const count = workloads.length + ports.length;
  return `${count}/${count}`;
}

/** A process that is not rolled is seen only at a port. Without one, nothing tells what it uses. */
function adoptedMark({ spec }: CertificateResource): NonNullable<AdoptionReport['mark']> {
  const { workloads, ports } = consumersIn(spec);
  const unseen = workloads.filter(({ restarts }) => !restarts);
  if (unseen.length === 0 || ports.length > 0) return { reason: 'Current' };
  const message = `The kubelet has had the time to replace the files of ${listed(unseen)}; add its Service to spec.consumers to check what it serves`;
  return { reason: 'Delivered', message };
}

function waiting(
  { calls }: Pick<Outcome, 'calls'>,
  states: readonly NamedState[],
): NonNullable<AdoptionReport['mark']> {
  const call = calls.of(rolloutCall);
  return waitingMark({ states, content: 'certificate', refusal: call.state === 'failed' ? call.why : undefined });
}

/** What was reported about the same content stays while nothing newer is known. */
function unknownMark({ resource, polled }: CertificateView, isSame: boolean): NonNullable<AdoptionReport['mark']> {
  const before = resource.status?.conditions?.find(({ type }) => type === 'Adopted');
  if (isSame && before && before.status !== 'True')
    return { reason: before.reason as AdoptionReason, message: before.message };
  const failed = [polled.workloads, polled.handshakes].flatMap((one) => (one && !one.known ? [one.why] : []));
  const [why] = failed;
  return { reason: 'ConsumersUnknown', ...(why !== undefined && { message: `The consumers cannot be read: ${why}` }) };
}

function keptIn({ content, consumers, adopted }: Partial<CertificateStatus> = {}): Partial<CertificateStatus> {
  return { ...(content && { content }), ...(consumers !== undefined && { consumers }), ...adoptedIn({ adopted }) };
}

function adoptedIn({ adopted }: Partial<CertificateStatus> = {}): Partial<CertificateStatus> {
  return adopted === undefined ? {} : { adopted };
}

/** The CAs of the certificates that consumers may still use, besides the present one. The newest is the last. */
function earlierIn(before: Partial<CertificateStatus> = {}, present: string | undefined): Partial<CertificateStatus> {
  const { earlierIssuerFingerprints = [], issuerFingerprint } = before;
  const known = [...earlierIssuerFingerprints, ...(issuerFingerprint === undefined ? [] : [issuerFingerprint])];
  const earlier = [...new Set(known)].filter((fingerprint) => fingerprint !== present);
  return earlier.length === 0 ? {} : { earlierIssuerFingerprints: earlier.slice(-32) };
}
