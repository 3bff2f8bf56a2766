import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Kind } from '../../crds/index.js';
import { ControlPlane } from '../../operator/testing/index.js';
import { ApiServer } from './given-api-server.js';
import { REFUSALS } from './refusals.js';

// What the language refuses is shown to the API server as it would be without the language's checks.
vi.mock('../../crds/schema/kind-checks.js', () => ({ kindProblems: () => [] }));

let controlPlane: ControlPlane;
let server: ApiServer;
beforeAll(async () => {
  controlPlane = await ControlPlane.start({ controllerManager: 'none' });
  server = await ApiServer.at(controlPlane.kubeconfig);
});
afterAll(async () => {
  await server?.close();
  await controlPlane?.stop();
});

test.each(REFUSALS.filter(([, , who]) => who === 'server too'))(
  'the API server refuses too: %s: %s',
  async (_where, _problem, _who, kind) => {
    expect((await server.triedKind(kind())).status).toBe(422);
  },
);

test.each(REFUSALS.filter(([, , who]) => who === 'ours'))(
  'only the language refuses: %s: %s',
  async (_where, _problem, _who, kind) => {
    expect((await server.triedKind(kind() as Kind)).status).toBe(201);
  },
);
