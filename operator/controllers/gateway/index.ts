import { gatewayKind } from '../../../imports/index.js';
import { gatewayClassName, requestProblems } from '../../../src/index.js';
import { defineController, optional } from '../../runtime/index.js';
import { owns } from './declarations.js';
import { desire, type ProxySettings } from './desire.js';

/**
 * Runs the proxies of Gateways of class `reconstruct`, in the namespace of the Gateway. It does not write the status of
 * the Gateway, because the proxies do.
 */
export const gateway = gatewayServedBy({ workload: 'Deployment' });

/**
 * Like {@link gateway}, with other settings of the proxies.
 * @throws {Error} if a request is above its limit
 */
export function gatewayServedBy(settings: ProxySettings) {
  const problems = requestProblems('proxy', settings.resources);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return defineController({
    kind: optional(gatewayKind),
    name: 'gateway',
    secondaryFor: ({ spec }) => spec.gatewayClassName === gatewayClassName,
    owns,
    conditions: {},
    statusFields: [],
    desire: (scope, view) => desire(scope, view, settings),
    assess: () => ({ conditions: {} }),
  });
}
