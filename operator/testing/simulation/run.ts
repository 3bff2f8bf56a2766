import type { Assessment, Controller } from '../../runtime/controller/controller.js';
import { sourceLocationOf } from '../../runtime/controller/user-code.js';
import { messageOf, RejectedError } from '../../runtime/kubernetes/errors.js';
import { fingerprint } from '../../runtime/ownership/ownership-labels.js';
import type { ControllerCase } from '../contract/trial/controller-case.js';
import { unknownStatusFields } from '../contract/trial/heard-assessments.js';
import { showsWithinOf } from '../contract/trial/memory-port.js';
import { collectGarbage } from './acts/garbage-collector.js';
import { putBackCredentials } from './acts/referents.js';
import { scheduleActs } from './acts/schedule.js';
import { leaveNames } from './acts/squatters.js';
import { runWorkloads } from './acts/workloads.js';
import { unrest } from './convergence.js';
import { objectsIn, type Plan, type Scene, sceneOf } from './environment/scene.js';
import { Fleet } from './fleet.js';
import { type Broken, Jury } from './jury.js';
import { troubleServer } from './server-faults.js';

/** Milliseconds after the last fault until the desired state must be reached. Longer than every backoff. */
const patience = 30 * 60_000;
/** Milliseconds between two checks. */
const glance = 2_000;
/** Milliseconds without a change after which no more changes are expected. */
const lull = 40_000;
/** The same if a watch may be dead. Longer than the detection of a dead watch. */
const deadLull = 80_000;
/** Further milliseconds without writes that are required. Longer than the interval of periodic checks. */
const quiet = 45_000;
/** Milliseconds within which a process must exit after SIGTERM. */
const grace = 60_000;

/** The result of one run. */
export interface Run {
  readonly plan: Plan;
  /** Number of acts, including skipped ones. */
  readonly acts: number;
  readonly broken?: Broken | undefined;
  /** All events, one line each. */
  readonly lines: readonly string[];
  /** Equal for equal histories. */
  readonly hash: string;
  /** The reasons that the controller reported, each as `Type Reason`. */
  readonly reasons: ReadonlySet<string>;
}

/** Plays one history, from the first start of the operator to its last stop or to the first broken promise. */
export async function run(controller: Controller, given: ControllerCase, plan: Plan): Promise<Run> {
  const scene = sceneOf(controller, given, plan);
  const jury = new Jury(scene);
  const unheard = (error: unknown) => jury.find('handles every rejected promise', String(error));
  process.on('unhandledRejection', unheard);
  const reasons = new Set<string>();
  try {
    const acts = await play(scene, jury, { skipped: plan.skipped ?? new Set(), reasons });
    scene.history.say('-', `fingerprint of the final state: ${worldOf(scene)}`);
    const { lines, hash } = scene.history;
    return { plan, acts, broken: jury.broken, lines, hash, reasons };
  } finally {
    process.off('unhandledRejection', unheard);
  }
}

/** A fingerprint of all objects, including fields that the history does not show. */
function worldOf(scene: Scene): string {
  const { controller, server } = scene;
  return fingerprint([server.all(controller.kind), objectsIn(scene)]);
}

async function play(
  scene: Scene,
  jury: Jury,
  { skipped, reasons }: { readonly skipped: ReadonlySet<number>; readonly reasons: Set<string> },
): Promise<number> {
  const { chance, history, time, weather } = scene;
  const until = () => jury.broken !== undefined;
  collectGarbage(scene);
  runWorkloads(scene);
  troubleServer(scene);
  const { acts, length } = scheduleActs(scene, skipped);
  const places = chance.happens(0.3) ? ['a', 'b'] : ['a'];
  const listening = withFailureListener(scene.controller, (how) =>
    jury.find('gets a result from each call of desire and assess', how),
  );
  const controller = withAssessmentListener(listening, (assessment) => {
    for (const [type, mark] of Object.entries(assessment.conditions)) if (mark) reasons.add(`${type} ${mark.reason}`);
    const [field] = unknownStatusFields(scene.controller, assessment);
    if (field !== undefined) jury.find('reports only status fields of its kind', `assess returned status.${field}`);
  });
  const fleet = new Fleet(scene, places, controller, (request, by) => jury.leaves(request, by), {
    leaves: (by) => jury.calls(by),
    reaches: (port, request) => jury.performed(port, request),
  });
  await time.advance(length, until);
  if (until()) return acts;

  history.say('-', 'no more faults from here on');
  weather.isCalm = true;
  leaveNames(scene);
  putBackCredentials(scene);
  fleet.calm();
  await settle(scene, jury);
  const { writes } = jury;
  if (!until()) await time.advance(quiet, until);
  if (jury.writes > writes)
    jury.find('stops writing in the desired state', `it wrote ${jury.writes - writes} more times`);
  if (until()) return acts;
  fleet.stop();
  await time.advance(grace, () => until() || fleet.hasEnded);
  if (!fleet.hasEnded) jury.find('stops when it is asked to', `it still runs ${grace / 1000} s later`);
  return acts;
}

/** Waits for the desired state, without changes for so long that every process has received all events. */
async function settle(scene: Scene, jury: Jury): Promise<void> {
  const { meddled, outside, polling, time, weather } = scene;
  const calm = time.now;
  const silence = weather.has('silent watches') ? deadLull : lull;
  // Only a poll of the same system shows what others changed in it.
  const intervals = [...meddled.keys()].map(({ model }) => (polling.get(model.port.name) ?? 0) + glance);
  // The operator looks for an effect after one second, and after twice as long each time.
  const looks = outside.map(({ model }) => 2 * showsWithinOf(model) + glance);
  const needed = Math.max(silence, ...intervals, ...looks);
  while (!jury.broken) {
    await time.advance(glance, () => jury.broken !== undefined);
    const isLull = time.now - Math.max(calm, jury.lastChange) >= needed;
    const isLate = time.now - calm >= patience + needed - silence;
    if (!isLull && !isLate) continue;
    const why = unrest(scene);
    if (isLull && why === undefined) return;
    if (isLate) jury.find('reaches the desired state', why ?? 'it continues to write');
  }
}

/**
 * The same controller, with a callback when `desire` or `assess` throws. Faults never give them incomplete input, so they
 * must not throw. The rejection of a spec is a valid result.
 */
function withFailureListener(controller: Controller, failed: (how: string) => void): Controller {
  const heard =
    <A extends unknown[], R>(name: string, ask: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return ask(...args);
      } catch (error) {
        if (!(error instanceof RejectedError)) failed(`${name} failed${placeOf(error)}: ${messageOf(error)}`);
        throw error;
      }
    };
  return { ...controller, desire: heard('desire', controller.desire), assess: heard('assess', controller.assess) };
}

/** The same controller, with a callback for each assessment. */
function withAssessmentListener(controller: Controller, heard: (assessment: Assessment) => void): Controller {
  const assess: Controller['assess'] = (...args) => {
    const assessment = controller.assess(...args);
    heard(assessment);
    return assessment;
  };
  return { ...controller, assess };
}

/** The source location of an error. */
function placeOf(error: unknown): string {
  const place = sourceLocationOf(error);
  return place ? ` at ${place.file}:${place.line}:${place.column}` : '';
}
