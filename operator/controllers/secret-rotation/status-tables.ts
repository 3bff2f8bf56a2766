import type { SecretRotationResource } from '../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../runtime/index.js';

/** When a credential was rotated and is rotated next, and who uses it. */
export function statusTables({ resource: { status }, now }: Shown<SecretRotationResource>): readonly Table[] {
  const times = { ROTATED: relativeTime(status?.rotated, now), NEXT: relativeTime(status?.nextRotation, now) };
  return [{ rows: [{ ...times, CONSUMERS: status?.consumers, LOGIN: status?.login }] }];
}
