import type { AlgorithmResource } from '../../../../imports/index.js';
import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';

/** Reports a latency target that nothing measures, because only trials and service levels measure it. */
export function latencyManagedOf({
  spec: { scaling, lifecycle },
}: AlgorithmResource): Mark<keyof (typeof conditions)['LatencyManaged']> | undefined {
  return scaling?.targetLatencyMs !== undefined && !lifecycle ? { reason: 'NotMeasured' } : undefined;
}
