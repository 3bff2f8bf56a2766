import type { DatabaseResource } from '../../../imports/index.js';
import { instanceSelector } from '../../../src/index.js';
import type { Assessment, ResourceEvent } from '../../runtime/index.js';
import { Node, PersistentVolumeClaim, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { closingIn, isClosing, nextOf, staysUp } from './deletion/index.js';
import { archivingOf, behindSince, untilBehind } from './findings/archiving.js';
import { availabilityOf, safetyOf } from './findings/availability.js';
import { currencyOf, refusalsIn } from './findings/currency.js';
import { placementOf } from './findings/placement.js';
import { provisionOf } from './findings/provision.js';
import { replicationOf } from './findings/replication.js';
import { instanceStatusOf } from './instances/instance-status.js';
import { leaderIn, membersIn, type Situation, stayingIn } from './plan/index.js';
import { type DatabaseView, situationOf } from './view.js';

/** The fields of the status that are this controller's. */
export type Stated =
  | 'ready'
  | 'primary'
  | 'replicas'
  | 'readyReplicas'
  | 'selector'
  | 'version'
  | 'timeline'
  | 'unarchivedSince'
  | 'closing'
  | 'instances';

type Found = Assessment<DatabaseResource, typeof conditions, Stated>;

/** Instances that a status names. */
const most = 9;

/** Judges a Database by its instances, and says what is done next. */
export function assess(view: DatabaseView): Found {
  const { resource, owned, polled, isServed } = view;
  const situation = situationOf(view);
  const status = statusOf(resource, situation);
  // What is stopped on purpose is nobody's trouble.
  if (isClosing(resource) || !staysUp(resource))
    return { conditions: { Available: { reason: 'Terminating' } }, status };
  const { steps } = nextOf(resource, situation);
  const claims = owned.of(PersistentVolumeClaim);
  const refused = polled.restart?.known ? polled.restart.value.refused : undefined;
  const seen = { situation, steps, resource, claims, seesNodes: isServed(Node), refused };
  return {
    conditions: {
      Provisioned: provisionOf(seen),
      Available: availabilityOf(seen),
      Replicated: replicationOf(seen),
      Archived: archivingOf(seen),
      UpToDate: currencyOf(seen),
      Placed: placementOf(seen),
      Unsafe: safetyOf(seen),
    },
    status,
    events: [...changesIn(resource, situation), ...refusalsIn(seen)],
    ...recheckOf(situation),
  };
}

/** Nobody tells when what waits has waited for too long. */
function recheckOf(situation: Situation): { readonly requeueAfter?: number } {
  const left = untilBehind(situation);
  return left === undefined ? {} : { requeueAfter: left };
}

function statusOf(resource: DatabaseResource, situation: Situation): NonNullable<Found['status']> {
  const { status, metadata } = resource;
  const closing = closingIn(resource, situation);
  const instances = membersIn(situation)
    .slice(0, most)
    .map((instance) => instanceStatusOf(instance, situation, status));
  const leader = leaderIn(situation);
  const led = instances.find(({ name }) => name === leader?.name);
  const staying = stayingIn(situation);
  const ready = staying.filter(({ isReady }) => isReady).length;
  // Who does not answer for a moment runs what it ran, and what waited for the archive then waits.
  const { version = status?.version, timeline = status?.timeline } = led ?? {};
  const behind = leader?.report ? timeOf(behindSince(situation)) : status?.unarchivedSince;
  const labels = Object.entries(instanceSelector(metadata.name)).map(([key, value]) => `${key}=${value}`);
  return {
    ready: `${ready}/${situation.wanted}`,
    ...(leader && { primary: leader.name }),
    replicas: staying.length,
    readyReplicas: ready,
    selector: labels.join(','),
    ...(version !== undefined && { version }),
    ...(timeline !== undefined && { timeline }),
    ...(behind !== undefined && { unarchivedSince: behind }),
    instances,
    ...(closing !== undefined && { closing }),
  };
}

/** @param moment milliseconds since 1970 @returns the same as RFC 3339 */
function timeOf(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : timestampOf(moment);
}

/** A condition says that there is a primary, but not that it was another one before. */
function changesIn({ status }: DatabaseResource, situation: Situation): readonly ResourceEvent[] {
  const leader = leaderIn(situation);
  if (!leader || status?.primary === leader.name) return [];
  const change = status?.primary === undefined ? 'became' : `replaced ${status.primary} as`;
  return [{ type: 'Normal', reason: 'PrimaryChanged', note: `${leader.name} ${change} the primary` }];
}
