import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenControlPlane } from '../../given/control-plane.js';
import { ApiServer } from '../given-api-server.js';
import { everything } from '../given-everything.js';

const spec = { engine: 'e', namespace: 'n', 'a-dash': 'd', ports: [{ name: 'p', port: 1 }] };

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(everything);
  const { status } = await server.create(everything, { metadata: { name: 'it' }, spec });
  expect(status).toBe(201);
});
afterAll(async () => {
  await server.drop(everything);
  await server.close();
});

const SAME = 'is immutable; create another resource with the new value';

test.each<readonly [what: string, message: string, change: object]>([
  ['a changed field', `spec.engine: Invalid value: "f": ${SAME}`, { engine: 'f' }],
  [
    'a changed field of a keyed item',
    `spec.ports[0].port: Invalid value: 2: ${SAME}`,
    { ports: [{ name: 'p', port: 2 }] },
  ],
  ['a changed optional field', `spec.namespace: Invalid value: namespace ${SAME}`, { namespace: 'o' }],
  ['a removed optional field', `spec.namespace: Invalid value: namespace ${SAME}`, { namespace: undefined }],
  ['a removed field whose name CEL escapes', `spec.a-dash: Invalid value: a-dash ${SAME}`, { 'a-dash': undefined }],
])('refused: %s', async (_what, message, change) => {
  const answer = await server.triedUpdate(everything, 'it', { ...spec, ...change });
  expect(answer.status).toBe(422);
  expect(answer.body.message).toContain(message);
});

test('a mutable field can change', async () => {
  expect((await server.triedUpdate(everything, 'it', { ...spec, replicas: 5 })).status).toBe(200);
  expect((await server.triedUpdate(everything, 'it', { ...spec, ports: [{ name: 'q', port: 2 }] })).status).toBe(200);
});

test.each([
  ['bad-name', 'is a bad name; choose one that does not begin with bad-'],
  ['a-name-of-more-than-20-characters', 'metadata.name: Too long: may not be more than 20'],
])('the name %s is refused', async (name, message) => {
  const answer = await server.tried(everything, { metadata: { name }, spec });
  expect(answer.body.message).toContain(message);
});
