import type { CertificateResource } from '../../../../../imports/index.js';
import { fingerprintOf, parsed } from '../../../../certificates/reading.js';
import { adoptionOf } from '../../../../consumers/adoption.js';
import { contentHash } from '../../../../consumers/annotation.js';
import type { HandshakesQuestion } from '../../../../consumers/handshakes.js';
import { type WorkloadRef, workloadsOf } from '../../../../consumers/workloads.js';
import type { LiveSecret } from '../../../../runtime/index.js';
import { isPair, textIn } from '../../secrets/texts.js';

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

/**
 * The content of the owned Secret. Undefined without consumers, and while the certificate does not belong to the key.
 */
export function contentIn(spec: CertificateResource['spec'], secret: LiveSecret | undefined): Content | undefined {
  if (!hasConsumers(spec) || !secret?.data) return undefined;
  const pem = textIn(secret, 'tls.crt');
  const certificate = parsed(pem);
  if (!certificate || !isPair(pem, textIn(secret, 'tls.key'))) return undefined;
  const hash = contentHash(secret.data);
  const { workloads, ports } = consumersIn(spec);
  return { hash, fingerprint: fingerprintOf(certificate), adoption: adoptionOf(hash, [...workloads, ...ports]) };
}
