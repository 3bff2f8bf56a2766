import { againMiddleware, configFile, dialTimeout } from './config-map.js';
import { gatewayPorts } from './identity.js';

/**
 * Where the buckets of the latency histogram end, in milliseconds: each of them is a good `scaling.targetLatencyMs`,
 * since a version can be judged best by a bucket that ends at its target.
 */
export const latencyBuckets: readonly number[] = [
  1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 750, 800, 1000,
  1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 60_000,
];

/** Seconds in which a proxy that is to stop takes requests on: until everybody has heard that it goes. */
export const acceptSeconds = 10;
/**
 * Seconds after which a connection is closed with its next answer. A proxy that is to stop has so led everybody who asks often
 * elsewhere before it closes what is open, which may cost the request that is just coming in.
 */
export const connectionSeconds = 5;
/** Seconds that it then gives to the requests that it has. */
export const finishSeconds = 120;

/** How Traefik serves the Gateways of one namespace, and sees no other. */
export function proxyArguments(namespace: string): string[] {
  return [
    '--global.checkNewVersion=false',
    '--global.sendAnonymousUsage=false',
    `--entryPoints.http.address=:${gatewayPorts.http}`,
    `--entryPoints.http.transport.lifeCycle.requestAcceptGraceTimeout=${acceptSeconds}s`,
    `--entryPoints.http.transport.lifeCycle.graceTimeOut=${finishSeconds}s`,
    `--entryPoints.http.transport.keepAliveMaxTime=${connectionSeconds}s`,
    // A Service sets no limit to the time that a request takes to come in: nor does what stands before it.
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
