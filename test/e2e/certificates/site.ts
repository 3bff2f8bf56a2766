import { readFile } from 'node:fs/promises';
import { projectImage, serverImage } from '../../images/project-images.js';
import { applied, kubectl } from '../cluster/kubectl.js';

const user = 65_532;
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const folder = 'test/e2e/certificates/servers';
const files = ['client.mjs', 'haproxy.cfg', 'nginx.conf', 'server.mjs'];
const node = '/usr/local/bin/node';

/** A program of the site. */
interface Program {
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The process that gets a signal when its files have changed. @default - none */
  readonly reloads?: { readonly process: string; readonly signal: string };
}

const servers: Readonly<Record<string, Program>> = {
  nginx: {
    ...{
      image: projectImage('web-servers'),
      command: ['/usr/sbin/nginx', '-c', '/program/nginx.conf', '-g', 'daemon off;'],
    },
    reloads: { process: 'nginx', signal: 'SIGHUP' },
  },
  haproxy: {
    ...{
      image: projectImage('web-servers'),
      command: ['/usr/sbin/haproxy', '-W', '-db', '-f', '/program/haproxy.cfg'],
    },
    reloads: { process: 'haproxy', signal: 'SIGUSR2' },
  },
  node: { image: serverImage('1.0.0'), command: [node, '/program/server.mjs'], env: { RELOAD: 'files' } },
  rolled: { image: serverImage('1.0.0'), command: [node, '/program/server.mjs'] },
};

/** The servers, each with a Service of its name. */
export const serverNames = Object.keys(servers);

/** What the Certificate states about its consumers: each workload, and the port that proves it. */
export const consumers = [
  ...[
    { deployment: 'nginx', reload: 'Signal' },
    { deployment: 'haproxy', reload: 'Signal' },
  ],
  ...[{ deployment: 'node', reload: 'None' }, { deployment: 'rolled' }],
  ...serverNames.map((service) => ({ service, port: 443 })),
];

/** The totals of the client. */
export interface Totals {
  readonly handshakes: number;
  readonly requests: number;
  /** Connections that a server closed between two requests. */
  readonly reopened: number;
  readonly failures: number;
  readonly reasons: Readonly<Record<string, number>>;
  /** The number of different serial numbers by server, and the one that was seen last. */
  readonly serials: Readonly<Record<string, { readonly different: number; readonly latest: string }>>;
}

/** Starts a site: nginx, HAProxy and two Node.js servers with the certificate of the Secret `shop-tls`. */
export async function startServers(namespace: string): Promise<void> {
  const texts = files.map(async (name) => [name, await readFile(`${folder}/${name}`, 'utf8')] as const);
  const data = Object.fromEntries(await Promise.all(texts));
  await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'programs' }, data });
  for (const [name, program] of Object.entries(servers)) {
    const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } };
    await applied({ ...service, spec: { selector: { app: name }, ports } }, deployment(namespace, name, program));
  }
}

/** Starts the client: 50 handshakes a second with each server that loads its files again. */
export async function startClient(namespace: string): Promise<void> {
  const env = { SERVERS: 'nginx:50,haproxy:50,node:50,rolled:10' };
  const program = { image: serverImage('1.0.0'), command: [node, '/program/client.mjs'], env };
  await applied(deployment(namespace, 'client', program));
}

/** The present totals. Undefined before the first ones. */
export async function totals(namespace: string): Promise<Totals | undefined> {
  const line = await kubectl(['--namespace', namespace, 'logs', 'deployment/client', '--tail=1']).catch(() => '');
  return line.startsWith('{') ? (JSON.parse(line) as Totals) : undefined;
}

function deployment(namespace: string, name: string, { image, command, env = {}, reloads }: Program): object {
  const labels = { app: name };
  const isClient = name === 'client';
  const container = {
    ...{ name: 'program', image, command, securityContext: { ...restricted, readOnlyRootFilesystem: true } },
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    ...(!isClient && { readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 } }),
    volumeMounts: [
      { name: 'program', mountPath: '/program' },
      { name: 'tmp', mountPath: '/tmp' },
      isClient ? { name: 'trusted', mountPath: '/etc/trusted' } : { name: 'shop', mountPath: '/etc/shop' },
    ],
  };
  const reload = reloads && {
    ...{ name: 'reload-signal', image: projectImage('reload-signal'), securityContext: restricted },
    args: ['--directory', '/etc/shop', '--process', reloads.process, '--signal', reloads.signal],
    volumeMounts: [{ name: 'shop', mountPath: '/etc/shop' }],
  };
  const spec = {
    ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 20 },
    ...{ shareProcessNamespace: reload !== undefined, containers: reload ? [container, reload] : [container] },
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
    volumes: [
      { name: 'program', configMap: { name: 'programs' } },
      { name: 'tmp', emptyDir: {} },
      isClient
        ? { name: 'trusted', configMap: { name: 'shop-cas' } }
        : { name: 'shop', secret: { secretName: 'shop-tls' } },
    ],
  };
  const strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } },
    spec: { replicas: 1, selector: { matchLabels: labels }, strategy, template: { metadata: { labels }, spec } },
  };
}
