import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { ConfigMap, Deployment, Ingress } from '../../../../operator/runtime/kubernetes/kinds.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { widget, widgetController } from '../../runtime/given/widgets.js';

const web = widget('web', { maps: { a: {} } });
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
const running = { ...deployment, status: { availableReplicas: 1 } };

test('desire can be called with them', () => {
  const chart = new Chart(new App(), 'chart');
  widgetController().desire(chart, factsOf(web));
  expect(chart.toJson()).toMatchObject([{ kind: 'ConfigMap' }]);
});

test('assess can be called with them', () => {
  const { assess } = widgetController({
    assess: ({ accepted }) => ({ conditions: {}, requeueAfter: accepted ? 1 : 2 }),
  });
  expect(assess(factsOf(web))).toMatchObject({ requeueAfter: 1 });
  expect(assess(factsOf(web, { accepted: false }))).toMatchObject({ requeueAfter: 2 });
});

test('an owned object is found by its kind', () => {
  const { owned, siblings } = factsOf(web, { owned: [running], siblings: [deployment] });
  expect(owned.one(Deployment)?.status?.availableReplicas).toBe(1);
  expect(owned.of(ConfigMap)).toEqual([]);
  expect(owned.all()).toHaveLength(1);
  expect(siblings.one(Deployment)?.status).toBeUndefined();
  expect(siblings.one(Ingress)).toBeUndefined();
});

test('the resource looks as if it were stored, and as it is given', () => {
  const deleted = { ...web, metadata: { ...web.metadata, generation: 7, deletionTimestamp: '1970-01-01T00:00:00Z' } };
  const { resource } = factsOf(deleted);
  expect(resource.metadata).toMatchObject({ uid: expect.any(String), resourceVersion: '1', generation: 7 });
  expect(resource.metadata.deletionTimestamp).toBe('1970-01-01T00:00:00Z');
});
