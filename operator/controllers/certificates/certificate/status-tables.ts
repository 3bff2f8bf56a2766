import type { CertificateResource } from '../../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';

/** The validity of a certificate, and who uses it. */
export function statusTables({ resource: { spec, status }, now }: Shown<CertificateResource>): readonly Table[] {
  const times = { EXPIRES: relativeTime(status?.notAfter, now), RENEWS: relativeTime(status?.renewalTime, now) };
  return [{ rows: [{ ...times, CONSUMERS: status?.consumers, ISSUER: `${spec.issuer.kind}/${spec.issuer.name}` }] }];
}
