import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { type Endpoint, LeaderServices, type LeaderServicesProps } from '../../../src/index.js';

const application = { redis: { port: 6379 } } as LeaderServicesProps['application'];
const pod = (name: string, address: string): Endpoint => ({
  ...{ name, uid: `uid-${name}`, address, family: address.includes(':') ? 'IPv6' : 'IPv4' },
});

function slicesOf(props: Pick<LeaderServicesProps, 'endpoints' | 'families'>) {
  const chart = new Chart(new App(), 'chart');
  const names = { name: 'cache', namespace: 'shop', service: 'cache-leader', replicaService: 'cache-replicas' };
  new LeaderServices(chart, 'services', { ...names, application, ...props });
  const objects = chart.toJson() as {
    kind: string;
    metadata: { name: string };
    endpoints?: { addresses: string[] }[];
  }[];
  return Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'EndpointSlice')
      .map(({ metadata, endpoints }) => [metadata.name, endpoints?.map(({ addresses }) => addresses.join())]),
  );
}

describe('the Services of an election', () => {
  it('have an EndpointSlice for each family of their endpoints', () => {
    const endpoints = { leader: [pod('a', '10.0.0.1')], replicas: [pod('b', '10.0.0.2'), pod('c', 'fd00::3')] };
    expect(slicesOf({ endpoints })).toEqual({
      'cache-leader-ipv4': ['10.0.0.1'],
      'cache-replicas-ipv4': ['10.0.0.2'],
      'cache-replicas-ipv6': ['fd00::3'],
    });
  });

  it('keep the EndpointSlices of a family without endpoints, so that an election only changes them', () => {
    const endpoints = { leader: [], replicas: [pod('b', '10.0.0.2')] };
    expect(slicesOf({ endpoints, families: ['IPv4'] })).toEqual({
      'cache-leader-ipv4': undefined,
      'cache-replicas-ipv4': ['10.0.0.2'],
    });
  });
});
