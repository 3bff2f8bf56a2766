import type { Construct } from 'constructs';
import {
  SparkAttemptObjects,
  SparkSecret,
  SparkSharedObjects,
  sparkAttemptName,
  sparkAuthKeys,
  sparkMemoryProblems,
  sparkResources,
} from '../../../src/index.js';
import { memoryWith } from '../../retry/index.js';
import {
  allowRejection,
  ConfigMap,
  createOnly,
  ExternalCall,
  leave,
  Pod,
  pollValueOf,
  RejectedError,
} from '../../runtime/index.js';
import { driverRemedy } from './attempts/faults.js';
import type { Job } from './job/job.js';
import { planOf } from './plan/index.js';
import { secretIn } from './polls.js';
import { sparkLeftovers } from './ports/leftovers.js';
import { situationOf } from './situation.js';
import type { SparkView } from './view.js';

/** Renders what a SparkJob needs next: the driver of an attempt that is due, and everything that it depends on. */
export function desire(scope: Construct, view: SparkView): void {
  const { metadata, spec, status } = view.resource;
  if (metadata.deletionTimestamp !== undefined) return;
  if (status?.completionTime === undefined) rejectImpossible(spec);
  const situation = situationOf(view);
  const plan = planOf(situation);
  const { name, namespace } = situation;
  for (const driver of plan.left) leave(scope, { kind: Pod, name: driver.name });
  renderLeftovers(scope, situation, plan.leftovers);
  if (!plan.isShared) return;
  const shared = new SparkSharedObjects(scope, 'shared', {
    ...{ name, namespace, isDynamic: spec.executors.dynamic !== undefined },
  });
  const secret = renderSecret(scope, view);
  if (secret && plan.creates) renderAttempt(scope, situation, [shared, secret]);
  else leaveConfig(scope, view, situation);
}

/** The schema cannot express everything. @throws {RejectedError} with what is wrong */
function rejectImpossible(spec: Job['spec']): void {
  const [problem] = sparkMemoryProblems(spec);
  if (problem !== undefined) throw new RejectedError('Invalid', `spec.${problem}`);
}

function renderSecret(scope: Construct, view: SparkView): Construct | undefined {
  const { metadata } = view.resource;
  const secret = secretIn(view) ?? pollValueOf(view.polled.drawn)?.[sparkAuthKeys.driver];
  if (secret === undefined) return undefined;
  const { name, namespace } = metadata;
  const rendered = new SparkSecret(scope, 'secret', { name, namespace, secret });
  createOnly(rendered);
  return rendered;
}

function renderAttempt(scope: Construct, situation: Job, first: readonly Construct[]): void {
  const { name, namespace, uid, spec, memory } = situation;
  const { run, attempt } = memory;
  const objects = new SparkAttemptObjects(scope, `attempt-${run}-${attempt}`, {
    ...{ name, namespace, uid, spec, ref: { run, attempt }, memory: memoryLimits(situation) },
  });
  createOnly(objects);
  objects.config.node.addDependency(...first);
  objects.driver.node.addDependency(objects.config, ...first);
  allowRejection(objects.driver, driverRemedy, { holdsUp: false });
}

/** What is left after a growth of memory, of the roles that grew. */
export function memoryLimits({ spec, memory }: Pick<Job, 'spec' | 'memory'>) {
  const grown = (['driver', 'executor'] as const).flatMap((role) => {
    const growth = memory.retries.memory[role];
    if (!growth) return [];
    return [[role, memoryWith(sparkResources(spec, role).limits.memory, growth)] as const];
  });
  return Object.fromEntries(grown);
}

/** The driver reads its ConfigMap for each executor that it creates. */
function leaveConfig(scope: Construct, { owned }: SparkView, situation: Job): void {
  const running = situation.drivers.filter(({ isOwn, end }) => isOwn && end === undefined);
  const names = running.flatMap(({ ref }) => (ref ? [sparkAttemptName(situation.name, ref)] : []));
  for (const { metadata } of owned.of(ConfigMap)) {
    if (names.includes(metadata.name)) leave(scope, { kind: ConfigMap, name: metadata.name });
  }
}

function renderLeftovers(scope: Construct, { namespace }: Job, executors: ReturnType<typeof planOf>['leftovers']) {
  if (executors.length === 0) return;
  const request = { namespace, executors };
  new ExternalCall(scope, 'leftovers', { port: sparkLeftovers, request, refreshes: ['leftovers'] });
}
