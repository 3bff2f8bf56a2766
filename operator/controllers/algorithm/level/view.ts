import type { AlgorithmResource } from '../../../../imports/index.js';
import { conditionOf, type Deployment, type Outcome, type Owned } from '../../../runtime/index.js';
import type { PolledMetrics } from '../request-metrics/polled-metrics.js';

/** The input of `assess`. */
export interface LevelView extends Pick<Outcome<AlgorithmResource>, 'resource' | 'now'> {
  readonly siblings: Pick<Owned<typeof Deployment>, 'one'>;
  readonly polled: { readonly numbers: PolledMetrics };
}

/** True of an Algorithm with a service level. */
export function isLevelled(resource: AlgorithmResource): boolean {
  const { lifecycle, sla } = resource.spec;
  return lifecycle !== undefined && (sla !== undefined || hasLatencyTarget(resource));
}

/**
 * True of a target that a gateway can measure, or that has raised the minimum of the autoscaler. Without a gateway
 * `Routed` reports that nothing is measured.
 */
export function hasLatencyTarget(resource: AlgorithmResource): boolean {
  const { spec, status } = resource;
  if (spec.scaling?.targetLatencyMs === undefined) return false;
  const routed = conditionOf(resource, 'Routed');
  const isMeasurable = routed !== undefined && !gatewayless.includes(routed.reason);
  return isMeasurable || status?.scaling !== undefined;
}

/** The reasons of `Routed` in a cluster that cannot measure requests. */
const gatewayless = ['NoGatewayApi', 'NoGateway'];
