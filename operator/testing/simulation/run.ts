import type { Controller } from '../../runtime/controller/controller.js';
import { sourceLocationOf } from '../../runtime/controller/user-code.js';
import { messageOf, RejectedError } from '../../runtime/kubernetes/errors.js';
import { fingerprint } from '../../runtime/ownership/ownership-labels.js';
import type { ControllerCase } from '../contract/controller-contract.js';
import { collectGarbage } from './acts/garbage-collector.js';
import { scheduleActs } from './acts/schedule.js';
import { leaveNames } from './acts/squatters.js';
import { runWorkloads } from './acts/workloads.js';
import { unrest } from './convergence.js';
import { objectsIn, type Plan, type Scene, sceneOf } from './environment/scene.js';
import { Fleet } from './fleet.js';
import { type Broken, Jury } from './jury.js';
import { troubleServer } from './server-faults.js';

/** Milliseconds after the end of all trouble in which the world must come to rest: longer than every backoff. */
const patience = 30 * 60_000;
/** Milliseconds between two looks whether it has. */
const glance = 2_000;
/** Milliseconds without a change after which nobody else is about to do anything. */
const lull = 40_000;
/** The same where a watch may be dead: longer than it takes to be found so. */
const deadLull = 80_000;
/** Milliseconds that the rest must last, beyond the lull: longer than the looks that are repeated for ever. */
const quiet = 45_000;
/** Milliseconds in which a process must end that is asked to. */
const grace = 60_000;

/** What came of one run. */
export interface Run {
  readonly plan: Plan;
  /** How many acts there were to do, those left out included. */
  readonly acts: number;
  readonly broken?: Broken | undefined;
  /** One line for each thing that happened. */
  readonly lines: readonly string[];
  /** The same for the same history. */
  readonly hash: string;
}

/** One history of the operator and its world, from the first start to the last stop, or to the first broken promise. */
export async function run(controller: Controller, given: ControllerCase, plan: Plan): Promise<Run> {
  const scene = sceneOf(controller, given, plan);
  const jury = new Jury(scene);
  const unheard = (error: unknown) => jury.find('lets no failure go unheard', String(error));
  process.on('unhandledRejection', unheard);
  try {
    const acts = await play(scene, jury, plan.skipped ?? new Set());
    scene.history.say('-', `in the end the world is ${worldOf(scene)}`);
    const { lines, hash } = scene.history;
    return { plan, acts, broken: jury.broken, lines, hash };
  } finally {
    process.off('unhandledRejection', unheard);
  }
}

/** A fingerprint of all that there is: what a history does not tell of the objects, it does. */
function worldOf(scene: Scene): string {
  const { controller, server } = scene;
  return fingerprint([server.all(controller.kind), objectsIn(scene)]);
}

async function play(scene: Scene, jury: Jury, skipped: ReadonlySet<number>): Promise<number> {
  const { chance, history, time, weather } = scene;
  const until = () => jury.broken !== undefined;
  collectGarbage(scene);
  runWorkloads(scene);
  troubleServer(scene);
  const { acts, length } = scheduleActs(scene, skipped);
  const places = chance.happens(0.3) ? ['a', 'b'] : ['a'];
  const controller = withFailureListener(scene.controller, (how) =>
    jury.find('gets an answer from desire and assess each time', how),
  );
  const fleet = new Fleet(scene, places, controller, (request, by) => jury.leaves(request, by));
  await time.advance(length, until);
  if (until()) return acts;

  history.say('-', 'from here on nothing goes wrong');
  weather.isCalm = true;
  leaveNames(scene);
  fleet.calm();
  await settle(scene, jury);
  const { writes } = jury;
  if (!until()) await time.advance(quiet, until);
  if (jury.writes > writes) jury.find('rests when everything is done', `it wrote ${jury.writes - writes} times more`);
  if (until()) return acts;
  fleet.stop();
  await time.advance(grace, () => until() || fleet.hasEnded);
  if (!fleet.hasEnded) jury.find('ends when it is asked to', `it still runs ${grace / 1000} s later`);
  return acts;
}

/** Waits until all is as wanted, and has been for so long, with nothing going wrong, that everybody has heard of it. */
async function settle(scene: Scene, jury: Jury): Promise<void> {
  const { time, weather } = scene;
  const calm = time.now;
  const needed = weather.has('silent watches') ? deadLull : lull;
  while (!jury.broken) {
    await time.advance(glance, () => jury.broken !== undefined);
    const isLull = time.now - Math.max(calm, jury.lastChange) >= needed;
    const isLate = time.now - calm >= patience;
    if (!isLull && !isLate) continue;
    const why = unrest(scene);
    if (isLull && why === undefined) return;
    if (isLate) jury.find('brings the world to what is wanted', why ?? 'it goes on writing');
  }
}

/**
 * The same controller, of which is told when `desire` or `assess` fails: whatever goes wrong in the world, it is asked of
 * what is whole. A spec that it rejects is an answer.
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

/** Where in its code. */
function placeOf(error: unknown): string {
  const place = sourceLocationOf(error);
  return place ? ` at ${place.file}:${place.line}:${place.column}` : '';
}
