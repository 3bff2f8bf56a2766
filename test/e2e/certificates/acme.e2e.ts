import { X509Certificate } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateResource, certificateKind, httpRouteKind } from '../../../imports/index.js';
import { type LiveSecret, Secret } from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { gatewayPorts } from '../../../src/index.js';
import { account } from '../../acceptance/given/installation.js';
import { until } from '../../chaos/wait.js';
import { Pebble, pebbleAbsence } from '../../operator/engines/acme/pebble-server.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed, read } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { EndpointSlice, isReady, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { operatorPods } from '../cluster/operator-pods.js';
import { leaksOf } from './leaks.js';

const namespace = givenNamespace('acme');
const logs = new FollowedLogs(operatorPods);
afterAll(() => logs[Symbol.asyncDispose]());
const apiVersion = 'reconstruct.dev/v1alpha1';
/** The operator checks the response at this name before the server does. */
const name = `site.${namespace}.svc.cluster.local`;
const selector = 'gateway.networking.k8s.io/gateway-name=web';

/** The address of this machine that Pods reach: that of an API server that runs here. */
async function reachableAddress(): Promise<string | undefined> {
  const slices = await listed(EndpointSlice, {
    namespace: 'default',
    labelSelector: 'kubernetes.io/service-name=kubernetes',
  });
  const addresses = slices.flatMap(({ endpoints = [] }) => (endpoints ?? []).flatMap(({ addresses }) => addresses));
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return addresses.find((address) => own.includes(address));
}

const address = await reachableAddress();
const absent =
  (await pebbleAbsence()) ??
  (address === undefined ? 'the API server runs on another machine, so Pods reach no server here' : undefined);
if (absent !== undefined) console.warn(`no certificate is ordered from Pebble: ${absent}`);

const waitFor = (what: string, isSo: () => Promise<boolean>, within = 120) =>
  until(isSo, { what, within: within * 1000 * slower, every: 250, instead: () => latest });
/** The condition UpToDate as it was read last. */
let latest = '';
const live = async () => (await read(certificateKind, { namespace, name: 'web' })) as CertificateResource | undefined;
const isIssued = async (revision: number) => {
  const certificate = await live();
  const upToDate = conditionOf(certificate, 'UpToDate');
  latest = `${upToDate?.reason}: ${upToDate?.message}`;
  return certificate?.status?.revision === revision && upToDate?.reason === 'UpToDate';
};

/** How often the operator was asked to reconcile a Certificate, its challenges or an Issuer. */
async function reconciles(): Promise<number> {
  const pods = await operatorPods();
  const pages = pods.map(({ metadata }) =>
    kubectl(['get', '--raw', `/api/v1/namespaces/${account.namespace}/pods/${metadata.name}:8080/proxy/metrics`]),
  );
  const lines = (await Promise.all(pages)).flatMap((page) => page.split('\n'));
  const adds = lines.filter((line) => /^workqueue_adds_total\{.*controller="(certificate|issuer)/.test(line));
  return adds.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe.skipIf(absent)('line 6: a Certificate of an ACME server, through a Gateway', () => {
  let pebble: Pebble;

  beforeAll(async () => {
    const http = { name: 'http', port: gatewayPorts.http, protocol: 'HTTP' };
    const gateway = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { namespace, name: 'web' },
    };
    await applied({ ...gateway, spec: { gatewayClassName: 'reconstruct', listeners: [http] } });
    const proxies = async () => (await listed(Pod, { namespace, labelSelector: selector })).filter(isReady);
    await waitFor('a proxy of the Gateway is ready', async () => (await proxies()).length > 0);
    // Certificate authorities look at port 80, where a LoadBalancer would be.
    const site = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name: 'site' } };
    const [key = '', value = ''] = selector.split('=');
    const ports = [{ port: 80, targetPort: gatewayPorts.http }];
    await applied({ ...site, spec: { selector: { [key]: value }, ports } });
    const [proxy] = await proxies();
    const names = { address: proxy?.status?.podIP ?? '', httpPort: gatewayPorts.http };
    pebble = await Pebble.start({ ...(address !== undefined && { address }), names, refusedNonces: 10 });
    const ofOperator = ['--namespace', account.namespace];
    const allowed = `RECONSTRUCT_ALLOWED_ADDRESSES=${address}`;
    await kubectl([...ofOperator, 'set', 'env', `deployment/${account.name}`, allowed]);
    await kubectl([...ofOperator, 'rollout', 'status', `deployment/${account.name}`, '--timeout=120s']);
  });
  afterAll(async () => {
    await pebble?.[Symbol.asyncDispose]();
    const unset = ['set', 'env', `deployment/${account.name}`, 'RECONSTRUCT_ALLOWED_ADDRESSES-'];
    await kubectl(['--namespace', account.namespace, ...unset]);
  });

  it(
    'is issued by a route that is there for seconds, and once more when that is asked for',
    async () => {
      const { directory: server, caBundle } = pebble.server;
      const solvers = [{ http01: { gateway: { name: 'web' } } }];
      const issuer = { apiVersion, kind: 'Issuer', metadata: { namespace, name: 'public' } };
      const spec = { secretName: 'web-tls', issuer: { name: 'public' }, dnsNames: [name] };
      const certificate = { apiVersion, kind: 'Certificate', metadata: { namespace, name: 'web' }, spec };
      const serials = new Set<string>();
      await applied({ ...issuer, spec: { acme: { server, caBundle, solvers } } });
      for (const revision of [1, 2]) {
        const began = Date.now();
        const there = new Set<number>();
        const requested = { ...certificate.metadata, annotations: { 'reconstruct.dev/renew': String(revision) } };
        await applied({ ...certificate, metadata: revision === 1 ? certificate.metadata : requested });
        await waitFor(
          `certificate ${revision}`,
          async () => {
            if ((await listed(httpRouteKind, { namespace })).some(({ metadata }) => metadata.name !== 'web'))
              there.add(Date.now());
            return isIssued(revision);
          },
          180,
        );
        figure(6, `certificate ${revision} was issued after ${seconds(began, Date.now())}`);
        figure(6, `its route was there for ${seconds(Math.min(...there), Math.max(...there))}`);
        expect(there.size).toBeGreaterThan(0);
        const secret = (await read(Secret, { namespace, name: 'web-tls' })) as LiveSecret | undefined;
        const issued = new X509Certificate(Buffer.from(secret?.data?.['tls.crt'] ?? '', 'base64'));
        expect(issued.subjectAltName).toBe(`DNS:${name}`);
        serials.add(issued.serialNumber);
        await waitFor('the route is gone', async () => (await live())?.status?.order === undefined);
      }
      expect(serials.size).toBe(2);
      const left = await kubectl([
        '--namespace',
        namespace,
        'get',
        'httproutes,services,endpointslices',
        '--output=name',
      ]);
      expect(left).not.toMatch(/acme/);
    },
    600_000 * slower,
  );

  const note = underKills ? ' (skipped: each new leader reconciles everything)' : '';
  it.skipIf(underKills)(`is not reconciled at rest, and neither is its Issuer${note}`, async () => {
    const before = await reconciles();
    await new Promise((done) => setTimeout(done, 10_000));
    // A look once a second would be ten.
    const more = (await reconciles()) - before;
    // Fewer than before: a Pod of the operator was replaced, and nothing is proved.
    expect(more).toBeGreaterThanOrEqual(0);
    expect(more).toBeLessThan(5);
  });

  it('line 11: has no key of its account or certificate in an object, an event, a log or a metric', async () => {
    expect(await leaksOf(namespace, logs)).toEqual([]);
  });
});
