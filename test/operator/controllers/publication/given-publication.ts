import { servicePublicationSpec, withDefaults } from '../../../../crds/index.js';
import type { ServicePublicationResource, ServicePublicationSpecInput } from '../../../../imports/index.js';
import { etcdKeys } from '../../../../operator/controllers/publication/ports/etcd.js';
import { type HaproxyServer, haproxy } from '../../../../operator/controllers/publication/ports/haproxy.js';
import { podShutdown } from '../../../../operator/controllers/publication/ports/pod-shutdown.js';
import { type DnsEndpoint, dnsProviderWebhook } from '../../../../operator/controllers/publication/ports/webhook.js';
import { servicePublication } from '../../../../operator/controllers/publication/service-publication/index.js';
import { dnsLookup } from '../../../../operator/dns/dns-lookup.js';
import { dnsNames, type NamesRequest } from '../../../../operator/dns/dns-names.js';
import type { Prerequisite } from '../../../../operator/dns/dns-records.js';
import { refer } from '../../../../operator/runtime/controller/reads.js';
import { CallError, type Controller, Secret } from '../../../../operator/runtime/index.js';
import { fakeSource, portModel } from '../../../../operator/testing/index.js';

/** A DNS target of the zone `corp.example.com`. */
export const dns = {
  ...{ server: '10.0.0.53', zone: 'corp.example.com', name: 'billing', tsigSecretRef: { name: 'ddns' } },
};

/** The UID of the publication `billing`. */
export const uid = '12345678-aaaa-bbbb-cccc-000000000001';

/** The owner of the records of the publication `billing`. */
export const owner = `heritage=reconstruct,reconstruct/owner=${uid},reconstruct/resource=servicepublication/shop/billing`;

interface Given {
  readonly status?: ServicePublicationResource['status'];
  readonly metadata?: object;
}

/** The publication `billing` in the namespace `shop`. */
export function givenPublication(
  spec: Partial<ServicePublicationSpecInput> = {},
  { status, metadata }: Given = {},
): ServicePublicationResource {
  const isOfService = spec.gateway === undefined && spec.httpRoute === undefined;
  const input = {
    ...(isOfService && { service: 'billing' }),
    targets: [{ dns }],
    ...spec,
  } as ServicePublicationSpecInput;
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'ServicePublication' },
    metadata: { name: 'billing', namespace: 'shop', uid, generation: 1, ...metadata },
    spec: withDefaults(servicePublicationSpec, input),
    ...(status && { status }),
  } as unknown as ServicePublicationResource;
}

/** The Service `billing`. */
export function givenService(spec: object = {}, status: object = {}) {
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'billing', namespace: 'shop' } },
    spec: { type: 'ClusterIP', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }], ...spec },
    status,
  };
}

/** An EndpointSlice of the Service `billing`. The Pods of the addresses are `billing-1`, `billing-2`. */
export function givenSlice(
  addresses: readonly string[],
  { name = 'billing-abc', endpoint = {}, ports = [{ name: 'http', port: 8080, protocol: 'TCP' }] } = {},
) {
  return {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'billing' } },
    addressType: addresses[0]?.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((address, index) => ({
      ...{ addresses: [address], conditions: { ready: true }, nodeName: `node-${index + 1}` },
      targetRef: { kind: 'Pod', name: `billing-${index + 1}` },
      ...endpoint,
    })),
    ports,
  };
}

interface Rrset {
  readonly values: readonly string[];
  readonly ttl: number;
}

type Zone = Readonly<Record<string, Rrset>>;

function holds(zone: Zone, requirement: Prerequisite): boolean {
  const { name } = requirement;
  if (!('type' in requirement)) {
    const isThere = Object.keys(zone).some((key) => key.endsWith(` ${name}`));
    return isThere === (requirement.require === 'yxdomain');
  }
  const live = zone[`${requirement.type} ${name}`]?.values;
  if (requirement.require === 'nxrrset') return live === undefined;
  const { values } = requirement;
  return live !== undefined && (!values || values.toSorted().join(' ') === live.toSorted().join(' '));
}

function updated(zone: Zone, { updates }: Pick<NamesRequest, 'updates'>): Zone {
  let refused = 0;
  const after = updates.reduce((before, { requires = [], changes }) => {
    if (!requires.every((one) => holds(before, one))) {
      refused += 1;
      return before;
    }
    return changes.reduce((now, change) => {
      const key = `${change.type} ${change.name}`;
      const { [key]: _, ...others } = now;
      if (change.action !== 'set' || change.values.length === 0) return others;
      const hasAlias = `CNAME ${change.name}` in others && change.type !== 'CNAME';
      const hasOthers = change.type === 'CNAME' && Object.keys(others).some((one) => one.endsWith(` ${change.name}`));
      // A server ignores these without an error.
      if (hasAlias || hasOthers) return now;
      return { ...others, [key]: { values: change.values.toSorted(), ttl: change.ttl } };
    }, before);
  }, zone);
  if (refused > 0 && after === zone)
    throw new CallError('retryable', 'YXRRSET: a prerequisite does not hold', { mayHaveEffect: false });
  return after;
}

/** A DNS server with some RRsets, by their types and names. */
export const dnsServer = (zone: Zone = {}) =>
  portModel(dnsNames, {
    state: zone,
    answer: (all, { rrsets }) => ({
      rrsets: rrsets.map(({ name, type }) => {
        const alias = all[`CNAME ${name}`]?.values[0];
        return { ...(all[`${type} ${name}`] ?? { values: [] }), ...(alias !== undefined && { alias }) };
      }),
    }),
    perform: updated,
    showsWithin: 0,
  });

/** A HAProxy with some servers. */
export const haproxyServer = (servers: readonly HaproxyServer[] = []) =>
  portModel(haproxy, {
    state: servers,
    answer: (all) => ({ servers: all }),
    perform: (all, { changes }) =>
      changes.reduce((now, change) => {
        const others = now.filter(({ name }) => name !== change.name);
        if (change.act === 'delete') return others;
        const live = now.find(({ name }) => name === change.name);
        if (change.act === 'set') return live ? [...others, { ...live, state: change.state }] : now;
        const { name, address, port } = change;
        const added = { name, address, port, state: 'maint' as const, isDown: false, isBusy: false };
        return live ? now : now.concat(added);
      }, all),
    showsWithin: 0,
  });

/** An etcd with some keys. */
export const etcdServer = (keys: Readonly<Record<string, string>> = {}) =>
  portModel(etcdKeys, {
    state: keys,
    answer: (all, { key, ownerKey }) => {
      const own = Object.entries(all).filter(([name]) => name === key || name.startsWith(`${key}/`));
      const found = all[ownerKey];
      return { values: Object.fromEntries(own), ...(found !== undefined && { owner: found }) };
    },
    perform: (all, { requires, put = {}, delete: gone = [] }) => {
      const isMet = requires.every((one) => (one.is === 'absent' ? !(one.key in all) : all[one.key] === one.value));
      if (!isMet) throw new CallError('retryable', 'a condition does not hold', { mayHaveEffect: false });
      return Object.fromEntries(Object.entries({ ...all, ...put }).filter(([name]) => !gone.includes(name)));
    },
    showsWithin: 0,
  });

/** A webhook with some endpoints. */
export const webhookServer = (endpoints: readonly DnsEndpoint[] = []) => {
  const keyOf = ({ dnsName, recordType }: DnsEndpoint) => `${recordType} ${dnsName}`;
  return portModel(dnsProviderWebhook, {
    state: endpoints,
    answer: (all, { names, wanted }) => ({
      endpoints: all.filter(({ dnsName }) => names.includes(dnsName)),
      adjusted: wanted,
      excluded: [],
    }),
    perform: (all, { create = [], updateOld = [], updateNew = [], delete: gone = [] }) => {
      const removed = new Set([...updateOld, ...gone].map(keyOf));
      return [...all.filter((one) => !removed.has(keyOf(one))), ...create, ...updateNew];
    },
    showsWithin: 0,
  });
};

/** Pods that sleep for a minute before they end. */
export const pods = fakeSource(podShutdown, ({ pods: names }) => ({
  pods: names.map((name) => ({
    ...{ name, isMissing: false, gracePeriodSeconds: 90 },
    containers: [{ name: 'web', ports: [8080], sleep: 60 }],
  })),
}));

/** Addresses of each host name. */
export const lookup = fakeSource(dnsLookup, () => ({ ipv4: ['192.0.2.10'], ipv6: [] }));

/** The Secret with the TSIG key. */
export const tsigSecret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ddns', namespace: 'shop' } },
  data: { name: Buffer.from('ddns').toString('base64'), secret: Buffer.from('key').toString('base64') },
};

/** The controller, with a read of the Secret, so that a test of any controller can have it in its cluster. */
export const withTsigSecret: Controller = {
  ...servicePublication,
  reads: {
    ...servicePublication.reads,
    secret: refer.named(
      Secret,
      () => 'ddns',
      () => 'ddns',
    ),
  },
};
