import type { Condition } from '../../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../../operator/runtime/controller/custom-resource.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';

/** An object as the API server returns it, with the fields of a test. */
export function givenObject(kind: string, fields: object = {}, metadata: object = {}): LiveObject {
  const identity = { name: 'reco', namespace: 'default', uid: `uid-of-${kind}`, resourceVersion: '1', ...metadata };
  return { apiVersion: 'v1', kind, metadata: identity, ...fields };
}

/** A resource with conditions, written `Ready=False NoReadyReplica: No replica is ready`. */
export function givenResource(said: readonly string[], fields: object = {}, generation = 1): CustomResource {
  const conditions = said.map((text) => conditionOf(text, generation));
  const spec = { image: 'registry.example.com/reco:1' };
  const status = { phase: 'Pending', conditions };
  return givenObject('Algorithm', { spec, status, ...fields }, { generation: 1 });
}

function conditionOf(text: string, observedGeneration: number): Condition {
  const [, type = '', status = '', reason = '', message = ''] = /^(\w+)=(\w+) (\w+): (.*)$/.exec(text) ?? [];
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { type, status: status as Condition['status'], reason, message, lastTransitionTime, observedGeneration };
}
