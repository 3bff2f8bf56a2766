import type { X509Certificate } from 'node:crypto';
import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { certificatesIn, serialNumberOf, validityOf } from '../../../certificates/reading.js';
import { type PollRequest, timestampOf } from '../../../runtime/index.js';
import type { AcmeIssuer } from '../certificate/issuer-state.js';
import { isOrdered, type Situation } from '../certificate/situation.js';
import { renewalTimeOf } from '../certificate/times.js';
import { type CertificateView, type StableView, situationOf } from '../certificate/view.js';
import type { RenewalInfoQuestion } from '../ports/renewal-info.js';

/** Renewal information as the status of a Certificate records it. */
export type RecordedInfo = NonNullable<CertificateStatus['renewalInfo']>;

/** Milliseconds. The source announces when the server wants the next request, which is at most this. */
const times = { interval: 86_400_000, timeout: 30_000 };

/** Asks when the server suggests to renew its certificate. Not while another one is being issued. */
export function renewalInfoAsked(view: StableView): PollRequest<RenewalInfoQuestion> | undefined {
  const { resource } = view;
  const { issuing, server } = resource.status ?? {};
  if (issuing || resource.metadata.deletionTimestamp !== undefined) return undefined;
  const { issuer, certificate, secret } = situationOf(view);
  if (issuer.is !== 'acme' || !certificate || !isRecorded(resource, certificate)) return undefined;
  const { directory, caBundle } = issuer.account;
  const [own] = certificatesIn(secret?.certificate ?? '');
  if (server !== directory || own === undefined) return undefined;
  const question = { directory, ...(caBundle !== undefined && { caBundle }), certificate: own };
  return { question, ...times };
}

/** Whether the status describes a certificate. */
function isRecorded({ status }: CertificateResource, certificate: X509Certificate): boolean {
  return status?.serialNumber === serialNumberOf(certificate);
}

/** The renewal information for the status. What is recorded stays until the server answers. */
export function renewalInfoAfter(view: CertificateView, certificate: X509Certificate): RecordedInfo | undefined {
  const { polled, resource } = view;
  const answer = polled.renewalInfo;
  if (!answer?.known) return isRecorded(resource, certificate) ? resource.status?.renewalInfo : undefined;
  const info = answer.value.renewalInfo;
  if (!info) return undefined;
  const { id, start, end, explanation } = info;
  const url = explanation !== undefined && { explanationURL: explanation };
  return { id, start: timestampOf(start), end: timestampOf(end), ...url };
}

/** When a certificate is renewed by what the status records, in milliseconds since 1970. */
export function renewalTimeIn(certificate: X509Certificate, situation: Situation): number {
  const { resource } = situation;
  const info = isRecorded(resource, certificate) ? resource.status?.renewalInfo : undefined;
  return renewalTimeWith(info, certificate, situation);
}

/** When a certificate is renewed by this renewal information, in milliseconds since 1970. */
export function renewalTimeWith(
  info: RecordedInfo | undefined,
  certificate: X509Certificate,
  situation: Situation,
): number {
  const { metadata, spec } = situation.resource;
  const window = { start: Date.parse(info?.start ?? ''), end: Date.parse(info?.end ?? '') };
  const isWindow = window.start <= window.end;
  const rules = { spec, uid: metadata.uid, isOrdered: isOrdered(situation), ...(isWindow && { window }) };
  return renewalTimeOf(validityOf(certificate), rules);
}

/** The identifier of the certificate that the next order renews, if its server has renewal information. */
export function replacedId(
  { status }: Pick<CertificateResource, 'status'>,
  { account }: AcmeIssuer,
): string | undefined {
  const { issuing, renewalInfo, serialNumber, server } = status ?? {};
  const isOwn = server === account.directory && serialNumber !== undefined && issuing?.replaces === serialNumber;
  return isOwn ? renewalInfo?.id : undefined;
}
