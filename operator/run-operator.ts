import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Connection } from './cluster/connection.js';
import { KubernetesCluster } from './cluster/kubernetes-cluster.js';
import { Transport } from './cluster/transport.js';
import type { Config } from './config.js';
import { systemClock } from './runtime/clock.js';
import type { Controller } from './runtime/controller.js';
import { Operator } from './runtime/operator.js';
import { jsonLog } from './telemetry/log.js';
import { Metrics } from './telemetry/metrics.js';
import { type Page, serve } from './telemetry/server.js';

/**
 * Runs controllers against a real API server, with logs, metrics and health, until the signal aborts and what ran has
 * ended.
 */
export async function runOperator(
  controllers: readonly Controller[],
  { config, connection, signal }: { config: Config; connection: Connection; signal: AbortSignal },
): Promise<void> {
  const metrics = new Metrics();
  const telemetry = metrics.telemetry(jsonLog(config.logLevel));
  const answered = metrics.answersOf(new URL(connection.origin).host);
  const transport = new Transport(connection, { answered });
  // Renewals that wait behind slow writes would end the term of a process that is well.
  const leaseTransport = new Transport(connection, { connections: 2, answered });
  const operator = new Operator({
    ...config,
    controllers,
    cluster: new KubernetesCluster(transport),
    clock: systemClock,
    telemetry,
    identity: `${hostname()}_${randomUUID()}`,
    lease: config.leaderElect
      ? {
          name: config.leaseName,
          namespace: config.leaseNamespace || connection.namespace,
          cluster: new KubernetesCluster(leaseTransport),
        }
      : undefined,
  });
  metrics.observe(operator);
  const servers = await Promise.all([
    ...(config.healthPort > 0 ? [serve(config.healthPort, healthPages(operator))] : []),
    ...(config.metricsPort > 0 ? [serve(config.metricsPort, metricsPages(metrics))] : []),
  ]);
  telemetry.log.info(
    { origin: connection.origin, controllers: controllers.map(({ name }) => name) },
    'operator started',
  );
  await operator.run(signal);
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all([transport.close(), leaseTransport.close()]);
  telemetry.log.info({}, 'operator stopped');
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
  return { '/metrics': { contentType: registry.contentType, body: () => registry.metrics() } };
}
