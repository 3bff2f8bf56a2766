import type { Metrics } from '../../../operator/telemetry/metrics.js';

/** The values of a metric, without their help. */
export async function lines(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name) && !line.includes('_bucket'));
}
