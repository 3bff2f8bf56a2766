import type { ReconcileContext } from '../context/reconcile-context.js';
import { hasFinalizer, isSelected } from '../controller/finalization.js';
import { removeFinalizer } from '../deletion/finalizer.js';
import type { Called } from '../external/decide-calls.js';
import { whyAllStays } from '../rendering/keep.js';
import { isReported, writeReport } from '../status/report.js';
import type { Applied } from './apply-plan.js';
import type { Plan } from './desire.js';

/**
 * Removes the finalizer and the report of a resource that its controller no longer selects, once nothing of it is left.
 * The finalizer is removed only in the version that was read, as for a resource that is being deleted.
 * @returns whether nothing is left
 */
export async function cleanUpUnselected(
  context: ReconcileContext,
  {
    desired,
    keeps,
    left,
    unsettled,
  }: Pick<Plan, 'desired' | 'keeps'> & Pick<Applied, 'left'> & Pick<Called, 'unsettled'>,
): Promise<boolean> {
  const { controller, resource } = context;
  if (isSelected(controller, resource)) return false;
  // What `desire` would undo may not be known, also if no object is left.
  if (whyAllStays(keeps) !== undefined) return false;
  if (desired?.length !== 0 || left.length > 0 || unsettled !== undefined) return false;
  const nothing = { recorded: [], version: resource.metadata.resourceVersion };
  if (hasFinalizer(resource, controller)) await removeFinalizer(nothing, context);
  if (isReported(context)) await writeReport([], context);
  return true;
}
