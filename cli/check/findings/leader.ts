import type { LivePod } from '../../../operator/runtime/kubernetes/kinds.js';
import { keyOf } from '../../../operator/runtime/kubernetes/object.js';
import { lengthOf } from '../../../operator/runtime/kubernetes/relative-time.js';
import type { LiveLease } from '../../../operator/runtime/leader/lease.js';
import { type Finding, findingsOf } from './finding.js';
import type { InstalledOperator } from './installed-operator.js';
import type { Reading } from './reading.js';

/** What is known of the leader. */
export interface LeaderView {
  /** Undefined if the operator elects no leader. */
  readonly name: InstalledOperator['lease'];
  readonly lease: Reading<LiveLease | undefined>;
  readonly pods: Reading<readonly LivePod[]>;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly now: number;
}

const { ok, info, problem, unknown } = findingsOf('leader');

/** Whether the Lease is held by a Pod that exists, and renewed in time. */
export function leaderFindings({ name, lease, pods, now }: LeaderView): readonly Finding[] {
  if (!name) return [info('The operator runs without --leader-elect, so that it must have one replica')];
  const title = `Lease ${keyOf(name)}`;
  if ('missing' in lease) return [unknown(title, lease.missing)];
  const { holderIdentity: holder = '', renewTime, leaseDurationSeconds = 0 } = lease.value?.spec ?? {};
  const logs = `Run kubectl --namespace ${name.namespace} logs deployment/${name.name}`;
  if (!lease.value) return [problem(`${title} does not exist: no replica has led yet`, logs)];
  if (holder === '') return [problem(`${title} has no holder: no replica leads`, logs)];
  const since = now - Date.parse(renewTime ?? '');
  const gone = 'value' in pods && !isAmong(pods.value, holder);
  if (gone && startedWithin(pods.value, now)) return [takingOver(title, holder)];
  if (!(since <= 1_000 * leaseDurationSeconds)) {
    const age = Number.isNaN(since) ? 'never' : `${lengthOf(since)} ago`;
    return [
      problem(
        `${title} was last renewed ${age} by ${podNameOf(holder)}, and its duration is ${leaseDurationSeconds}s`,
        `${logs}. If the operator runs, compare the clock of this machine with the clock of the cluster`,
      ),
    ];
  }
  return [
    'missing' in pods ? unknown(`The holder of ${title}`, pods.missing) : holderFinding(title, holder, pods.value),
  ];
}

/** Milliseconds in which a new replica becomes the leader after one that did not release the Lease. */
const takeover = 60_000;

/** True if a Pod is so new that it can still wait for the Lease of an earlier one. */
function startedWithin(pods: readonly LivePod[], now: number): boolean {
  return pods.some(({ metadata }) => now - Date.parse(metadata.creationTimestamp ?? '') < takeover);
}

/** Not well, so that scripts check again, and not a fault. */
function takingOver(title: string, holder: string): Finding {
  return {
    ...{ part: 'leader', state: 'unknown' },
    message: `${title} is still held by ${podNameOf(holder)}, which is gone, and a Pod has just started`,
    action: 'Wait a minute, and run the command again',
  };
}

function isAmong(pods: readonly LivePod[], holder: string): boolean {
  return pods.some(({ metadata }) => metadata.name === podNameOf(holder));
}

function holderFinding(title: string, holder: string, pods: readonly LivePod[]): Finding {
  const pod = podNameOf(holder);
  if (isAmong(pods, holder)) return ok(`Pod ${pod} leads`);
  return problem(
    `${title} is held by ${pod}, which is no Pod of the operator`,
    'Stop the other operator, or set another --lease-name for it',
  );
}

/** The host name of a process in a Pod is the name of the Pod. */
function podNameOf(holder: string): string {
  return holder.split('_')[0] ?? holder;
}
