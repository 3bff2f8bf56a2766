import { inParallel } from '../concurrency/parallel.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, holdsUp } from '../controller/blocker.js';
import { messageOf } from '../kubernetes/errors.js';
import { searchIn } from '../ownership/pod-owner.js';
import { withOwnershipLabels } from '../ownership/wish.js';
import { recordEvent } from '../ports/event-recorder.js';
import { type Desired, fieldsOf } from '../rendering/render.js';
import { applyEvents, type Changed } from './apply-events.js';
import { decide, type Wanted } from './decide.js';
import type { Answer, Decision, News } from './decision.js';
import { keep, keepFailure, send } from './send.js';

/**
 * Applies the desired objects wave after wave, a few of one wave at the same time. An incomplete wave stops the later
 * waves, but not its own other objects.
 *
 * @returns the blockers, up to the first wave that others must wait for. Empty if everything is as desired
 * @throws {AggregateError} the errors of the first wave in which something failed
 */
export async function apply(desired: readonly Desired[], context: ReconcileContext): Promise<Blocker[]> {
  const { foreignDeletions, resource } = context;
  const deleted = foreignDeletions?.of(resource.metadata.uid) ?? new Set();
  const changed: Changed[] = [];
  try {
    const blockers = await applyWaves(desired, context, changed);
    foreignDeletions?.settle(resource.metadata.uid, deleted);
    return blockers;
  } finally {
    for (const event of applyEvents(changed, deleted)) recordEvent(event, context, resource);
  }
}

async function applyWaves(
  desired: readonly Desired[],
  context: ReconcileContext,
  changed: Changed[],
): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  for (const wave of wavesOf(desired)) {
    const outcomes = await inParallel(wave, (one) => bring(one, context, changed));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failed.length === 1) throw failed[0];
    if (failed.length > 1) throw new AggregateError(failed, failed.map(messageOf).join('; '));
    blockers.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : [])));
    if (blockers.some(holdsUp)) break;
  }
  return blockers;
}

function wavesOf(desired: readonly Desired[]): Desired[][] {
  const waves = new Map<number, Desired[]>();
  for (const one of desired) waves.set(one.wave, [...(waves.get(one.wave) ?? []), one]);
  return [...waves].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

/** Sends requests for one object until it is as desired or blocked. */
async function bring(desired: Desired, context: ReconcileContext, changed: Changed[]): Promise<Blocker | undefined> {
  const wanted = wantedOf(desired, context);
  const before = context.stores.of(desired.kind).get(desired.key);
  let news: News = {};
  let isCreated = false;
  for (let answer: Answer = { live: before }; ; ) {
    const decision = decided(wanted, answer);
    if (decision.memo) keep(decision.memo, context);
    if (decision.news) tell(decision.news, desired, context);
    news = { ...news, ...decision.news };
    if (decision.do === 'rest') {
      changed.push({ desired, before, isCreated, reverts: news.reverts });
      return undefined;
    }
    if (decision.do === 'block') return decision.blocker;
    answer = await send(decision, context);
    isCreated ||= decision.do === 'create' && decision.why === 'missing' && answer.error === undefined;
  }
}

/** What an apply would do about objects that are not as desired. It sends nothing and remembers nothing. */
export function pendingChanges(
  desired: readonly Desired[],
  context: ReconcileContext,
): { readonly pending: readonly Desired[]; readonly blockers: readonly Blocker[] } {
  const decisions = desired.map((one) => ({ one, decision: firstDecision(one, context) }));
  return {
    pending: decisions.filter(({ decision }) => !['rest', 'block'].includes(decision.do)).map(({ one }) => one),
    blockers: decisions.flatMap(({ decision }) => (decision.do === 'block' ? [decision.blocker] : [])),
  };
}

function firstDecision(desired: Desired, context: ReconcileContext): Decision {
  return decide(wantedOf(desired, context), { live: context.stores.of(desired.kind).get(desired.key) });
}

function wantedOf(desired: Desired, context: ReconcileContext): Wanted {
  const { controller, resource, appliedState, writeGuard } = context;
  const by = { controller: controller.name, kind: controller.kind, owner: resource, search: searchIn(context) };
  return { controller, resource, appliedState, writeGuard, desired, wish: withOwnershipLabels(desired, by) };
}

/** The decision that follows from an answer. @throws the error of a request from which none follows */
function decided(wanted: Wanted, answer: Answer): Decision {
  try {
    return decide(wanted, answer);
  } catch (error) {
    keepFailure(answer, wanted);
    throw error;
  }
}

function tell({ reverts, isMissing, tripped }: News, desired: Desired, context: ReconcileContext): void {
  const { controller, telemetry } = context;
  if (reverts) telemetry.log.info({ ...fieldsOf(desired, context), fields: reverts }, 'Reverting drift');
  if (isMissing) telemetry.log.info(fieldsOf(desired, context), 'Created missing object');
  if (tripped) telemetry.breakerTripped({ controller: controller.name, kind: desired.kind.kind, reason: tripped });
}
