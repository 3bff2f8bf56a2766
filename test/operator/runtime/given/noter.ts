import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import { add, type Widget, widgetController } from './widgets.js';

const isWorking = (resource: object) => (resource as Widget).spec.workload === true;
/** A further controller of Widgets, which notes how far the Deployment of the first one is. */
export const noter = widgetController({
  ...{
    name: 'noter',
    secondaryFor: isWorking,
    owns: [ConfigMap],
    watchesSiblings: [Deployment],
    statusFields: ['note'],
  },
  conditions: { Noted: { Done: ['True', 'it is noted'], Waiting: ['Unknown', 'nothing is there yet'] } },
  desire: ((scope, { resource, siblings }) => {
    const ready = String(
      (siblings.one(Deployment)?.status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0,
    );
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-note`, { data: { ready } });
  }) satisfies Controller['desire'],
  assess: () => ({ conditions: { Noted: { reason: 'Done' } } }),
} as object);
