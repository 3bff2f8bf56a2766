import { describe, expect, it } from 'vitest';
import { servicePublicationKind } from '../../../../imports/index.js';
import { annotatedRoute, annotatedService } from '../../../../operator/controllers/publication/annotated/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { trialsOf } from '../../../../operator/testing/contract/trial/trials.js';
import { controllerContract } from '../../../../operator/testing/index.js';
import { dns, givenPublication } from './given-publication.js';

const targets = [
  { dns: { ...dns, srv: ['http'] } },
  { file: { configMap: 'hosts', format: 'Hosts' as const } },
  { haproxy: { address: '10.0.0.9:9999', backend: 'billing' } },
  { webhook: { url: 'http://dns-webhook.dns:8888', zone: 'cloud.example.com', name: 'billing' } },
  { etcd: { endpoints: ['https://10.0.0.5:2379'], key: '/skydns/com/example/billing' } },
];
const { metadata: _, ...like } = givenPublication({ targets, drain: '5s' });
const publication = { ...like, metadata: { name: 'billing', namespace: 'shop' } };
const annotations = { 'reconstruct.dev/publish-like': 'billing' };
const metadata = { name: 'orders', namespace: 'shop', annotations };
const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata, spec: { rules: [] } };

async function published(controller: Controller, resource: object, reads: readonly object[] = [publication]) {
  const { trial } = await trialsOf(controller, { resource, edited: {}, reads } as never).start();
  const { items } = await trial.memory.list(servicePublicationKind, {});
  return items.filter((one) => one.metadata.name !== 'billing') as unknown as readonly ReturnType<
    typeof givenPublication
  >[];
}

describe('an annotated Service', () => {
  it('is published like the publication, with its own name in each target', async () => {
    const [own] = await published(annotatedService, service);
    expect(own?.metadata.name).toBe('orders-service');
    expect(own?.spec).toMatchObject({ service: 'orders', drain: '5s', onEmpty: 'Keep' });
    expect(own?.spec.targets).toMatchObject([
      { dns: { zone: 'corp.example.com', name: 'orders', srv: ['http'] } },
      { file: { configMap: 'orders-hosts', name: 'orders' } },
      { haproxy: { backend: 'orders' } },
      { webhook: { name: 'orders' } },
      { etcd: { key: '/skydns/com/example/orders' } },
    ]);
  });

  it('has the name of the annotation', async () => {
    const named = {
      ...service,
      metadata: { ...metadata, annotations: { ...annotations, 'reconstruct.dev/publish-as': '@' } },
    };
    const [own] = await published(annotatedService, named);
    expect(own?.spec.targets[0]?.dns?.name).toBe('@');
  });

  it('is not published while the publication does not exist', async () => {
    expect(await published(annotatedService, service, [])).toEqual([]);
  });
});

describe('an annotated HTTPRoute', () => {
  it('is published under its own host names', async () => {
    const [own] = await published(annotatedRoute, route);
    expect(own?.metadata.name).toBe('orders-route');
    expect(own?.spec.httpRoute).toBe('orders');
    expect(own?.spec.targets[0]?.dns).not.toHaveProperty('name');
    expect(own?.spec.targets[0]?.dns).not.toHaveProperty('srv');
  });
});

describe('the controllers of annotated objects', () => {
  // A user edits the annotations alone.
  const withoutSpec = ({ spec: _spec, ...others }: { readonly spec: object }) => others;
  const other = { ...publication, metadata: { name: 'other', namespace: 'shop' }, spec: { ...like.spec, drain: '7s' } };
  const edited = { metadata: { labels: {}, annotations: { 'reconstruct.dev/publish-like': 'other' } } };
  const unselected = { metadata: { labels: {}, annotations: {} } };
  const given = { edited, unselected, reads: [publication, other] };
  for (const check of controllerContract(annotatedService, { ...given, resource: withoutSpec(service) } as never))
    it(`of Services: ${check.name}`, check.holds);
  for (const check of controllerContract(annotatedRoute, { ...given, resource: withoutSpec(route) } as never))
    it(`of HTTPRoutes: ${check.name}`, check.holds);
});
