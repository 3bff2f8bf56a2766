import type { CertificateResource } from '../../../../../imports/index.js';
import { fingerprintOf, parsed } from '../../../../certificates/reading.js';
import { adoptionOf } from '../../../../consumers/adoption.js';
import { contentHash, hashAnnotation } from '../../../../consumers/annotation.js';
import type { HandshakesQuestion } from '../../../../consumers/handshakes.js';
import { type WorkloadRef, type WorkloadsQuestion, workloadsOf } from '../../../../consumers/workloads.js';
import type { PollRequest } from '../../../../runtime/index.js';
import { textIn } from '../../secret-data.js';
import { isPair } from '../situation.js';
import { ownSecretIn, type StableView } from '../view.js';

/** The consumers of a Certificate, each once. */
export interface Consumers {
  readonly workloads: readonly WorkloadRef[];
  readonly ports: HandshakesQuestion['ports'];
}

/** What the consumers must have. */
export interface Content {
  readonly hash: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** Identifies the content together with the consumers. */
  readonly adoption: string;
}

/** Milliseconds: while a consumer is being rolled. */
const soon = 5_000;
/** Milliseconds: while a person must act. */
const meanwhile = 30_000;
/** Milliseconds: at rest. A rollout that somebody else undid is noticed after it. */
const seldom = 3_600_000;

/** The consumers of a spec. */
export function consumersIn({ consumers = [] }: CertificateResource['spec']): Consumers {
  const ports = consumers.flatMap(({ service, port }) =>
    service === undefined || port === undefined ? [] : [{ service, port }],
  );
  const isFirst = ({ service, port }: (typeof ports)[number], at: number) =>
    ports.findIndex((one) => one.service === service && one.port === port) === at;
  return { workloads: workloadsOf(consumers), ports: ports.filter(isFirst) };
}

/** Whether a Certificate has consumers. */
export function hasConsumers({ consumers = [] }: CertificateResource['spec']): boolean {
  return consumers.length > 0;
}

/** The content of the Secret. Undefined without consumers, and while the certificate does not belong to the key. */
export function contentIn(view: StableView): Content | undefined {
  const { spec } = view.resource;
  const secret = ownSecretIn(view);
  if (!hasConsumers(spec) || !secret?.data) return undefined;
  const pem = textIn(secret, 'tls.crt');
  const certificate = parsed(pem);
  if (!certificate || !isPair(pem, textIn(secret, 'tls.key'))) return undefined;
  const hash = contentHash(secret.data);
  const { workloads, ports } = consumersIn(spec);
  return { hash, fingerprint: fingerprintOf(certificate), adoption: adoptionOf(hash, [...workloads, ...ports]) };
}

/** Asks for the workloads. */
export function workloadsAsked(view: StableView): PollRequest<WorkloadsQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const { workloads } = consumersIn(spec);
  const content = workloads.length === 0 ? undefined : contentIn(view);
  if (!content || metadata.deletionTimestamp !== undefined) return undefined;
  const { namespace = '' } = metadata;
  const annotation = hashAnnotation(spec.secretName);
  return { question: { namespace, workloads, annotation, hash: content.hash }, interval: intervalOf(view, content) };
}

/** Asks for the certificates that the ports serve. */
export function handshakesAsked(view: StableView): PollRequest<HandshakesQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const { ports } = consumersIn(spec);
  const content = ports.length === 0 ? undefined : contentIn(view);
  if (!content || metadata.deletionTimestamp !== undefined) return undefined;
  const { namespace = '' } = metadata;
  const serverName = serverNameIn(spec);
  const question = { namespace, ports, ...(serverName !== undefined && { serverName }) };
  return { question, interval: intervalOf(view, content), timeout: 15_000 };
}

/** A name that selects the certificate. A label of a wildcard stands for every name that it covers. */
function serverNameIn({ dnsNames = [] }: CertificateResource['spec']): string | undefined {
  const exact = dnsNames.find((name) => !name.startsWith('*.'));
  return exact ?? dnsNames[0]?.replace('*', 'wildcard');
}

function intervalOf({ resource }: StableView, { adoption }: Content): number {
  const { conditions = [], adopted } = resource.status ?? {};
  const mark = conditions.find(({ type }) => type === 'Adopted');
  if (mark?.status === 'True' && adopted === adoption) return seldom;
  return mark?.status === 'False' ? meanwhile : soon;
}
