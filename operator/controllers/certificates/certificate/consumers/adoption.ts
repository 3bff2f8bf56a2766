import type { CertificateResource, CertificateStatus } from '../../../../../imports/index.js';
import { isAdopted, type NamedState, rolloutOf } from '../../../../consumers/adoption.js';
import { hashAnnotation } from '../../../../consumers/annotation.js';
import { currentOutOf } from '../../../../consumers/consumer-state.js';
import { deliveredState, deliveryTime, servedStates, servingTime } from '../../../../consumers/delivery.js';
import { type HandshakesAnswer, servedPortState } from '../../../../consumers/handshakes.js';
import type { RolloutRequest, WorkloadsAnswer } from '../../../../consumers/workloads.js';
import { type LiveSecret, type Polled, pollValueOf, timestampOf } from '../../../../runtime/index.js';
import { type Content, consumersIn, contentIn, hasConsumers } from './content.js';

/** The name of the call that rolls workloads. */
export const rolloutCall = 'rollout';

/** What the adoption of a certificate follows from. */
export interface AdoptionInput {
  readonly resource: CertificateResource;
  /** The owned Secret with the certificate. */
  readonly secret: LiveSecret | undefined;
  readonly polled: {
    readonly workloads: Polled<WorkloadsAnswer> | undefined;
    readonly handshakes: Polled<HandshakesAnswer> | undefined;
  };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How far the consumers got with the content of the Secret. */
export interface Adoption {
  readonly content: Content;
  /** Since when the Secret has the content, in milliseconds since 1970. */
  readonly since: number;
  /** Whether the status describes the same content. */
  readonly isRecorded: boolean;
  /** The states of the consumers in their order, workloads first. Undefined while one of them is unknown. */
  readonly states: readonly NamedState[] | undefined;
  /** Whether each consumer was seen with the content. */
  readonly isComplete: boolean;
}

/** How far the consumers got. Undefined without consumers, and until there is a certificate. */
export function adoptionIn({ resource, secret, polled, now }: AdoptionInput): Adoption | undefined {
  const content = contentIn(resource.spec, secret);
  if (!content) return undefined;
  const { status: before } = resource;
  const recorded = before?.content?.hash === content.hash ? before.content.since : undefined;
  // A time in the future is one of a clock that was wrong.
  const since = Math.min(now, recorded === undefined ? now : Date.parse(recorded));
  const states = statesOf({ resource, polled }, content, now - since);
  const phases = states?.map(({ phase }) => phase);
  const isComplete = isAdopted(phases, before?.adopted === content.adoption);
  return { content, since, isRecorded: recorded !== undefined, states, isComplete };
}

/**
 * What the status records of the consumers. The CAs of earlier certificates are recorded until each consumer was seen with
 * the content, so that the issuer keeps them in its bundle.
 * @param issuerFingerprint the CA of the certificate in the Secret
 */
export function adoptionStatus(
  { spec, status: before }: CertificateResource,
  adoption: Adoption | undefined,
  issuerFingerprint: string | undefined,
): Partial<CertificateStatus> {
  if (!hasConsumers(spec)) return {};
  if (!adoption) return { ...keptIn(before), ...earlierIn(before, issuerFingerprint) };
  const { content, since, states, isComplete } = adoption;
  const consumers = isComplete ? allOf(spec) : states ? currentOutOf(states) : before?.consumers;
  return {
    content: { hash: content.hash, since: timestampOf(since) },
    ...(consumers !== undefined && { consumers }),
    ...(isComplete ? { adopted: content.adoption } : { ...adoptedIn(before), ...earlierIn(before, issuerFingerprint) }),
  };
}

/** Times at which the report changes, in milliseconds since 1970. */
export function adoptionTimes(adoption: Adoption | undefined): readonly number[] {
  return !adoption || adoption.isComplete ? [] : [adoption.since + deliveryTime, adoption.since + servingTime];
}

/** The workloads that must be rolled. Undefined if there are none, or if their state is unknown. */
export function rolloutDue({
  resource,
  secret,
  polled: { workloads },
}: Omit<AdoptionInput, 'now'>): RolloutRequest | undefined {
  const { metadata, spec } = resource;
  const content = contentIn(spec, secret);
  if (!content || !workloads?.known || workloads.value.hash !== content.hash) return undefined;
  return rolloutOf(workloads.value, {
    namespace: metadata.namespace ?? '',
    annotation: hashAnnotation(spec.secretName),
  });
}

function statesOf({ resource, polled }: Pick<AdoptionInput, 'resource' | 'polled'>, content: Content, age: number) {
  const { workloads, ports } = consumersIn(resource.spec);
  const { workloads: seen, handshakes } = polled;
  if (workloads.length > 0 && pollValueOf(seen)?.hash !== content.hash) return undefined;
  if (ports.length > 0 && !handshakes?.known) return undefined;
  const rolled = pollValueOf(seen)?.states ?? [];
  const running = workloads.flatMap(({ kind, name, restarts }): NamedState[] => {
    const state = rolled.find((one) => one.kind === kind && one.name === name);
    return state ? [restarts ? state : deliveredState(state, age)] : [];
  });
  const served = ports.flatMap(({ service, port }): NamedState[] => {
    const answers = pollValueOf(handshakes)?.ports ?? [];
    const found = answers.find((one) => one.service === service && one.port === port);
    const named = { kind: 'Service', name: `${service}:${port}` };
    return found ? [{ ...named, ...servedPortState(found, content.fingerprint) }] : [];
  });
  if (running.length + served.length < workloads.length + ports.length) return undefined;
  const isRolling = running.some(({ phase }) => phase === 'RollingOut' || phase === 'Outdated');
  return [...running, ...servedStates(served, { isRolling, age })];
}

function allOf(spec: CertificateResource['spec']): string {
  const { workloads, ports } = consumersIn(spec);
  const count = workloads.length + ports.length;
  return `${count}/${count}`;
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
