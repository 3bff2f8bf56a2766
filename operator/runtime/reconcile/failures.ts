import type { Attempt } from '../concurrency/work-queue.js';
import { type ControllerContext, isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { isObsolete, messageOf } from '../kubernetes/errors.js';
import type { LiveObject } from '../kubernetes/object.js';
import { failureEvent, isDue, isOnlyNews, stackWorthTelling, writeFailureStatus } from '../status/failure-status.js';
import { isSpecChange } from './predicates.js';

/**
 * The failed reconciles of one controller: the state that each had read, and whether an event has reported the
 * failures.
 */
export class Failures {
  /** Resources with a failed reconcile, in the state that it had read, until the failure is reported. */
  readonly #looked = new Map<string, LiveObject>();
  /** Resources with an event about their consecutive failures. */
  readonly #told = new Set<string>();

  constructor(readonly context: ControllerContext) {}

  /** A reconcile of the resource in this state has failed. */
  note(key: string, looked: LiveObject): void {
    this.#looked.set(key, looked);
  }

  /** The series of failures is over: a reconcile succeeded, or the resource is gone. */
  forget(key: string): void {
    this.#told.delete(key);
  }

  /**
   * Logs a failed reconcile, and records an event if it is due. The status is not changed for a spec that the reconcile
   * did not assess. The event is recorded even if the status cannot be written, because that may be the failure.
   */
  async tell(key: string, error: unknown, { failures, id }: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, controller, recorder, stores } = this.context;
    if (failures === 1) this.#told.delete(key);
    const fields = { reconcileID: id, controller: controller.name, key, failures, error: messageOf(error) };
    this.#log(error, fields);
    const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
    const looked = this.#looked.get(key);
    this.#looked.delete(key);
    if (!resource || isOnlyNews(error, failures) || isSpecChange(looked, resource)) return;
    const context: ReconcileContext = { ...this.context, resource, signal };
    try {
      await writeFailureStatus(error, failures, context, new Date(clock.now()));
    } catch (unsaid) {
      const level = isOnlyNews(unsaid, failures) ? 'debug' : 'warn';
      const told = { ...fields, error: messageOf(unsaid) };
      this.context.telemetry.log[level](told, 'Failed to write the failure to the status');
    }
    if (this.#told.has(key) || !isDue(error, failures) || isGone(context)) return;
    this.#told.add(key);
    recorder.record(controller, resource, failureEvent(error, failures));
  }

  #log(error: unknown, fields: { readonly failures: number }): void {
    const { log } = this.context.telemetry;
    if (isOnlyNews(error, fields.failures)) log.debug(fields, 'Objects changed during the reconcile, requeueing');
    else if (isObsolete(error)) log.warn(fields, 'Objects change during each reconcile, requeueing');
    else log.error({ ...fields, stack: stackWorthTelling(error, fields.failures) }, 'Reconcile failed, requeueing');
  }
}
