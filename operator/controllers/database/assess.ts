import type { DatabaseResource } from '../../../imports/index.js';
import { instanceSelector, passwordMarks } from '../../../src/index.js';
import { requeueIn, scaleSelector } from '../../members/index.js';
import type { Assessment, Outcome, ResourceEvent } from '../../runtime/index.js';
import { Node, PersistentVolumeClaim, pollValueOf, reportOnly, Secret, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { isClosing, staysUp } from './deletion/index.js';
import { archivedOf, behindSince, untilBehind } from './findings/archived.js';
import { availableOf } from './findings/available.js';
import { instanceStatusOf } from './findings/instance-status.js';
import { placedOf } from './findings/placed.js';
import { provisionedOf } from './findings/provisioned.js';
import { replicatedOf } from './findings/replicated.js';
import { unsafeOf } from './findings/unsafe.js';
import { refusalsIn, upToDateOf } from './findings/up-to-date.js';
import { closingIn, nextOf } from './plan/shutdown.js';
import { knownSecrets } from './secrets.js';
import { leaderIn, membersIn, type Situation, situationOf, stayingIn } from './situation.js';
import type { DatabaseView } from './view.js';

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
    return { conditions: reportOnly({ Available: { reason: 'Terminating' } }), status };
  const { steps } = nextOf(resource, situation);
  const claims = owned.of(PersistentVolumeClaim);
  const refused = pollValueOf(polled.restart)?.refused;
  const { passwords, certified } = knownSecrets(resource.metadata.name, owned.of(Secret));
  const marks = certified && passwordMarks(passwords, certified.server);
  const seen = { situation, steps, resource, claims, seesNodes: isServed(Node), refused, marks, blocker };
  return {
    conditions: {
      Provisioned: provisionedOf(seen),
      Available: availableOf(seen),
      Replicated: replicatedOf(seen),
      Archived: archivedOf(seen),
      UpToDate: upToDateOf(seen),
      Placed: placedOf(seen),
      Unsafe: unsafeOf(seen),
    },
    status,
    events: [...changesIn(resource, situation), ...refusalsIn(seen)],
    // No watch event arrives when the log has waited for too long.
    ...requeueIn(untilBehind(situation)),
  };
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
  return {
    ready: `${ready}/${situation.wanted}`,
    ...(leader && { primary: leader.name }),
    replicas: staying.length,
    readyReplicas: ready,
    selector: scaleSelector(instanceSelector(metadata.name)),
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
