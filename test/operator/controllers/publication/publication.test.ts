import { describe, expect, it, test } from 'vitest';
import {
  dns,
  dnsServer,
  etcdServer,
  givenPublication,
  givenService,
  givenSlice,
  haproxyServer,
  webhookServer,
} from './given-publication.js';
import { PublicationWorld } from './given-world.js';

const name = 'billing.corp.example.com';
const files = (format: 'Hosts' | 'HAProxyMap' | 'PrometheusFileSD' | 'JSON' | 'Env') => ({
  file: { configMap: 'hosts', format },
});
const gatewayApi = 'gateway.networking.k8s.io/v1';
const gateway = (addresses: readonly object[], hostnames: readonly string[], namespace = 'shop') => ({
  ...{ apiVersion: gatewayApi, kind: 'Gateway', metadata: { name: 'public', namespace } },
  spec: {
    gatewayClassName: 'any',
    listeners: hostnames.map((hostname, index) => ({ name: `l${index}`, port: 443, protocol: 'HTTPS', hostname })),
  },
  status: { addresses },
});
const route = (hostnames: readonly string[], status: 'True' | 'False') => ({
  ...{ apiVersion: gatewayApi, kind: 'HTTPRoute', metadata: { name: 'billing', namespace: 'shop' } },
  spec: { hostnames, parentRefs: [{ name: 'public', namespace: 'infra' }], rules: [] },
  status: {
    parents: [
      {
        ...{ controllerName: 'any', parentRef: { name: 'public', namespace: 'infra' } },
        conditions: [
          { type: 'Accepted', status, reason: 'any', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      },
    ],
  },
});
const { name: _, ...routeDns } = dns;

describe('the addresses of a Service', () => {
  it('follow its ready endpoints, of both families', async () => {
    const world = await PublicationWorld.start({}, { objects: [givenService(), givenSlice(['10.1.0.1'])] });
    expect(world.dns(name)).toEqual(['10.1.0.1']);
    await world.given(givenSlice(['10.1.0.3', '10.1.0.1', '10.1.0.2']));
    await world.given(givenSlice(['FD00:0::1'], { name: 'billing-v6' }));
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.3']);
    expect(world.dns(name, 'AAAA')).toEqual(['fd00::1']);
    expect((await world.resource()).status).toMatchObject({
      published: '1/1',
      summary: '10.1.0.1,10.1.0.2,10.1.0.3 + 1 more',
    });
  });

  test.each([
    ['not ready', { conditions: { ready: false } }],
    ['terminating, although it serves', { conditions: { ready: true, serving: true, terminating: true } }],
  ])('are withdrawn while an endpoint is %s', async (_what, endpoint) => {
    const world = await PublicationWorld.start();
    await world.given(givenSlice(['10.1.0.2'], { name: 'other' }));
    await world.given(givenSlice(['10.1.0.1'], { endpoint }));
    expect(world.dns(name)).toEqual(['10.1.0.2']);
  });

  it('have SRV records for the named ports', async () => {
    const world = await PublicationWorld.start({ targets: [{ dns: { ...dns, srv: ['http'] } }] });
    expect(world.dns(`_http._tcp.${name}`, 'SRV')).toEqual([`0 0 8080 ${name}`]);
    await world.edit({ targets: [{ dns }] });
    expect(world.dns(`_http._tcp.${name}`, 'SRV')).toBeUndefined();
    await world.edit({ targets: [{ dns: { ...dns, srv: ['grpc'] } }] });
    expect(await world.message('Published')).toContain('no address has a port named grpc');
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
  });

  it('are published once under a name that two targets write in different ways', async () => {
    const other = { dns: { ...dns, name: 'Billing.corp.example.com', ttl: '5m' } };
    const world = await PublicationWorld.start({ targets: [{ dns }, other] });
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
    expect(await world.reason('Published')).toBe('InvalidTarget');
    expect(await world.message('Published')).toContain(`${name} is the name of another target there`);
  });

  it('are those of its load balancer, and a CNAME for a host name', async () => {
    const balanced = (ingress: readonly object[]) =>
      givenService({ type: 'LoadBalancer' }, { loadBalancer: { ingress } });
    const spec = { addresses: 'LoadBalancer' as const, targets: [{ dns }, { dns: { ...dns, name: '@' } }] };
    const world = await PublicationWorld.start(spec, { objects: [balanced([{ ip: '203.0.113.7' }])] });
    expect(world.dns(name)).toEqual(['203.0.113.7']);
    await world.given(balanced([{ hostname: 'LB.example.net.' }]));
    expect(world.dns(name)).toBeUndefined();
    expect(world.dns(name, 'CNAME')).toEqual(['lb.example.net']);
    expect(world.dns('corp.example.com')).toEqual(['192.0.2.10']);
  });

  it('are those of the ready nodes', async () => {
    const node = (of: string, more: object = {}, status = 'True') => ({
      ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: of, ...more } },
      status: {
        addresses: [{ type: 'InternalIP', address: `10.9.0.${of.slice(-1)}` }],
        conditions: [{ type: 'Ready', status }],
      },
    });
    const excluded = { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } };
    const nodes = [node('node-1'), node('node-2', {}, 'False'), node('node-3', excluded), node('node-4')];
    const objects = [givenService({ type: 'NodePort' }), givenSlice(['10.1.0.1']), ...nodes];
    const world = await PublicationWorld.start({ addresses: 'Nodes' }, { objects });
    expect(world.dns(name)).toEqual(['10.9.0.1', '10.9.0.4']);
    await world.given(givenService({ type: 'NodePort', externalTrafficPolicy: 'Local' }));
    expect(world.dns(name)).toEqual(['10.9.0.1']);
  });
});

describe('Gateways and HTTPRoutes', () => {
  it('are published under their host names in the zone', async () => {
    const objects = [gateway([{ type: 'IPAddress', value: '203.0.113.1' }], ['*.corp.example.com', 'a.example.org'])];
    const world = await PublicationWorld.start({ gateway: 'public', targets: [{ dns: routeDns }] }, { objects });
    expect(world.dns('*.corp.example.com')).toEqual(['203.0.113.1']);
    expect(world.dns('a.example.org')).toBeUndefined();
    expect(await world.reason('Published')).toBe('UpToDate');
  });

  it('have the addresses of those Gateways alone that accepted the route', async () => {
    const objects = [
      gateway([{ type: 'IPAddress', value: '203.0.113.1' }], ['x.corp.example.com'], 'infra'),
      route([name], 'False'),
    ];
    const world = await PublicationWorld.start({ httpRoute: 'billing', targets: [{ dns: routeDns }] }, { objects });
    expect(world.dns(name)).toBeUndefined();
    expect(await world.reason('Fresh')).toBe('NoAddress');
    await world.given(route([name, 'orders.corp.example.com'], 'True'));
    expect(world.dns(name)).toEqual(['203.0.113.1']);
    expect(world.dns('orders.corp.example.com')).toEqual(['203.0.113.1']);
    await world.given(route([name], 'True'));
    expect(world.dns('orders.corp.example.com')).toBeUndefined();
  });
});

describe('a Service without addresses', () => {
  it('keeps the last known ones, in DNS and in files', async () => {
    const world = await PublicationWorld.start({ targets: [{ dns }, files('Hosts')] });
    await world.given(givenSlice([]));
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
    expect(await world.file('hosts')).toEqual({ hosts: '10.1.0.1 billing\n10.1.0.2 billing\n' });
    expect(await world.reason('Fresh')).toBe('NoReadyEndpoint');
    expect(await world.message('Fresh')).toBe(
      'Service billing has no ready endpoint, so the last known addresses stay published',
    );
    expect((await world.resource()).status?.staleSince).toBeDefined();
  });

  it('is withdrawn if the spec says so', async () => {
    const world = await PublicationWorld.start({ onEmpty: 'Withdraw', targets: [{ dns }, files('Hosts')] });
    await world.given(givenSlice([]));
    expect(world.outside('dns-names')).toEqual({});
    expect(await world.file('hosts')).toEqual({ hosts: '' });
    expect(await world.reason('Published')).toBe('UpToDate');
  });

  it('publishes nothing before the first address', async () => {
    const world = await PublicationWorld.start({ targets: [{ dns }, files('Hosts')] }, { objects: [] });
    expect(world.outside('dns-names')).toEqual({});
    expect(await world.file('hosts')).toBeUndefined();
    expect(await world.reason('Fresh')).toBe('ServiceNotFound');
  });
});

describe('targets', () => {
  it('that do not answer hold up no other one, and each is named', async () => {
    const targets = [
      { haproxy: { address: '10.0.0.9:9999', backend: 'billing' } },
      { dns },
      { dns: { ...dns, zone: 'example.org', tsigSecretRef: { name: 'absent' } } },
      files('Hosts'),
    ];
    const world = await PublicationWorld.start(
      { targets },
      {
        ports: [
          dnsServer(),
          etcdServer(),
          webhookServer(),
          {
            ...haproxyServer(),
            answer: () => {
              throw new Error('connect ECONNREFUSED');
            },
          },
        ],
      },
    );
    expect(await world.states()).toEqual(['haproxy Failed', 'dns Published', 'dns Failed', 'file Published']);
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
    const message = await world.message('Published');
    expect(message).toContain('backend billing at 10.0.0.9:9999: connect ECONNREFUSED');
    expect(message).toContain('Secret absent does not exist');
  });

  it('of the same place belong to the older publication', async () => {
    const { apiVersion, kind, spec } = givenPublication({ targets: [{ dns }, files('Hosts')] });
    const archive = {
      apiVersion,
      kind,
      metadata: { name: 'archive', namespace: 'shop', creationTimestamp: '2020-01-01T00:00:00Z' },
      spec,
    };
    const objects = [givenService(), givenSlice(['10.1.0.1']), archive];
    const world = await PublicationWorld.start(
      { targets: [{ dns }, files('Hosts'), { dns: { ...dns, name: 'other' } }] },
      { objects },
    );
    expect(await world.states()).toEqual(['dns Blocked', 'file Blocked', 'dns Published']);
    expect(world.dns(name)).toBeUndefined();
    expect(await world.file('hosts')).toBeUndefined();
    expect(await world.message('Published')).toContain('ServicePublication shop/archive is older and has the place');
  });

  it('with the ConfigMap of another owner leave it alone, and hold up no other one', async () => {
    const foreign = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'hosts', namespace: 'shop' },
      data: { hosts: 'mine' },
    };
    const world = await PublicationWorld.start(
      { targets: [files('Hosts'), { dns }] },
      { objects: [givenService(), givenSlice(['10.1.0.1']), foreign] },
    );
    expect(await world.states()).toEqual(['file Blocked', 'dns Published']);
    expect(await world.file('hosts')).toEqual({ hosts: 'mine' });
  });

  it('with a name that is not in the zone or no name are reported, and stay as they are', async () => {
    const world = await PublicationWorld.start();
    await world.edit({ targets: [{ dns: { ...dns, name: 'a'.repeat(64) } }] });
    expect(await world.reason('Published')).toBe('InvalidTarget');
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
  });
});

describe('a change of a target', () => {
  it.each([
    ['name', { ...dns, name: 'invoices' }, 'invoices.corp.example.com'],
    ['zone', { ...dns, zone: 'example.org' }, 'billing.example.org'],
    ['server', { ...dns, server: '10.0.0.54' }, name],
  ])('of its %s removes the earlier records, with their owner records', async (what, changed, expected) => {
    const world = await PublicationWorld.start();
    await world.edit({ targets: [{ dns: changed }] });
    expect(world.dns(expected)).toEqual(what === 'server' ? world.dns(name) : ['10.1.0.1', '10.1.0.2']);
    const zone = Object.keys(world.outside('dns-names') as object);
    if (what !== 'server') expect(zone.filter((one) => one.includes(name))).toEqual([]);
  });

  describe('a target whose port no address has any more', () => {
    const haproxy = { address: '10.0.0.9:9999', backend: 'billing', port: 'http' };
    const etcd = { endpoints: ['http://10.0.0.5:2379'], key: '/skydns/com/example/billing', port: 'http' };
    const renamed = givenSlice(['10.1.0.1', '10.1.0.2'], { ports: [{ name: 'web', port: 8080, protocol: 'TCP' }] });

    it.each<[string, object]>([
      ['haproxy', { haproxy }],
      ['etcd', { etcd }],
    ])('keeps what it has in %s, and says what is wrong', async (port, target) => {
      const world = await PublicationWorld.start({ targets: [target] as never });
      const before = world.outside(port);
      expect(JSON.stringify(before)).toContain('10.1.0.2');
      await world.given(renamed);
      expect(world.outside(port)).toEqual(before);
      expect(await world.message('Published')).toContain('no address has a port named http');
    });
  });

  it('removes servers of HAProxy and keys of etcd that no target has any more', async () => {
    const targets = [
      { haproxy: { address: '10.0.0.9:9999', backend: 'billing' } },
      { etcd: { endpoints: ['http://10.0.0.5:2379'], key: '/skydns/com/example/billing' } },
      { webhook: { url: 'http://webhook:8888', zone: 'cloud.example.com', name: 'billing' } },
    ];
    const world = await PublicationWorld.start({ targets });
    expect(await world.states()).toEqual(['haproxy Published', 'etcd Published', 'webhook Published']);
    await world.edit({ targets: [{ dns }] });
    expect(world.outside('haproxy')).toEqual([]);
    expect(world.outside('etcd')).toEqual({});
    expect(world.outside('webhook')).toEqual([]);
    expect(await world.reason('Published')).toBe('UpToDate');
  });
});

describe('a place that does not answer any more', () => {
  const away = {
    ...haproxyServer(),
    answer: () => {
      throw new Error('connect ETIMEDOUT');
    },
  };
  const ports = [dnsServer(), away, etcdServer(), webhookServer()];
  const where = 'backend billing at 10.0.0.9:9999';
  const status = {
    claims: [{ type: 'haproxy', address: '10.0.0.9:9999', backend: 'billing' }],
  };

  it('is named until a person lets it go, and holds up no other one', async () => {
    const world = await PublicationWorld.start({}, { ports, status });
    expect(await world.states()).toEqual(['dns Published', 'haproxy Withdrawing']);
    expect(await world.message('Published')).toBe(`Target ${where}: connect ETIMEDOUT`);
    await world.edit({}, { annotations: { 'reconstruct.dev/abandon-targets': where } });
    expect(await world.states()).toEqual(['dns Published']);
    expect((await world.resource()).status?.claims?.map(({ type }) => type)).toEqual(['dns']);
  });
});

describe('records of another owner', () => {
  const theirs = 'heritage=reconstruct,reconstruct/owner=earlier,reconstruct/resource=servicepublication/shop/billing';
  const zone = { [`A ${name}`]: { values: ['10.5.0.1'], ttl: 60 }, [`TXT a-${name}`]: { values: [theirs], ttl: 60 } };
  const ports = [dnsServer(zone), haproxyServer(), etcdServer(), webhookServer()];

  it('stay, and the condition has the owner', async () => {
    const world = await PublicationWorld.start({}, { ports });
    expect(world.outside('dns-names')).toEqual(zone);
    expect(await world.reason('Published')).toBe('Conflict');
    expect(await world.message('Published')).toContain(`belongs to "${theirs}"`);
  });

  it('are taken over by the annotation with their exact owner', async () => {
    const annotations = { 'reconstruct.dev/take-over-records': theirs };
    const world = await PublicationWorld.start({}, { ports, metadata: { annotations } });
    expect(world.dns(name)).toEqual(['10.1.0.1', '10.1.0.2']);
    expect(await world.reason('Published')).toBe('UpToDate');
  });
});

describe('the policy', () => {
  it('UpsertOnly changes records, and removes none', async () => {
    const world = await PublicationWorld.start({ policy: 'UpsertOnly' });
    await world.given(givenSlice(['10.1.0.9']));
    expect(world.dns(name)).toEqual(['10.1.0.9']);
    await world.edit({ policy: 'UpsertOnly', targets: [{ dns: { ...dns, name: 'invoices' } }] });
    expect(world.dns(name)).toEqual(['10.1.0.9']);
  });

  it('DryRun shows the changes, and writes nothing outside', async () => {
    const world = await PublicationWorld.start({ policy: 'DryRun' });
    expect(world.outside('dns-names')).toEqual({});
    expect(await world.reason('Published')).toBe('DryRun');
    expect(await world.message('Published')).toContain(`A ${name}: nothing becomes 10.1.0.1, 10.1.0.2`);
    expect((await world.resource()).status?.claims).toBeUndefined();
  });
});
