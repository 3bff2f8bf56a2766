import { describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ExternalCall } from '../../../../operator/runtime/rendering/external-call.js';
import { type ControllerCase, controllerContract } from '../../../../operator/testing/index.js';
import { dns, nameService, record, recordController } from '../given/records.js';

const given: ControllerCase = {
  resource: record('web', { address: '1', map: true }),
  edited: { address: '2', map: false },
  ports: [nameService],
};

describe('a controller that calls', () => {
  for (const { name, holds } of controllerContract(recordController(), given)) test(`R36 ${name}`, holds);
});

describe('a controller that calls without a way back', () => {
  const irreversible = recordController({ irreversible: true });
  for (const { name, holds } of controllerContract(irreversible, given)) test(`R37 ${name}`, holds);
});

describe('the contract finds a controller that', () => {
  const calling = recordController();
  const always: Controller['desire'] = (scope, { resource: { metadata } }) => {
    new ExternalCall(scope, 'address', {
      port: dns,
      request: { name: metadata.name, address: '1' },
      refreshes: ['found'],
    });
  };
  test.each<{ does: string; finds: string; controller: Controller }>([
    {
      does: 'calls whatever it observes',
      finds: 'sends no further call in a second reconcile, or in ten, or in another process',
      controller: { ...calling, desire: always },
    },
    {
      does: 'renders no call',
      finds: 'sends no further call in a second reconcile, or in ten, or in another process',
      controller: { ...calling, desire: () => {} },
    },
    {
      does: 'leaves its record behind',
      finds: 'leaves nothing outside of the cluster when the resource is deleted',
      controller: {
        ...calling,
        desire: (scope, facts) => {
          if (!facts.resource.metadata.deletionTimestamp) calling.desire(scope, facts);
        },
      },
    },
  ])('R36 R39 $does', async ({ finds, controller }) => {
    const check = controllerContract(controller, given).find(({ name }) => name === finds);
    await expect(check?.holds()).rejects.toThrow();
  });
});
