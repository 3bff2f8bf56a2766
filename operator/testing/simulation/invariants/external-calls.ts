import type { CustomResource } from '../../../runtime/controller/custom-resource.js';
import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import { neededCalls } from '../environment/expectations.js';
import type { InvariantOf } from './invariant.js';

/** A call that changes nothing was sent before, unless somebody else changed the system meanwhile. */
export const repeatedCalls: InvariantOf = ({ meddled }) => {
  /** How often others had changed the system when a request was carried out last, by port and request. */
  const seen = new Map<string, number>();
  return {
    promise: 'sends no external call twice for one change',
    onPerformed: (port, { isChange, request }) => {
      const text = JSON.stringify(request);
      const key = `${port.model.port.name} ${text}`;
      const before = seen.get(key) ?? 0;
      const now = meddled.get(port) ?? 0;
      seen.set(key, now);
      return isChange || now > before ? undefined : `${text} was carried out before`;
    },
  };
};

/** A resource is gone only when nothing of it is left outside of the cluster. */
export const externalCleanup: InvariantOf = (scene) => {
  const { controller, expectations, meddled } = scene;
  return {
    promise: 'completes a deletion only after the cleanup outside of the cluster',
    onEffect: ({ request, before, after }) => {
      if (!before || after || groupKindOf(request.kind) !== groupKindOf(controller.kind)) return undefined;
      const { metadata } = before;
      const deleted = { ...before, metadata: { ...metadata, deletionTimestamp: metadata.deletionTimestamp ?? 'now' } };
      const [call] = meddled.size > 0 ? [] : neededCalls(expectations, deleted as CustomResource);
      return call && `${before.metadata.name} was deleted, but call ${call.name} is still needed`;
    },
  };
};
