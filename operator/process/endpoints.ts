import type { Config } from '../config/config.js';
import type { EngineServer } from '../engines/engine.js';
import { messageOf } from '../runtime/kubernetes/errors.js';
import { systemClock } from '../runtime/ports/clock.js';
import type { Log } from '../runtime/ports/telemetry.js';
import type { Operator } from '../runtime/reconcile/operator.js';
import { type Admission, Guard } from '../telemetry/guard.js';
import type { Metrics } from '../telemetry/metrics.js';
import { type Listening, listen, type Page, type Protection, serve } from '../telemetry/server.js';
import { sharedText } from '../telemetry/shared-text.js';

export interface EndpointSources {
  readonly operator: Operator;
  readonly metrics: Metrics;
  /** Whether the bearer of a token may see the metrics. */
  readonly review: (token: string) => Promise<Admission>;
  readonly log: Log;
  /** Servers of engines. @default [] */
  readonly servers?: readonly EngineServer[];
}

/**
 * Serves health and the servers of engines to every client, and metrics to the clients that the configuration admits.
 * @throws {Error} if one of them cannot be served. Then none is, and nothing keeps the process alive
 */
export async function serveEndpoints(config: Config, pages: EndpointSources): Promise<readonly Listening[]> {
  const begun = await Promise.allSettled(beginnings(config, pages));
  const served = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = begun.find((one) => one.status === 'rejected');
  if (!failed) return served;
  await Promise.all(served.map((server) => server.close()));
  throw failed.reason;
}

function beginnings(config: Config, sources: EndpointSources): Promise<Listening>[] {
  const { operator, metrics, review, log, servers = [] } = sources;
  const { healthPort, metricsPort, metricsCertPath, metricsAuth } = config;
  const protection: Protection = {
    tlsFolder: metricsCertPath || undefined,
    guard: metricsAuth ? new Guard(systemClock, review) : undefined,
    failed: (error) =>
      log.warn({ error: messageOf(error) }, 'New metrics certificate is not usable, keeping the previous one'),
  };
  return [
    ...(healthPort > 0 ? [serve(healthPort, healthPages(operator))] : []),
    ...servers.map(({ server, port }) => listen(server, port)),
    ...(metricsPort > 0 ? [serve(metricsPort, metricsPages(metrics), protection)] : []),
  ];
}

function healthPages(operator: Operator): Record<string, Page> {
  return {
    '/healthz': {
      body: () => {
        if (operator.stuck.length > 0) throw new Error(`the watches of ${operator.stuck.join(', ')} are stuck`);
        return 'ok\n';
      },
    },
    '/readyz': {
      body: () => {
        if (!operator.ready) throw new Error('the caches are not filled yet');
        return 'ok\n';
      },
    },
  };
}

function metricsPages({ registry }: Metrics): Record<string, Page> {
  return { '/metrics': { contentType: registry.contentType, body: sharedText(systemClock, () => registry.metrics()) } };
}
