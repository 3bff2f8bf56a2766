import { Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { HttpChallenge, type HttpChallengeEntry } from '../../../src/certificate/challenge/http-challenge.js';

const path = '/.well-known/acme-challenge/a-token';

function objectsFor(entry: HttpChallengeEntry, address = '10.0.0.7', host = 'shop.example.com') {
  const chart = Testing.chart();
  const names = { name: 'shop-tls-acme-1', namespace: 'shop', labels: { 'example.com/a': 'b' } };
  const responder = { address, port: 8089 };
  new HttpChallenge(chart, 'challenge', { ...names, host, token: 'a-token', entry, responder });
  return Testing.synth(chart);
}

describe('the objects of an HTTP-01 challenge', () => {
  it.each(['192.0.2.7', '2001:db8::7'])('match every host for the IP address %s, which no route can name', (host) => {
    const specs = [{ gateway: { name: 'public' } }, { ingressClassName: 'nginx' }].map(
      (entry) => objectsFor(entry, undefined, host).at(-1).spec,
    );
    expect(specs[0].hostnames).toBeUndefined();
    expect(specs[1].rules[0]).not.toHaveProperty('host');
  });

  it.each<{ through: string; entry: HttpChallengeEntry; route: object }>([
    {
      through: 'a Gateway of another namespace',
      entry: { gateway: { name: 'public', namespace: 'gateways', sectionName: 'http' } },
      route: {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        spec: {
          parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'http' }],
          hostnames: ['shop.example.com'],
          rules: [
            {
              matches: [{ path: { type: 'Exact', value: path } }],
              backendRefs: [{ name: 'shop-tls-acme-1', port: 80 }],
            },
          ],
        },
      },
    },
    {
      through: 'an Ingress controller',
      entry: { ingressClassName: 'nginx' },
      route: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        spec: {
          ingressClassName: 'nginx',
          rules: [
            {
              host: 'shop.example.com',
              http: {
                paths: [
                  {
                    path,
                    pathType: 'Exact',
                    backend: { service: { name: 'shop-tls-acme-1', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
    },
  ])('lead through $through to the operator', ({ entry, route }) => {
    const metadata = { name: 'shop-tls-acme-1', namespace: 'shop', labels: { 'example.com/a': 'b' } };
    expect(objectsFor(entry)).toEqual([
      expect.objectContaining({
        kind: 'Service',
        metadata,
        spec: { ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
      }),
      expect.objectContaining({
        kind: 'EndpointSlice',
        metadata: { ...metadata, labels: { ...metadata.labels, 'kubernetes.io/service-name': 'shop-tls-acme-1' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }],
        ports: [{ name: 'http', port: 8089, protocol: 'TCP' }],
      }),
      { ...route, metadata },
    ]);
  });

  it('know an operator with an IPv6 address', () => {
    const [, slice] = objectsFor({ ingressClassName: 'nginx' }, 'fd00::7');
    expect(slice).toMatchObject({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::7'] }] });
  });
});
