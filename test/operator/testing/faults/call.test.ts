import { expect, test } from 'vitest';
import { callOf } from '../../../../operator/testing/faults/call.js';

const rows: readonly (readonly [asked: string, method: string, url: string])[] = [
  ['list pods', 'GET', '/api/v1/pods?limit=500'],
  ['watch pods', 'GET', '/api/v1/pods?watch=true'],
  ['watch pods', 'GET', '/api/v1/pods?watch=1'],
  ['list pods in a', 'GET', '/api/v1/namespaces/a/pods?watch=false'],
  ['get pods b in a', 'GET', '/api/v1/namespaces/a/pods/b'],
  ['get namespaces a', 'GET', '/api/v1/namespaces/a'],
  ['create pods in a', 'POST', '/api/v1/namespaces/a/pods'],
  ['create pods/eviction b in a', 'POST', '/api/v1/namespaces/a/pods/b/eviction'],
  ['update deployments b in a', 'PUT', '/apis/apps/v1/namespaces/a/deployments/b'],
  ['patch deployments/status b in a', 'PATCH', '/apis/apps/v1/namespaces/a/deployments/b/status?force=true'],
  ['delete deployments b in a', 'DELETE', '/apis/apps/v1/namespaces/a/deployments/b'],
  ['deletecollection deployments in a', 'DELETE', '/apis/apps/v1/namespaces/a/deployments'],
  ['get roles a:b', 'GET', '/apis/rbac.authorization.k8s.io/v1/roles/a%3Ab'],
  ['undefined', 'GET', '/readyz'],
  ['undefined', 'GET', '/apis/apps/v1'],
];

test.each(rows)('%s: %s %s', (asked, method, url) => {
  const { verb, resource, namespace, name } = callOf(method, url);
  const parts = [String(verb), resource, name, namespace && `in ${namespace}`];
  expect(parts.filter((part) => part !== '').join(' ')).toBe(asked);
});
