import type { AlgorithmResource } from '../../../../imports/index.js';
import type { Deployment, Outcome, Owned } from '../../../runtime/index.js';
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
export function hasLatencyTarget({ spec, status }: AlgorithmResource): boolean {
  if (spec.scaling?.targetLatencyMs === undefined) return false;
  const routed = status?.conditions?.find(({ type }) => type === 'Routed');
  const isMeasurable = routed !== undefined && !gatewayless.includes(routed.reason);
  return isMeasurable || status?.scaling !== undefined;
}

/** The reasons of `Routed` in a cluster that cannot measure requests. */
const gatewayless = ['NoGatewayApi', 'NoGateway'];
