import type { TrustBundleResource } from '../../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';

/** What a bundle has, where it is published, and when its first certificate expires. */
export function statusTables({ resource: { status }, now }: Shown<TrustBundleResource>): readonly Table[] {
  const counts = { CERTIFICATES: status?.certificates, NAMESPACES: status?.namespaces };
  return [{ rows: [{ ...counts, EXPIRES: relativeTime(status?.notAfter, now) }] }];
}
