import type { ServicePublicationResource, ServicePublicationStatus } from '../../../../imports/index.js';
import { type Assessment, defined, isStoredAlike, pollValueOf, timestampOf } from '../../../runtime/index.js';
import { addressesIn, type Subset, subsetsOf } from '../addresses/subsets.js';
import type { Claim } from '../targets/destination.js';
import type { conditions } from './conditions.js';
import { drainedOf } from './findings/drained.js';
import { freshOf } from './findings/fresh.js';
import { publishedOf } from './findings/published.js';
import { planOf } from './plan/index.js';
import { type Situation, situationOf, type TargetReason, type TargetState } from './situation.js';
import { targetStates } from './target-states.js';
import type { PublicationOutcome } from './view.js';

/** The part of the status that the controller writes. */
type Status = Omit<ServicePublicationStatus, 'conditions' | 'observedGeneration'>;

type Found = Assessment<ServicePublicationResource, typeof conditions, keyof Status, 'Drained'>;

/** Milliseconds: requeues at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports how far a publication got, and records names before they are written. */
export function assess(outcome: PublicationOutcome): Found {
  const situation = situationOf(outcome);
  const states = targetStates(situation, outcome);
  const { claims } = planOf(situation);
  const status = statusOf(situation, states, { claims, outcome });
  const drained = drainedOf(situation, outcome);
  const fresh = freshOf(situation, outcome);
  const before = outcome.resource.status;
  const hasMoved = !isStoredAlike(basisOf(before), basisOf(status));
  const requeueAfter = hasMoved ? atOnce : dueIn(situation);
  return {
    conditions: { Published: publishedOf(states), Fresh: fresh, ...(drained && { Drained: drained }) },
    status: { ...status, ...(fresh.reason !== 'Current' && { staleSince: before?.staleSince ?? timeOf(situation) }) },
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

/** The part of a status that the next step follows from. */
function basisOf(status: Partial<Status> | undefined) {
  const { claims = [], host, subsets = [] } = status ?? {};
  return { claims: claims.map(({ leavingSince: _, draining: __, ...claim }) => claim), host, subsets };
}

/** Milliseconds until the next change is due without an event. */
function dueIn({ slots, now }: Situation): number | undefined {
  const times = slots.flatMap(({ reading }) => reading?.nextAt ?? []);
  return times.length > 0 ? Math.max(atOnce, Math.min(...times) - now) : undefined;
}

interface Assessed {
  readonly claims: readonly Claim[];
  readonly outcome: PublicationOutcome;
}

function statusOf(
  situation: Situation,
  states: readonly TargetState[],
  { claims, outcome }: Assessed,
): Partial<Status> {
  const { list, drainSeconds, resource } = situation;
  const stated = states.filter(({ isStated }) => isStated);
  const done = stated.filter(({ reason }) => reason === 'UpToDate').length;
  const isDone = done === stated.length;
  const subsets = subsetsFor(situation, outcome);
  return defined({
    summary: summaryOf(addressesIn(subsets), list.host),
    host: list.host,
    subsets: subsets.length > 0 ? subsets : undefined,
    published: `${done}/${stated.length}`,
    since: isDone ? (resource.status?.since ?? timeOf(situation)) : undefined,
    drainSeconds,
    targets: states.map((state) => targetStatus(state, situation)),
    claims: claims.length > 0 ? claims : undefined,
  });
}

/** The addresses that are published. Those of a host follow from its lookup. */
function subsetsFor({ list, resource }: Situation, { polled: { lookup } }: PublicationOutcome): readonly Subset[] {
  const { host, state, hostPorts = [], subsets } = list;
  if (host === undefined || state !== 'current') return subsets;
  const found = pollValueOf(lookup);
  const addresses = found ? [...found.ipv4, ...found.ipv6] : [];
  if (addresses.length > 0) return subsetsOf(addresses.map((address) => ({ address, ports: hostPorts })));
  const isWithdrawn = found !== undefined && resource.spec.onEmpty === 'Withdraw';
  return isWithdrawn ? [] : subsets;
}

const words: Readonly<Record<TargetReason, NonNullable<ServicePublicationStatus['targets']>[number]['state']>> = {
  UpToDate: 'Published',
  Publishing: 'Pending',
  NoEffect: 'Failed',
  DryRun: 'DryRun',
  Withdrawing: 'Withdrawing',
  Conflict: 'Blocked',
  Duplicate: 'Blocked',
  InvalidTarget: 'Failed',
  TargetUnavailable: 'Failed',
  CallFailed: 'Failed',
};

/** Characters of a text in the status. */
const longestText = 1024;

function targetStatus(
  { type, where: place, reason, records, message }: TargetState,
  situation: Situation,
): NonNullable<ServicePublicationStatus['targets']>[number] {
  const state = words[reason];
  const where = place.slice(0, longestText);
  const before = situation.resource.status?.targets?.find((one) => one.where === where && one.state === state);
  const since = before?.since ?? timeOf(situation);
  const text = message?.slice(0, longestText);
  return {
    ...{ type, where, state, since },
    ...(records !== undefined && { records }),
    ...(text !== undefined && { message: text }),
  };
}

/** Addresses that fit into a column. */
const mostShown = 3;

function summaryOf(addresses: readonly string[], host: string | undefined): string | undefined {
  if (host !== undefined) return host;
  const shown = addresses.slice(0, mostShown).join(',');
  const rest = addresses.length - mostShown;
  return addresses.length === 0 ? undefined : rest > 0 ? `${shown} + ${rest} more` : shown;
}

function timeOf({ now }: Situation): string {
  return timestampOf(new Date(now));
}
