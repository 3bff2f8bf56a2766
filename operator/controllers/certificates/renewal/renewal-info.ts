import type { X509Certificate } from 'node:crypto';
import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { serialNumberOf, validityOf } from '../../../certificates/reading.js';
import { type Polled, timestampOf } from '../../../runtime/index.js';
import { type IssuerState, isOrdered } from '../issuer-reference/issuer-state.js';
import type { RenewalInfoAnswer } from '../ports/renewal-info.js';
import { renewalTimeOf } from './renewal-time.js';

/** Renewal information as the status of a Certificate records it. */
export type RecordedInfo = NonNullable<CertificateStatus['renewalInfo']>;

/** What decides when a certificate is renewed, beside the certificate. */
interface Renewal {
  readonly resource: CertificateResource;
  readonly issuer: IssuerState;
}

/** Whether the status describes a certificate. */
export function isRecorded({ status }: CertificateResource, certificate: X509Certificate): boolean {
  return status?.serialNumber === serialNumberOf(certificate);
}

/** The renewal information for the status. What is recorded stays until the server answers. */
export function renewalInfoAfter(
  resource: CertificateResource,
  answer: Polled<RenewalInfoAnswer> | undefined,
  certificate: X509Certificate,
): RecordedInfo | undefined {
  if (!answer?.known) return isRecorded(resource, certificate) ? resource.status?.renewalInfo : undefined;
  const info = answer.value.renewalInfo;
  if (!info) return undefined;
  const { id, start, end, explanation } = info;
  const url = explanation !== undefined && { explanationURL: explanation };
  return { id, start: timestampOf(start), end: timestampOf(end), ...url };
}

/** When a certificate is renewed by what the status records, in milliseconds since 1970. */
export function renewalTimeIn(certificate: X509Certificate, renewal: Renewal): number {
  const { resource } = renewal;
  const info = isRecorded(resource, certificate) ? resource.status?.renewalInfo : undefined;
  return renewalTimeWith(info, certificate, renewal);
}

/** When a certificate is renewed by this renewal information, in milliseconds since 1970. */
export function renewalTimeWith(
  info: RecordedInfo | undefined,
  certificate: X509Certificate,
  renewal: Renewal,
): number {
  const { metadata, spec } = renewal.resource;
  const window = { start: Date.parse(info?.start ?? ''), end: Date.parse(info?.end ?? '') };
  const isWindow = window.start <= window.end;
  const rules = { spec, uid: metadata.uid, isOrdered: isOrdered(renewal), ...(isWindow && { window }) };
  return renewalTimeOf(validityOf(certificate), rules);
}
