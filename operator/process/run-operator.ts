import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { reviewAccess } from '../cluster/access-review.js';
import type { Connection } from '../cluster/connection/connection.js';
import { Transport } from '../cluster/http/transport.js';
import { KubernetesCluster } from '../cluster/kubernetes-cluster.js';
import { KubernetesPodLogs } from '../cluster/pod-logs.js';
import type { Config } from '../config/config.js';
import { allowedAddresses } from '../egress/allowed-addresses.js';
import { openEngines } from '../engines/engine.js';
import { engines } from '../engines/index.js';
import type { Controller } from '../runtime/controller/controller.js';
import { systemClock } from '../runtime/ports/clock.js';
import type { Cluster } from '../runtime/ports/cluster.js';
import type { Provided } from '../runtime/ports/external-port.js';
import type { Log } from '../runtime/ports/telemetry.js';
import { Operator, type OperatorOptions } from '../runtime/reconcile/operator.js';
import { jsonLog } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';
import { withRequestSpans } from '../telemetry/request-spans.js';
import { openTelemetrySpans } from '../telemetry/spans.js';
import { withWriteLog } from '../telemetry/write-log.js';
import { serveEndpoints } from './endpoints.js';

/** The options of `runOperator`. */
export interface RunOptions {
  readonly config: Config;
  readonly connection: Connection;
  /** Stops the operator gracefully. */
  readonly signal: AbortSignal;
  /** @default - JSON on standard output, with the configured level */
  readonly log?: Log;
  /** Sources of the ports that the controllers poll, before the operator's own. @default [] */
  readonly ports?: readonly Provided[];
  /** Wraps the access to the API server, except that of the lease. @default - at level debug, writes are logged */
  readonly through?: (cluster: Cluster) => Cluster;
}

/**
 * Runs the configured controllers against a real API server, with logs, metrics and health endpoints, until the signal
 * aborts and all work has ended.
 */
export async function runOperator(controllers: readonly Controller[], options: RunOptions): Promise<void> {
  const { config, connection, signal, ports = [], log = jsonLog(config.logLevel) } = options;
  const {
    through = (cluster: Cluster) => (config.logLevel === 'debug' ? withWriteLog(cluster, log, 'debug') : cluster),
  } = options;
  const selected = selectedControllers(controllers, config.controllers);
  const running = withinNamespaces(config.namespaces, selected);
  const metrics = new Metrics();
  const spans = config.tracing ? await openTelemetrySpans() : undefined;
  const telemetry = metrics.telemetry(log, spans);
  warnOfOmitted({ namespaces: config.namespaces, selected, running }, telemetry.log);
  const answered = metrics.answersOf(new URL(connection.origin).host);
  const unusable = ({ message }: Error) =>
    telemetry.log.warn({ error: message }, 'New client certificates are not usable, keeping the previous ones');
  const transport = new Transport(connection, { answered, unusable });
  // Renewals that wait behind slow writes would end the term of a healthy process.
  const leaseTransport = new Transport(connection, { connections: 2, answered });
  const cluster = through(new KubernetesCluster(transport));
  const addresses = allowedAddresses(config.allowedAddresses);
  const podLogs = new KubernetesPodLogs(transport);
  const opened = openEngines(engines, { config, cluster, podLogs, clock: systemClock, addresses });
  const operator = new Operator({
    ...config,
    controllers: running,
    ports: [...ports, ...opened.provided],
    cluster: spans ? withRequestSpans(cluster, spans) : cluster,
    clock: systemClock,
    telemetry,
    identity: `${hostname()}_${randomUUID()}`,
    lease: config.leaderElect ? leaseOf(config, connection, leaseTransport) : undefined,
  });
  metrics.observe(operator);
  const review = (token: string) => reviewAccess(transport, token, '/metrics');
  const sources = { operator, metrics, review, log: telemetry.log, servers: opened.servers };
  const servers = await serveEndpoints(config, sources);
  telemetry.log.info({ origin: connection.origin, controllers: running.map(({ name }) => name) }, 'Operator started');
  await operator.run(signal);
  await Promise.all(servers.map((server) => server.close()));
  // Engines also read from the API server.
  await opened.close();
  await Promise.all([transport.close(), leaseTransport.close(), addresses.close()]);
  telemetry.log.info({}, 'Operator stopped');
}

function leaseOf(config: Config, { namespace }: Connection, transport: Transport): OperatorOptions['lease'] {
  const { leaseName: name, leaseNamespace, leaseDuration, leaseRenewDeadline, leaseRetryPeriod } = config;
  const times = { duration: leaseDuration, renewDeadline: leaseRenewDeadline, retryPeriod: leaseRetryPeriod };
  return { name, namespace: leaseNamespace || namespace, times, cluster: new KubernetesCluster(transport) };
}

/**
 * The controllers with these names, in their original order. All controllers if no name is given.
 * @throws {Error} that lists the unknown names
 */
export function selectedControllers(
  controllers: readonly Controller[],
  names: readonly string[],
): readonly Controller[] {
  const there = controllers.map(({ name }) => name);
  const unknown = names.filter((name) => !there.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--controllers must be among ${there.join(', ')}, got ${unknown.join(', ')}`);
  }
  return names.length === 0 ? controllers : controllers.filter(({ name }) => names.includes(name));
}

/**
 * The controllers that an operator can run that is limited to some namespaces: without those of optional kinds that are
 * cluster-scoped, because its Roles cannot grant access to them.
 */
export function withinNamespaces(
  namespaces: readonly string[],
  controllers: readonly Controller[],
): readonly Controller[] {
  if (namespaces.length === 0) return controllers;
  return controllers.filter(({ kind }) => kind.namespaced || kind.optional !== true);
}

interface Selection {
  readonly namespaces: readonly string[];
  readonly selected: readonly Controller[];
  readonly running: readonly Controller[];
}

/** Otherwise the resources of these kinds would stay without a status, and nothing would tell why. */
function warnOfOmitted({ namespaces, selected, running }: Selection, log: Log): void {
  const omitted = selected.filter((controller) => !running.includes(controller));
  if (omitted.length === 0) return;
  const kinds = omitted.map(({ kind }) => kind.kind);
  const fields = { namespaces, kinds, controllers: omitted.map(({ name }) => name) };
  log.warn(fields, 'Controllers of cluster-scoped kinds do not run, because only some namespaces are watched');
}
