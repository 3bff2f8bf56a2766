import { describe, expect, it, test } from 'vitest';
import { PublicationWorld } from './given-world.js';

const files = (format: 'Hosts' | 'HAProxyMap' | 'PrometheusFileSD' | 'JSON' | 'Env') => ({
  file: { configMap: 'hosts', format },
});

describe('a file', () => {
  test.each<[format: Parameters<typeof files>[0], data: Readonly<Record<string, string>>]>([
    ['Hosts', { hosts: '10.1.0.1 billing\n10.1.0.2 billing\n' }],
    ['HAProxyMap', { 'addresses.map': '10.1.0.1 billing\n10.1.0.2 billing\n' }],
    ['Env', { BILLING_ADDRESSES: '10.1.0.1,10.1.0.2', BILLING_ENDPOINTS: '10.1.0.1:8080,10.1.0.2:8080' }],
  ])('has the format %s', async (format, data) => {
    const world = await PublicationWorld.start({ targets: [files(format)] });
    expect(await world.file('hosts')).toEqual(data);
  });

  it('has the formats of JSON', async () => {
    const prometheus = await PublicationWorld.start({ targets: [files('PrometheusFileSD')] });
    expect(JSON.parse((await prometheus.file('hosts'))?.['targets.json'] ?? '')).toEqual([
      {
        targets: ['10.1.0.1:8080', '10.1.0.2:8080'],
        labels: { namespace: 'shop', service: 'billing', name: 'billing' },
      },
    ]);
    const json = await PublicationWorld.start({ targets: [files('JSON')] });
    expect(JSON.parse((await json.file('hosts'))?.['endpoints.json'] ?? '')).toMatchObject({
      ...{ source: 'billing', subsets: [{ addresses: ['10.1.0.1', '10.1.0.2'] }] },
    });
  });
});
