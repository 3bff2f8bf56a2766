import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';

/** The type of an issuer, and the validity of its CA. */
export function statusTables({ resource: { spec, status }, now }: Shown<AnyIssuer>): readonly Table[] {
  const type = spec.acme ? 'ACME' : spec.ca?.secretName === undefined ? 'generated CA' : 'own CA';
  const times = { EXPIRES: relativeTime(status?.notAfter, now), RENEWS: relativeTime(status?.renewalTime, now) };
  return [{ rows: [{ TYPE: type, ...times }] }];
}
