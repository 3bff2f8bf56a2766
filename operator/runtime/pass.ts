import { type Applying, apply } from './apply.js';
import { authored } from './authored.js';
import type { Clock } from './clock.js';
import type { Cluster } from './cluster.js';
import type { Assessment, Controller, CustomResource, Facts, RuntimeStatus } from './controller.js';
import { distantKinds } from './distant.js';
import { resourceIn, settleDoubts } from './doubts.js';
import { RejectedError } from './errors.js';
import type { Happening, Recorder } from './events.js';
import { hasFinalizer } from './finalizer.js';
import type { Ground } from './ground.js';
import { happenings } from './happenings.js';
import { hold, loosen } from './hold.js';
import { keyOf } from './object.js';
import { ownedOf } from './owned.js';
import { readsOf } from './read.js';
import type { Found } from './reads.js';
import { placeOf, recordedOf } from './recorded.js';
import { type Desired, render } from './render.js';
import { report, statusToWrite } from './report.js';
import type { Restraint } from './restraint.js';
import type { Settled } from './settled.js';
import { Sight } from './sight.js';
import type { Stores } from './stores.js';
import type { Telemetry } from './telemetry.js';
import { letGo, tidy, undoDistant } from './undo.js';
import { type Result, verdict } from './verdict.js';

/** What the passes of one controller share. */
export interface Workplace {
  readonly controller: Controller;
  readonly cluster: Cluster;
  readonly stores: Stores;
  readonly settled: Settled;
  readonly restraint: Restraint;
  readonly recorder: Recorder;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** What the last pass over the resource went by, and where this one notes its own. @default - everything is looked at */
  readonly ground?: Ground | undefined;
}

/** A workplace, and what one resource refers to. */
interface View extends Workplace {
  readonly reads: Found;
}

/**
 * Looks at one resource and brings the world one step nearer to it: look, desire, apply, assess, report.
 *
 * Level-based: it depends on what is there, not on what happened, so a pass that was cut anywhere is made good by the
 * next one, and a pass with nothing to do sends nothing.
 * @returns milliseconds after which to look again at the latest, if the controller wants that
 */
export async function pass(key: string, place: Workplace, signal: AbortSignal): Promise<number | undefined> {
  const { controller, stores } = place;
  const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
  if (!resource) {
    stores.doubts.forget(resourceIn(controller.name, key));
    return undefined; // gone; what it owned goes by owner reference
  }
  const applying: Applying = { ...place, owner: resource, signal };
  const deleting = resource.metadata.deletionTimestamp !== undefined;
  if (deleting && !hasFinalizer(resource, controller.name)) return undefined; // the garbage collector's business
  await settleDoubts(applying);
  if (deleting && !controller.finalizes) return undoDistant(applying);

  const view: View = { ...place, reads: await readsOf(resource, place, { signal }) };
  const { ground } = place;
  if (!deleting && ground?.isSettled(resource)) return conclude(applying, view, { obstacles: [] });

  const sight = new Sight();
  const desired = desireOf(controller, sight.of(look(resource, view)));
  if (desired instanceof RejectedError) return conclude(applying, view, { rejected: desired, obstacles: [] });

  const inventory = await hold(desired, applying);
  const obstacles = await apply(desired, applying);
  if (obstacles.length === 0) {
    const left = await tidy(inventory, desired, applying);
    // Deletion is one more desired state: when nothing is wanted and nothing is left, the resource may go.
    if (deleting && desired.length === 0 && left.length === 0) return letGo(applying);
    await loosen(inventory, { desired, left }, applying);
    if (!deleting && left.length === 0) ground?.settle(resource, { sight, size: desired.length });
  }
  return conclude(applying, view, { obstacles }, desired);
}

/** @param desired what to see of what it owns. @default - all of it */
function look(
  resource: CustomResource,
  { controller, stores, clock, reads }: View,
  desired?: readonly Desired[],
): Facts {
  const wanted = desired && new Set(desired.map(placeOf));
  const recorded = desired?.filter(({ distant }) => distant) ?? recordedOf(resource, distantKinds(controller));
  const owned = stores
    .ownedBy(resource, controller.owns, recorded)
    .filter(({ kind, object }) => wanted?.has(placeOf({ kind, key: keyOf(object.metadata) })) ?? true);
  return { resource, owned: ownedOf(owned), reads, now: new Date(clock.now()) };
}

function desireOf(controller: Controller, facts: Facts): Desired[] | RejectedError {
  try {
    return render(controller, facts);
  } catch (error) {
    if (error instanceof RejectedError) return error;
    throw error;
  }
}

/** Judges what is there now and says so. */
async function conclude(
  applying: Applying,
  view: View,
  result: Result,
  desired?: readonly Desired[],
): Promise<number | undefined> {
  const { controller, owner } = applying;
  const { ground, stores } = view;
  const facts = look(owner, view, desired);
  const sight = new Sight();
  const outcome = Object.assign(sight.of(facts), { accepted: !result.rejected });
  const assessment = authored(controller.name, 'assess', () => controller.assess(outcome));
  const versions = ground?.versions(owner, sight) ?? '';
  const found = verdict(controller, assessment, result);
  const status = statusToWrite(controller, owner, { found, own: assessment.status ?? {}, now: facts.now });
  if (status) {
    await report(status, applying);
    const before = (owner.status as RuntimeStatus | undefined)?.conditions ?? [];
    for (const happening of happenings(controller, before, found)) tell(happening, view, owner);
  }
  const again = recheck(assessment, result);
  const told = stores.of(controller.kind).get(keyOf(owner.metadata));
  if (told && again === undefined && !result.rejected) ground?.tell(told, sight, versions);
  return again;
}

function tell(happening: Happening, { controller, recorder, telemetry }: Workplace, owner: CustomResource): void {
  recorder.tell(controller, owner, happening);
  const fields = { controller: controller.name, key: keyOf(owner.metadata), reason: happening.reason };
  if (happening.type === 'Warning') telemetry.log.warn(fields, happening.note);
}

function recheck({ recheckAfter }: Assessment, { obstacles }: Result): number | undefined {
  const times = [recheckAfter, ...obstacles.map((obstacle) => obstacle.recheckAfter)];
  const wanted = times.filter((ms) => ms !== undefined);
  return wanted.length > 0 ? Math.min(...wanted) : undefined;
}
