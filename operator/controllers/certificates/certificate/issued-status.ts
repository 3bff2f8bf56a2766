import type { CertificateStatus } from '../../../../imports/index.js';
import { certificatesIn, fingerprintOf, isSignedBy, parsed, validityOf } from '../../../certificates/reading.js';
import { timestampOf } from '../../../runtime/index.js';
import { canIssue } from '../issuer-reference/issuer-state.js';
import { renewalInfoAfter, renewalTimeWith } from '../renewal/renewal-info.js';
import { answeredRequestIn, endsWithAuthority, type Situation, serialIn } from './situation.js';

type Status = Partial<CertificateStatus>;

/** Characters of a certificate with its chain in a status. */
const longestCertificate = 32_768;

/** What the status records of the certificate in the Secret, and of the request that it answers. */
export function issuedStatus(situation: Situation): Status {
  const { resource, certificate, secret } = situation;
  const { spec, status } = resource;
  const first = [spec.dnsNames, spec.ipAddresses, spec.uris, spec.emailAddresses].flatMap((names) => names ?? [])[0];
  const answered = answeredRequestIn(situation);
  const stated = {
    ...{ subject: spec.commonName ?? first ?? '' },
    ...(answered !== undefined && { requested: answered }),
  };
  const { revision = 0, serialNumber } = status ?? {};
  if (!certificate || !secret)
    return { ...stated, revision, ...(status?.certificate && { certificate: status.certificate }) };
  const { from, to } = validityOf(certificate);
  const serial = serialIn(situation);
  const info = renewalInfoAfter(resource, situation.polled.renewalInfo, certificate);
  const trusted = certificatesIn(secret.trusted).flatMap((pem) => parsed(pem) ?? []);
  return {
    ...stated,
    notBefore: timestampOf(from),
    notAfter: timestampOf(to),
    ...(!endsWithAuthority(situation) && { renewalTime: timestampOf(renewalTimeWith(info, certificate, situation)) }),
    ...(info && { renewalInfo: info }),
    serialNumber: serial,
    revision: serial === serialNumber ? revision : revision + 1,
    ...signerStatus(situation),
    trustedFingerprints: trusted.map(fingerprintOf).slice(0, 32),
    // A longer one cannot be restored from the status.
    ...(secret.certificate.length <= longestCertificate && { certificate: secret.certificate }),
  };
}

/** The CA that signed the certificate, and the ACME server that issued it. */
function signerStatus(situation: Situation): Status {
  const { resource, certificate, secret, issuer } = situation;
  const { serialNumber, server: before } = resource.status ?? {};
  const authorities = certificatesIn(
    `${issuer.is === 'available' ? issuer.chain : ''}${secret?.certificate ?? ''}${secret?.trusted ?? ''}`,
  );
  const signer = authorities.map(parsed).find((one) => one?.ca && certificate && isSignedBy(certificate, one));
  const isNew = serialIn(situation) !== serialNumber && canIssue(issuer);
  const server = isNew ? (issuer.is === 'acme' ? issuer.account.directory : undefined) : before;
  return { ...(signer && { issuerFingerprint: fingerprintOf(signer) }), ...(server !== undefined && { server }) };
}
