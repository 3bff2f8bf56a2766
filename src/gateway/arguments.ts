import { againMiddleware, configFile, dialTimeout } from './config-map.js';
import { gatewayPorts } from './identity.js';

/**
 * The upper bounds of the buckets of the latency histogram, in milliseconds. Each is a good `scaling.targetLatencyMs`,
 * because the judgement of a version is most precise if a bucket ends at its target.
 */
export const latencyBuckets: readonly number[] = [
  1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 750, 800, 1000,
  1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 60_000,
];

/** Seconds for which a stopping proxy still accepts requests, until all clients know that it stops. */
export const acceptSeconds = 10;
/**
 * Seconds after which a proxy closes a connection with its next answer. A stopping proxy thus moves busy clients to
 * other proxies before it closes the open connections, which could lose an incoming request.
 */
export const connectionSeconds = 5;
/** Seconds that a stopping proxy then has to finish its requests. */
export const finishSeconds = 120;

/** The arguments with which Traefik serves the Gateways of one namespace and watches no other. */
export function proxyArguments(namespace: string): string[] {
  return [
    '--global.checkNewVersion=false',
    '--global.sendAnonymousUsage=false',
    `--entryPoints.http.address=:${gatewayPorts.http}`,
    `--entryPoints.http.transport.lifeCycle.requestAcceptGraceTimeout=${acceptSeconds}s`,
    `--entryPoints.http.transport.lifeCycle.graceTimeOut=${finishSeconds}s`,
    `--entryPoints.http.transport.keepAliveMaxTime=${connectionSeconds}s`,
    // A Service does not limit the time to read a request, so its proxies do not limit it either.
    '--entryPoints.http.transport.respondingTimeouts.readTimeout=0s',
    `--entryPoints.http.http.middlewares=${againMiddleware}`,
    `--serversTransport.forwardingTimeouts.dialTimeout=${dialTimeout}ms`,
    `--providers.file.filename=${configFile.folder}/${configFile.name}`,
    `--entryPoints.metrics.address=:${gatewayPorts.metrics}`,
    `--entryPoints.metrics.transport.lifeCycle.requestAcceptGraceTimeout=${acceptSeconds}s`,
    '--ping=true',
    '--ping.entryPoint=metrics',
    '--metrics.prometheus=true',
    '--metrics.prometheus.entryPoint=metrics',
    '--metrics.prometheus.addEntryPointsLabels=false',
    `--metrics.prometheus.buckets=${latencyBuckets.map((milliseconds) => milliseconds / 1000).join(',')}`,
    '--providers.kubernetesGateway=true',
    `--providers.kubernetesGateway.namespaces=${namespace}`,
    '--providers.providersThrottleDuration=200ms',
  ];
}
