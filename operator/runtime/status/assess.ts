import type { Kept } from '../cache/stores.js';
import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import { blockerSummary } from '../controller/blocker.js';
import type { Finding } from '../controller/conditions.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Outcome } from '../controller/facts.js';
import { annotationCondition, heldCondition, pausedCondition } from '../controller/owned-status.js';
import { callUserCode } from '../controller/user-code.js';
import { UnjudgedError } from '../kubernetes/errors.js';
import { invalidPauseOf, isPaused } from '../kubernetes/pause.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { shortList } from '../kubernetes/truncate.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Assessed } from '../memory/reconciled-state.js';
import { observedFacts } from '../observe/observed-facts.js';
import { type CallStates, noCalls } from '../ports/external-call.js';
import type { Desired } from '../rendering/render.js';
import { runtimeReasons } from './runtime-reasons.js';
import { type HeldPrune, type Pause, type Result, statusSummary } from './status-summary.js';

/** What a reconcile was to achieve. */
interface Planned extends Pick<Result, 'rejected'> {
  readonly observation: Observation;
  readonly desired?: readonly Desired[] | undefined;
}

/** An object that is no longer desired and is not pruned. */
export interface Held extends Kept {
  /** The cause, for people, after "because". */
  readonly why: string;
  /** True if it is meant to stay. */
  readonly isLeft?: boolean;
}

/** How far a resource got: the findings of its controller and of the runtime. */
export interface AssessedResource extends Assessed {
  readonly result: Result;
  /** The conditions, in the order of the status. */
  readonly findings: readonly Finding[];
}

/**
 * The fourth stage of a reconcile: asks the controller how far the resource got.
 * @throws {UnjudgedError} if that fails for a rejected spec. The rejection must be reported all the same
 */
export function assess(
  context: ReconcileContext,
  { observation, desired, rejected }: Planned,
  applied: Pick<Result, 'blockers' | 'departing'> &
    Partial<Pick<Outcome, 'calls'>> & { readonly held: readonly Held[]; readonly pending?: readonly string[] },
): AssessedResource {
  const { controller, resource } = context;
  const { blockers, calls, departing, held, pending = [] } = applied;
  const prune = heldPrune(context, held);
  const pause = pauseOf(resource, pending);
  const result: Result = {
    ...{ rejected, blockers },
    ...(departing !== undefined && { departing }),
    ...(prune && { prune }),
    ...(pause && { pause }),
  };
  const halted = pause?.isPending ? pause.finding.message : undefined;
  const blocker = blockerSummary(blockers)?.ready.message ?? halted;
  try {
    const assessed = callAssess(resource, observation, { accepted: !rejected, blocker, calls, desired, held });
    return { ...assessed, result, findings: statusSummary(controller, assessed.assessment, result) };
  } catch (error) {
    throw rejected ? new UnjudgedError(rejected, error) : error;
  }
}

/** The result of a reconcile as `assess` sees it. */
interface Attempt extends Pick<Outcome, 'accepted' | 'blocker'> {
  /** @default - none is rendered */
  readonly calls?: CallStates | undefined;
  /** The owned objects to show. @default - all of them */
  readonly desired?: readonly Desired[] | undefined;
  /** Objects that are shown although they are not desired. @default [] */
  readonly held?: readonly Held[] | undefined;
}

/** Calls the controller's `assess` with what is known now. */
export function callAssess(
  resource: CustomResource,
  observation: Observation,
  { desired, held = [], calls = noCalls, ...attempt }: Attempt,
): Assessed {
  const { controller, reconciledState } = observation;
  const facts = observedFacts(resource, observation, desired && { desired, held });
  const dependencies = new ObservedDependencies(observation.external.dependencies);
  const more = { ...attempt, calls, pruning: dependencies.among(facts.pruning) };
  const outcome = Object.assign(dependencies.of(facts), more);
  const assessment = callUserCode(controller.name, 'assess', () => controller.assess(outcome));
  return {
    now: facts.now,
    assessment,
    dependencies,
    versions: reconciledState?.versions(resource, dependencies) ?? '',
  };
}

/** The number of names in the message of a pause. */
const shownPending = 5;

/** @param pending what is not as it is desired, for people */
function pauseOf(resource: CustomResource, pending: readonly string[]): Pause | undefined {
  const [status, sentence] = runtimeReasons.Paused.Paused;
  if (isPaused(resource)) {
    const names = shortList(pending.toSorted(), shownPending);
    const message = names === '' ? sentence : `${sentence}; not as desired: ${names}`;
    return { finding: { type: pausedCondition, status, reason: 'Paused', message }, isPending: names !== '' };
  }
  const message = invalidPauseOf(resource);
  if (message === undefined) return undefined;
  return { finding: { type: annotationCondition, status, reason: 'InvalidValue', message }, isPending: false };
}

/** Milliseconds. A missing answer usually comes sooner, for example after a start of the operator. */
const toldAfter = 60_000;

/** Names the objects whose prune is held for more than a minute. It does not affect `Ready`. */
function heldPrune(
  { clock, heldPrunes, resource }: Pick<ReconcileContext, 'clock' | 'heldPrunes' | 'resource'>,
  kept: readonly Held[],
): HeldPrune | undefined {
  const held = kept.filter(({ isLeft = false }) => !isLeft);
  const now = clock.now();
  const since = heldPrunes?.note(resource.metadata.uid, held.length > 0, now);
  if (since === undefined) return undefined;
  const remains = since + toldAfter - now;
  if (remains > 0) return { requeueAfter: remains };
  const names = held.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`).toSorted();
  const whys = [...new Set(held.map(({ why }) => why))].toSorted();
  const message = `Not pruned since ${timestampOf(new Date(since))}: ${names.join(', ')}, because ${whys.join('; ')}`;
  return { finding: { type: heldCondition, status: 'True', reason: 'NotKnown', message } };
}
