import type { DatabaseResource } from '../../../imports/index.js';
import { instanceSelector, passwordMarks } from '../../../src/index.js';
import type { Assessment, Outcome, ResourceEvent } from '../../runtime/index.js';
import { Node, PersistentVolumeClaim, Secret, timestampOf } from '../../runtime/index.js';
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
import { knownSecrets } from './secrets.js';
import { type DatabaseView, situationOf } from './view.js';

/** Status fields that this controller owns. */
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

/** Maximum number of instances in a status. */
const most = 9;

/** Derives the conditions, status and events of a Database from its instances and the next step. */
export function assess(view: DatabaseView & Pick<Outcome, 'blocker'>): Found {
  const { resource, owned, polled, isServed, blocker } = view;
  const situation = situationOf(view);
  const status = statusOf(resource, situation);
  // The operator stops these instances on purpose, so their state is not a problem to report.
  if (isClosing(resource) || !staysUp(resource))
    return { conditions: { Available: { reason: 'Terminating' } }, status };
  const { steps } = nextOf(resource, situation);
  const claims = owned.of(PersistentVolumeClaim);
  const refused = polled.restart?.known ? polled.restart.value.refused : undefined;
  const { passwords, certified } = knownSecrets(resource.metadata.name, owned.of(Secret));
  const marks = certified && passwordMarks(passwords, certified.server);
  const seen = { situation, steps, resource, claims, seesNodes: isServed(Node), refused, marks, blocker };
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

/** No watch event arrives when the log has waited for too long, so the operator requeues the Database. */
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
  // An instance that does not respond keeps its last known version and timeline, and its log still waits for the
  // archive.
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

/** @param moment milliseconds since 1970 @returns the moment in RFC 3339 */
function timeOf(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : timestampOf(moment);
}

/** A condition reports the primary, but not that the primary has changed. */
function changesIn({ status }: DatabaseResource, situation: Situation): readonly ResourceEvent[] {
  const leader = leaderIn(situation);
  if (!leader || status?.primary === leader.name) return [];
  const change = status?.primary === undefined ? 'became' : `replaced ${status.primary} as`;
  return [{ type: 'Normal', reason: 'PrimaryChanged', note: `${leader.name} ${change} the primary` }];
}
