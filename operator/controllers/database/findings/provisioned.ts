import { wholeQuantity } from '../../../../src/index.js';
import { stepOf } from '../../../members/index.js';
import { type LivePersistentVolumeClaim, timestampOf } from '../../../runtime/index.js';
import { isNearlyFull, nearlyFull } from '../ports/members.js';
import { stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Whether the desired number of instances is ready. */
export function provisionedOf(seen: Observation): ConditionMark<'Provisioned'> {
  const { situation, claims } = seen;
  const diverged = stepOf(seen, 'divergence');
  if (diverged) return { reason: 'Diverged', message: diverged.why };
  const staying = stayingIn(situation);
  const growing = claims.filter(isGrowing).map(({ metadata }) => metadata.name);
  const full = staying
    .filter(({ name, report }) => isNearlyFull(report) && !growing.includes(name))
    .map(({ name }) => name);
  if (full.length > 0)
    return { reason: 'VolumeNearlyFull', message: `${fullText}: ${full.join(', ')}; increase spec.storage.size` };
  const refused = staying.find(({ pod, claim }) => pod === 'none' && claim === 'there');
  if (refused && seen.blocker !== undefined)
    return { reason: 'InstanceNotReady', message: `${refused.name} has no Pod: ${seen.blocker}` };
  const impeded = staying.find(({ isReady, trouble }) => !isReady && trouble !== undefined);
  if (impeded) return { reason: 'InstanceNotReady', message: `${impeded.name} is not ready: ${impeded.trouble}` };
  const away = staying.find(({ lostNode }) => lostNode !== undefined);
  if (away)
    return { reason: 'InstanceNotReady', message: `${away.name} is not ready: its node ${away.lostNode} is not ready` };
  const restoring = restoringIn(seen);
  if (restoring) return { reason: 'Restoring', message: restoring };
  const step = stepOf(seen, 'provision') ?? stepOf(seen, 'safety');
  if (step) return { reason: 'Provisioning', message: step.why };
  const late = staying.filter(({ isReady }) => !isReady).map(({ name }) => name);
  if (late.length > 0) return { reason: 'Provisioning', message: `Instances not ready yet: ${late.join(', ')}` };
  if (growing.length > 0)
    return { reason: 'Resizing', message: `Volumes being expanded: ${growing.toSorted().join(', ')}` };
  return { reason: 'InstancesReady', message: `${staying.length} of ${situation.wanted} instances are ready` };
}

const fullText = `At least ${nearlyFull}% of a volume is used`;

/** Progress of the restore by the first instance, and the reason why it waits. */
function restoringIn({ situation, resource }: Observation): string | undefined {
  const { restore } = resource.spec.bootstrap;
  const first = situation.instances.find(({ report }) => report?.making);
  if (!restore || !first || resource.status?.timeline !== undefined) return undefined;
  const { until, unread } = first.report?.making ?? {};
  const begun = `${first.name} is being restored`;
  const has = until === undefined ? begun : `${begun} and has reached ${timestampOf(until)}`;
  if (unread !== undefined) return `${has}; the archive cannot be read, and reads are retried: ${unread}`;
  if (restore.targetTime === undefined) return has;
  const ends = `${comingIn(situation.now, restore.targetTime)}the restore ends once the archive has a commit later than ${restore.targetTime}`;
  const soon = 'if the source Database runs, that is at most 6 minutes after targetTime';
  const never = 'if it is gone and has no later commit, delete this Database and create it without targetTime';
  return `${has}; ${ends}; ${soon}; ${never}`;
}

/** Time until `targetTime`, rounded so that the message rarely changes. Empty if the time has passed. */
function comingIn(now: number, targetTime: string): string {
  const left = Date.parse(targetTime) - now;
  if (!(left > 0)) return '';
  const unit = units.find(({ length }) => left >= 2 * length);
  const off = unit ? `in about ${Math.round(left / unit.length)} ${unit.name}` : 'within two hours';
  return `targetTime ${targetTime} is in the future, ${off}; if its time zone or year is wrong, delete this Database and create it with the right time; `;
}

const hour = 3_600_000;
const day = 24 * hour;
const units = [
  { name: 'years', length: 365 * day },
  { name: 'days', length: day },
  { name: 'hours', length: hour },
] as const;

function isGrowing({ spec, status }: LivePersistentVolumeClaim): boolean {
  const isResizing = status?.conditions?.some(({ type, status: is }) => /Resiz/.test(type) && is === 'True') ?? false;
  const has = status?.capacity?.['storage'];
  const asked = spec?.resources?.requests?.['storage'] ?? '0';
  return isResizing || (has !== undefined && wholeQuantity(has) < wholeQuantity(asked));
}
