/** An application whose Pods serve HTTP on port 8080. */
export interface ServedApp {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly replicas: number;
  /** In the answers. Another one is another template. */
  readonly version: string;
  /** Seconds for which a Pod serves on after it is deleted. */
  readonly servesOn: number;
}

/** Answers with its version, and ends at once when it is told to. */
const program = `
  const { createServer } = require('node:http');
  const headers = { 'x-version': process.env.VERSION, connection: 'close' };
  const server = createServer((_, response) => response.writeHead(200, headers).end('ok')).listen(8080);
  process.once('SIGTERM', () => server.close(() => process.exit(0)));`;

/** The objects of an application: a Deployment, and a Service with the port `http`. */
export function servedApp({ namespace, name, image, replicas, version, servesOn }: ServedApp): readonly object[] {
  const labels = { app: name };
  const container = {
    ...{ name: 'server', image, command: ['node', '-e', program], env: [{ name: 'VERSION', value: version }] },
    ports: [{ name: 'http', containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 1, timeoutSeconds: 5 },
    lifecycle: { preStop: { sleep: { seconds: servesOn } } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const template = {
    metadata: { labels },
    spec: {
      ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: servesOn + 15, containers: [container] },
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    },
  };
  const strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  return [
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } },
      spec: { replicas, strategy, selector: { matchLabels: labels }, template },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ];
}
