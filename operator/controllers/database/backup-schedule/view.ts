import type { DatabaseResource } from '../../../../imports/index.js';
import type { Facts } from '../../../runtime/index.js';
import type { BackupScheduleReads, owns, watchesSiblings } from './declarations.js';

/** The input of `desire` and `assess`. */
export type BackupScheduleView = Pick<
  Facts<
    DatabaseResource,
    (typeof owns)[number],
    BackupScheduleReads,
    Record<never, never>,
    (typeof watchesSiblings)[number]
  >,
  'resource' | 'owned' | 'siblings' | 'reads' | 'now'
>;
