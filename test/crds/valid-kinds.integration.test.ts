import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineKind, type Kind, object, SchemaError } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { ApiServer } from './given-api-server.js';
import { thing } from './given-kind.js';
import { anyFields } from './given-schemas.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
});
afterAll(() => server.close());

test('the API server accepts each valid kind of the schema language', async () => {
  let taken = 0;
  const accepted = async (kind: Kind) => {
    taken += 1;
    const { body } = await server.triedKind(kind);
    expect(body.message).toBeUndefined();
  };
  await fc.assert(
    fc.asyncProperty(anyFields, async (fields) => {
      const kind = definedOrNot(fields);
      if (kind) await accepted(kind);
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(100);
});

function definedOrNot(fields: Parameters<typeof thing>[0]): Kind | undefined {
  try {
    const status = object('What is.', fields, { optional: true });
    // Other files store the kind of the group `example.com` on the same server.
    return defineKind(thing(fields, { status }, { group: 'valid.example.com' }));
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}
