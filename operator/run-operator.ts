import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { chosen } from './chosen.js';
import { reviewAccess } from './cluster/access-review.js';
import type { Connection } from './cluster/connection.js';
import { KubernetesCluster } from './cluster/kubernetes-cluster.js';
import { Transport } from './cluster/transport.js';
import type { Config } from './config.js';
import { openNumbers } from './numbers/open-numbers.js';
import { startingPodsFrom } from './numbers/starting-pods.js';
import { servePages } from './pages.js';
import { goneNodesFrom } from './postgres/gone-nodes-source.js';
import { openPostgres } from './postgres/open-postgres.js';
import { systemClock } from './runtime/clock.js';
import type { Cluster } from './runtime/cluster.js';
import type { Controller } from './runtime/controller.js';
import { Operator, type OperatorOptions } from './runtime/operator.js';
import type { Provided } from './runtime/port.js';
import type { Log } from './runtime/telemetry.js';
import { jsonLog } from './telemetry/log.js';
import { Metrics } from './telemetry/metrics.js';
import { narrated } from './telemetry/narrated.js';
import { openTelemetrySpans } from './telemetry/spans.js';
import { traced } from './telemetry/traced.js';

/** What running controllers takes. */
export interface RunOptions {
  readonly config: Config;
  readonly connection: Connection;
  /** Ends it in order. */
  readonly signal: AbortSignal;
  /** @default - JSON on standard output, of the configured level */
  readonly log?: Log;
  /** Who answers what the controllers gather, before the operator's own. @default [] */
  readonly ports?: readonly Provided[];
  /** Wraps the way to the API server, but for that of the lease. @default - at level debug what is written is logged */
  readonly through?: (cluster: Cluster) => Cluster;
}

/**
 * Runs the controllers that the configuration chooses against a real API server, with logs, metrics and health, until the signal aborts and what ran has
 * ended.
 */
export async function runOperator(controllers: readonly Controller[], options: RunOptions): Promise<void> {
  const { config, connection, signal, ports = [], log = jsonLog(config.logLevel) } = options;
  const { through = (cluster: Cluster) => (config.logLevel === 'debug' ? narrated(cluster, log, 'debug') : cluster) } =
    options;
  const running = chosen(controllers, config.controllers);
  const metrics = new Metrics();
  const spans = config.tracing ? await openTelemetrySpans() : undefined;
  const telemetry = metrics.telemetry(log, spans);
  const answered = metrics.answersOf(new URL(connection.origin).host);
  const unusable = ({ message }: Error) =>
    telemetry.log.warn({ error: message }, 'new certificates are not used, those before them are');
  const transport = new Transport(connection, { answered, unusable });
  // Renewals that wait behind slow writes would end the term of a process that is well.
  const leaseTransport = new Transport(connection, { connections: 2, answered });
  const cluster = through(new KubernetesCluster(transport));
  const counts = openNumbers(prometheusOf(config), { cluster, clock: systemClock });
  const postgres = openPostgres({ clock: systemClock });
  const operator = new Operator({
    ...config,
    controllers: running,
    ports: [...ports, counts.provided, startingPodsFrom(cluster), goneNodesFrom(cluster), ...postgres.provided],
    cluster: spans ? traced(cluster, spans) : cluster,
    clock: systemClock,
    telemetry,
    identity: `${hostname()}_${randomUUID()}`,
    lease: config.leaderElect ? leaseOf(config, connection, leaseTransport) : undefined,
  });
  metrics.observe(operator);
  const review = (token: string) => reviewAccess(transport, token, '/metrics');
  const servers = await servePages(config, { operator, metrics, review, log: telemetry.log });
  telemetry.log.info({ origin: connection.origin, controllers: running.map(({ name }) => name) }, 'operator started');
  await operator.run(signal);
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all([transport.close(), leaseTransport.close(), counts.close(), postgres.close()]);
  telemetry.log.info({}, 'operator stopped');
}

function prometheusOf({ prometheusUrl: url, prometheusTokenFile: tokenFile, prometheusCaFile: caFile }: Config) {
  return { url, tokenFile, caFile };
}

function leaseOf(config: Config, { namespace }: Connection, transport: Transport): OperatorOptions['lease'] {
  const { leaseName: name, leaseNamespace, leaseDuration, leaseRenewDeadline, leaseRetryPeriod } = config;
  const times = { duration: leaseDuration, renewDeadline: leaseRenewDeadline, retryPeriod: leaseRetryPeriod };
  return { name, namespace: leaseNamespace || namespace, times, cluster: new KubernetesCluster(transport) };
}
